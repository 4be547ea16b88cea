/**
 * The commits of a range as texts that git-range-diff(1) compares: who wrote it, the message, and the diff without line numbers; and
 * the pairing of two such lists.
 */
import { lineText } from "../../../src/compare/line-text.ts";
import { bytesOf, withoutTrailingSpace } from "../objects/byte-text.ts";
import { PLAIN_SETTINGS, type DiffSettings } from "../diff/diff-options.ts";
import { shownPairs } from "../diff/diff-print.ts";
import { treePairs, type FilePair } from "../diff/file-pairs.ts";
import { eachLine, hunksOf, markedChanges } from "../diff/hunks.ts";
import { patchText } from "../diff/patch.ts";
import type { Commit } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";
import type { Pathspec } from "../worktree/pathspec.ts";
import { assign } from "./assignment.ts";
import { prettyParts, type PrettyContext } from "./pretty.ts";

export interface RangePatch {
  readonly commit: Commit;
  readonly text: string;
  /** The part of `text` that is the diff; all of it where there is none. */
  readonly diff: string;
  readonly diffLines: number;
}

/** Marks in front of lines that no diff begins with, so that what it says itself can be told from them. */
const MARKS = { added: ">", removed: "<", context: "#" };

export function rangePatch(
  repository: Repository,
  commit: Commit,
  context: PrettyContext,
  given: DiffSettings,
  paths: Pathspec | undefined,
): RangePatch {
  const settings = { ...given, oldPrefix: "", newPrefix: "", marks: MARKS };
  const [parent] = commit.parents;
  const before = parent === undefined ? undefined : repository.commit(parent).tree;
  const pairs = shownPairs(repository, treePairs(repository, before, commit.tree, { paths }), settings, () =>
    treePairs(repository, undefined, before),
  );
  let text = header(prettyParts(commit, { kind: "medium" }, context).text);
  let start = 0;
  let diffLines = 0;
  for (const pair of pairs) {
    // A file that becomes a link is deleted and made anew.
    for (const one of patchText(repository, pair, settings).split(/^(?=diff --git )/m)) {
      if (one === "") continue;
      text += "\n";
      if (start === 0) start = text.length;
      const lines = diffText(one, pair);
      text += lines.map((line) => `${line}\n`).join("");
      diffLines += lines.length;
    }
  }
  return { commit, text, diff: text.slice(start), diffLines };
}

/** Of a commit as git log shows it. */
function header(shown: string): string {
  let text = "";
  for (const line of shown.split("\n")) {
    if (line.startsWith("Author: ")) text += ` ## Metadata ##\n${line}\n\n ## Commit message ##\n`;
    else if (line.startsWith("Notes") && line.endsWith(":")) text += `\n\n ## ${line.slice(0, -1)} ##\n`;
    else if (line.startsWith("    ")) text += `${withoutTrailingSpace(line)}\n`;
  }
  return text;
}

function diffText(patch: string, { old, now, status }: FilePair): string[] {
  const lines = patch.replace(/\n$/, "").split("\n");
  const first = lines.findIndex((line, at) => at > 0 && !HEADER_LINE.test(line));
  const headers = lines.slice(0, first < 0 ? lines.length : first);
  const isNew = headers.some((line) => line.startsWith("new file mode "));
  const isGone = headers.some((line) => line.startsWith("deleted file mode "));
  const name = isNew ? `${now.path} (new)` : isGone ? `${old.path} (deleted)` : status === "R" ? `${old.path} => ${now.path}` : now.path;
  const mode = (word: string): string | undefined => headers.find((line) => line.startsWith(`${word} mode `))?.slice(word.length + 6);
  const [from, to] = [mode("old"), mode("new")];
  const change = from === undefined || to === undefined ? "" : ` (mode change ${from} => ${to})`;
  const file = isGone ? old.path : now.path;
  return [` ## ${name}${change} ##`, ...(first < 0 ? [] : lines.slice(first)).map((line) => contentLine(line, file))];
}

const HEADER_LINE =
  /^(?:index |--- |\+\+\+ |old mode |new mode |new file mode |deleted file mode |similarity index |rename |copy |dissimilarity index )/;

function contentLine(line: string, file: string): string {
  if (line.startsWith("@@ ")) {
    const function_ = line.slice(line.indexOf("@@", 3) + 2);
    return `@@${function_ === "" ? "" : ` ${file}:${function_}`}`;
  }
  switch (line[0]) {
    case MARKS.added:
      return `+${line.slice(1)}`;
    case MARKS.removed:
      return `-${line.slice(1)}`;
    case MARKS.context:
      return ` ${line.slice(1)}`;
  }
  return ` ${line}`;
}

/** For each patch of `right`, the index of its like in `left`; and the other way round. -1: it has none. */
export interface Correspondence {
  readonly left: readonly number[];
  readonly right: readonly number[];
}

/** No pair is worth so much. */
const MOST_COST = 1 << 16;

/** `creationFactor`: percentage of a patch's length at which it counts as new rather than changed. */
export function correspondence(left: readonly RangePatch[], right: readonly RangePatch[], creationFactor: number): Correspondence {
  const { left: leftPairs, right: rightPairs } = exactPairs(left, right);
  const size = left.length + right.length;
  const costs = new Int32Array(size * size);
  const creation = ({ diffLines }: RangePatch): number => Math.trunc((diffLines * creationFactor) / 100);
  left.forEach((a, i) => {
    right.forEach((b, j) => {
      costs[i + size * j] = leftPairs[i] === j ? 0 : leftPairs[i] === -1 && rightPairs[j] === -1 ? distance(a, b) : MOST_COST;
    });
    const alone = leftPairs[i] === -1 ? creation(a) : MOST_COST;
    for (let j = right.length; j < size; j++) costs[i + size * j] = alone;
  });
  right.forEach((b, j) => {
    const alone = rightPairs[j] === -1 ? creation(b) : MOST_COST;
    for (let i = left.length; i < size; i++) costs[i + size * j] = alone;
  });
  const rows = assign(size, costs);
  left.forEach((_, i) => {
    const j = rows[i] as number;
    if (j < 0 || j >= right.length) return;
    leftPairs[i] = j;
    rightPairs[j] = i;
  });
  return { left: leftPairs, right: rightPairs };
}

/** Pairs of the same diff. Of several, git's table of hashes decides, which turns their order round whenever it grows or shrinks. */
function exactPairs(left: readonly RangePatch[], right: readonly RangePatch[]): { left: number[]; right: number[] } {
  const leftPairs = left.map(() => -1);
  const rightPairs = right.map(() => -1);
  const table = new PatchTable();
  left.forEach(({ diff }, i) => table.add(diff, i));
  right.forEach(({ diff }, j) => {
    const i = table.take(diff);
    if (i === undefined) return;
    leftPairs[i] = j;
    rightPairs[j] = i;
  });
  return { left: leftPairs, right: rightPairs };
}

const FIRST_SLOTS = 64;

class PatchTable {
  readonly #byDiff = new Map<string, number[]>();
  #slots = FIRST_SLOTS;
  #count = 0;

  get #most(): number {
    return Math.trunc((this.#slots * 80) / 100);
  }

  add(diff: string, index: number): void {
    this.#byDiff.set(diff, [index, ...(this.#byDiff.get(diff) ?? [])]);
    if (++this.#count > this.#most) this.#resize(this.#slots * 4);
  }

  take(diff: string): number | undefined {
    const index = this.#byDiff.get(diff)?.shift();
    if (index === undefined) return undefined;
    if (--this.#count < (this.#slots <= FIRST_SLOTS ? 0 : Math.trunc(this.#most / 5))) this.#resize(this.#slots / 4);
    return index;
  }

  #resize(slots: number): void {
    this.#slots = slots;
    for (const indices of this.#byDiff.values()) indices.reverse();
  }
}

const PLAIN_CHANGES: DiffSettings = { ...PLAIN_SETTINGS, changes: { ...PLAIN_SETTINGS.changes, indentHeuristic: false } };

/** Lines of the diff between two diffs. */
function distance(a: RangePatch, b: RangePatch): number {
  const [old, now] = [lineText(bytesOf(a.diff)), lineText(bytesOf(b.diff))];
  const hunks = hunksOf(old, now, markedChanges(old, now, PLAIN_CHANGES), { ...PLAIN_CHANGES, functionLine: () => undefined });
  let lines = hunks.length;
  for (const hunk of hunks) eachLine(hunk, () => void lines++);
  return lines;
}
