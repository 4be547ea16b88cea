/** git log -L: the commits that changed some lines of a file, followed backwards through its changes and renames. */
import { lineText, type LineText } from "../../../src/compare/line-text.ts";
import { compareBytes, fromWord } from "../objects/byte-text.ts";
import type { CommandRun } from "../commands/command.ts";
import { contentOf, contentToCompare } from "../objects/contents.ts";
import type { DiffSettings } from "../diff/diff-options.ts";
import { textsWithoutTail } from "../diff/diff-stat.ts";
import { pairOf, treePairs, type FilePair } from "../diff/file-pairs.ts";
import { GitError } from "../git-error.ts";
import type { HistoryRequest } from "./history-request.ts";
import { walkHistory, type HistoryCommit } from "./history.ts";
import { lineChanges, USUAL } from "../diff/line-changes.ts";
import { readRanges } from "./line-ranges.ts";
import { isTree, type Commit, type TreeEntry } from "../objects/objects.ts";
import type { Print } from "../diff/patch.ts";
import { inParent, touching, union, type ChangedRange, type RangeSet } from "./range-set.ts";
import { withRenames } from "../diff/renames.ts";
import type { Repository } from "../repository.ts";
import { splitRevisions } from "../refs/revision-arguments.ts";
import { driverOf } from "../diff/userdiff.ts";

/** Lines of one file of a commit. */
interface TracedFile {
  readonly path: string;
  readonly ranges: RangeSet;
}

/** Changes that a commit made to the lines of one file. */
interface ChangedFile {
  readonly file: TracedFile;
  readonly pair: FilePair;
  readonly changes: readonly ChangedRange[];
}

export interface TracedCommit {
  readonly place: HistoryCommit;
  readonly print: (print: Print) => void;
}

/** The commits that changed the lines `typed` (`START,END:FILE`, `:FUNCTION:FILE`), in order. Throws GitError. */
export function* traceLines(
  run: CommandRun,
  typed: readonly string[],
  request: HistoryRequest,
  diff: DiffSettings,
): Generator<TracedCommit | undefined, void> {
  const { repository } = run;
  if (request.paths !== undefined) throw new GitError("-L<range>:<file> cannot be used with pathspec");
  if ([...diff.formats].some((format) => format !== "patch")) throw new GitError("-L does not yet support diff formats besides -p and -s");
  const tracer = new LineTracer(repository, startOf(run, typed, request), diff, request.firstParent);
  const shown: TracedCommit[] = [];
  let skip = request.skip;
  let left = request.most;
  const waits = request.reverse || request.rewrites;
  const all = { ...request, paths: undefined, most: Infinity, skip: 0, reverse: false, keeps: () => true, until: undefined };
  for (const place of walkHistory(repository, { ...all, order: request.order === "default" ? "topo" : request.order, boundary: false })) {
    const { commit } = place;
    const changed = tracer.visit(commit);
    const isLate = request.until !== undefined && commit.seconds > request.until;
    if (changed === undefined || isLate || !request.keeps(commit)) {
      yield undefined;
      continue;
    }
    tracer.shown.add(commit.id);
    if (skip-- > 0) continue;
    if (left-- <= 0) break;
    const traced = { place, print: (print: Print) => printChanged(repository, changed, print) };
    if (waits) shown.push(traced);
    else yield traced;
  }
  const placed = request.rewrites ? shown.map(({ place, print }) => ({ place: tracer.placed(place), print })) : shown;
  yield* request.reverse ? placed.reverse() : placed;
}

/** The lines to begin with, in the one commit to begin with. */
function startOf({ repository, options }: CommandRun, typed: readonly string[], { include }: HistoryRequest): Map<string, TracedFile[]> {
  const [first, second] = [...new Set(include)];
  if (second !== undefined) {
    const { revisions } = splitRevisions(repository, options);
    throw new GitError(`More than one commit to dig from: ${revisions[1] ?? second} and ${revisions[0] ?? first ?? ""}?`);
  }
  if (first === undefined) throw new GitError("No commit specified?");
  const words = new Map<string, string[]>();
  for (const word of typed.map(fromWord)) {
    const [, range, file] = RANGE_AND_FILE.exec(word) ?? [];
    if (range === undefined || file === undefined) throw new GitError(`-L argument not 'start,end:file' or ':funcname:file': ${word}`);
    const path = repository.fromHere(file);
    words.set(path, [...(words.get(path) ?? []), range]);
  }
  const files = [...words].map(([path, ranges]): TracedFile => {
    const entry = repository.entryAt(repository.commit(first).tree, path);
    if (entry === undefined || isTree(entry.mode)) throw new GitError(`There is no path ${path} in the commit`);
    const text = lineText(contentOf(repository, { path, mode: entry.mode, id: entry.id }));
    const malformed = (range: string): GitError =>
      new GitError(`malformed -L argument '${typed.map(fromWord).find((word) => word.startsWith(`${range}:`)) ?? range}'`);
    return { path, ranges: readRanges(ranges, text, path, driverOf(repository, path).functionLine, malformed) };
  });
  return new Map([[first, files.sort((a, b) => compareBytes(a.path, b.path))]]);
}

const PLACE = "(?:\\s*[+-]?[0-9]+|\\^?/(?:[^/\\\\]|\\\\[^])*/)";
const RANGE_AND_FILE = new RegExp(`^(\\^?:(?:[^:\\\\]|\\\\[^])+|${PLACE}?(?:,${PLACE}?)?):([^]+)$`);

class LineTracer {
  readonly shown = new Set<string>();
  readonly #repository: Repository;
  readonly #diff: DiffSettings;
  readonly #firstParent: boolean;
  /** Lines looked for in each commit that is still to come. */
  readonly #open: Map<string, readonly TracedFile[]>;
  /** Parents in which the history of the lines goes on, of commits that have been looked at. */
  readonly #parents = new Map<string, readonly string[]>();

  constructor(repository: Repository, start: Map<string, readonly TracedFile[]>, diff: DiffSettings, firstParent: boolean) {
    this.#repository = repository;
    this.#open = start;
    this.#diff = diff;
    this.#firstParent = firstParent;
  }

  /** Changes that `commit` made to the lines; undefined if it is not shown, nothing for a merge. */
  visit(commit: Commit): readonly ChangedFile[] | undefined {
    const files = this.#open.get(commit.id);
    this.#open.delete(commit.id);
    const isMerge = commit.parents.length > 1;
    const parents = this.#firstParent ? commit.parents.slice(0, 1) : commit.parents;
    this.#parents.set(commit.id, parents);
    if (files === undefined) return undefined;
    if (!isMerge) {
      const [parent] = parents;
      const { before, changed } = this.#compared(files, commit, parent);
      if (parent !== undefined) this.#add(parent, before);
      return changed.length > 0 ? changed : undefined;
    }
    const sides = parents.map((parent) => ({ parent, ...this.#compared(files, commit, parent) }));
    const same = sides.find(({ changed }) => changed.length === 0);
    // A parent that has the lines as they are takes all the history.
    if (same !== undefined) this.#parents.set(commit.id, [same.parent]);
    for (const { parent, before } of same === undefined ? sides : [same]) this.#add(parent, before);
    // A merge of which no side has them all is shown, and nothing of it.
    return same === undefined ? [] : undefined;
  }

  /** A commit with the nearest ancestors that are shown in place of its parents. */
  placed(place: HistoryCommit): HistoryCommit {
    const parents = new Set<string>();
    for (const parent of this.#parents.get(place.commit.id) ?? []) {
      let id: string | undefined = parent;
      const seen = new Set<string>();
      while (id !== undefined && !this.shown.has(id) && !seen.has(id)) {
        seen.add(id);
        const above: readonly string[] | undefined = this.#parents.get(id);
        if (above === undefined || above.length > 1) break;
        id = above[0];
      }
      if (id !== undefined) parents.add(id);
    }
    const rewritten = [...parents];
    return { ...place, parents: rewritten, shownParents: rewritten.filter((id) => this.shown.has(id)) };
  }

  #add(id: string, files: readonly TracedFile[]): void {
    const known = this.#open.get(id);
    if (known === undefined) {
      this.#open.set(id, files);
      return;
    }
    const merged = new Map(known.map((file) => [file.path, file]));
    for (const { path, ranges } of files) merged.set(path, { path, ranges: union(merged.get(path)?.ranges ?? [], ranges) });
    this.#open.set(
      id,
      [...merged.values()].sort((a, b) => compareBytes(a.path, b.path)),
    );
  }

  /** The files as they were in a parent, and what changed of their lines. */
  #compared(
    files: readonly TracedFile[],
    commit: Commit,
    parent: string | undefined,
  ): { readonly before: readonly TracedFile[]; readonly changed: readonly ChangedFile[] } {
    const pairs = new Map(this.#pairs(files, commit, parent).map((pair) => [pair.now.path, pair]));
    const before: TracedFile[] = [];
    const changed: ChangedFile[] = [];
    for (const file of files) {
      const pair = pairs.get(file.path);
      if (pair === undefined || file.ranges.length === 0) {
        before.push(file);
        continue;
      }
      const changes = changesOf(contentOf(this.#repository, pair.old), contentOf(this.#repository, pair.now));
      const touched = touching(changes, file.ranges);
      before.push({ path: pair.old.path, ranges: inParent(file.ranges, changes, touched) });
      if (touched.length > 0) changed.push({ file, pair, changes: touched });
    }
    return { before, changed };
  }

  #pairs(files: readonly TracedFile[], commit: Commit, parent: string | undefined): readonly FilePair[] {
    const repository = this.#repository;
    const old = parent === undefined ? undefined : repository.commit(parent).tree;
    if (old === commit.tree) return [];
    const fileIn = (tree: string | undefined, path: string): TreeEntry | undefined => {
      const entry = tree === undefined ? undefined : repository.entryAt(tree, path);
      return entry === undefined || isTree(entry.mode) ? undefined : entry;
    };
    const pairs: FilePair[] = [];
    for (const { path } of files) {
      const [a, b] = [fileIn(old, path), fileIn(commit.tree, path)];
      if (b !== undefined && (a?.id !== b.id || a.mode !== b.mode)) pairs.push(pairOf(path, a, b));
    }
    if (!this.#diff.renames || parent === undefined || !pairs.some(({ status }) => status === "A")) return pairs;
    const deleted = treePairs(repository, old, commit.tree).filter(({ status }) => status === "D");
    const { minimumScore, renameLimit: limit } = this.#diff;
    const joined = withRenames([...deleted, ...pairs], { minimumScore, limit, content: (side) => contentToCompare(repository, side) });
    return joined.filter(({ status }) => status !== "D");
  }
}

function changesOf(old: Buffer, now: Buffer): ChangedRange[] {
  const [a, b] = textsWithoutTail(old, now);
  return lineChanges(a, b, { ...USUAL, indentHeuristic: false }).map(({ oldFrom, removed, newFrom, added }) => ({
    parent: { from: oldFrom, to: oldFrom + removed },
    target: { from: newFrom, to: newFrom + added },
  }));
}

function printChanged(repository: Repository, changed: readonly ChangedFile[], print: Print): void {
  for (const { file, pair, changes } of changed) {
    const { old, now } = pair;
    const [before, after] = [lineText(contentOf(repository, old)), lineText(contentOf(repository, now))];
    print(`diff --git a/${old.path} b/${now.path}\n--- ${old.mode === 0 ? "/dev/null" : `a/${old.path}`}\n+++ b/${now.path}\n`);
    let next = 0;
    for (const { from, to } of file.ranges) {
      while (next < changes.length && (changes[next] as ChangedRange).target.to < from) next++;
      const first = changes[next];
      if (first === undefined) break;
      if (first.target.from >= to) continue;
      let last = first;
      for (let at = next; at < changes.length && (changes[at] as ChangedRange).target.from < to; at++) last = changes[at] as ChangedRange;
      let oldFrom = first.parent.from - Math.max(0, first.target.from - from);
      let oldTo = last.parent.to + Math.max(0, to - last.target.to);
      if (oldFrom === 0 && oldTo === 0) [oldFrom, oldTo] = [-1, -1];
      print(`@@ -${oldFrom + 1},${oldTo - oldFrom} +${from + 1},${to - from} @@\n`);
      let at = from;
      for (let change = changes[next]; change !== undefined && change.target.from < to; change = changes[++next]) {
        for (; at < change.target.from; at++) print(` ${lineOf(after, at)}`);
        for (let line = change.parent.from; line < change.parent.to; line++) print(`-${lineOf(before, line)}`);
        for (; at < change.target.to && at < to; at++) print(`+${lineOf(after, at)}`);
      }
      for (; at < to; at++) print(` ${lineOf(after, at)}`);
    }
  }
}

function lineOf({ bytes, starts }: LineText, line: number): string {
  const text = bytes.toString("latin1", starts[line] as number, starts[line + 1] as number);
  return text.endsWith("\n") ? text : `${text}\n\\ No newline at end of file\n`;
}
