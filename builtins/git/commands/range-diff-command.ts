/** git range-diff: two versions of a series of commits, compared patch by patch. */
import { lineText } from "../../../src/compare/line-text.ts";
import { bytesOf, fromWord, withoutTrailingSpace } from "../objects/byte-text.ts";
import { diffSettings, type DiffSettings } from "../diff/diff-options.ts";
import { eachLine, hunksOf, lineOf, markedChanges } from "../diff/hunks.ts";
import { printPairs } from "../diff/diff-print.ts";
import { NO_ID, type Side } from "../diff/file-pairs.ts";
import type { FunctionLine } from "../diff/userdiff.ts";
import { MODE } from "../objects/objects.ts";
import { withPrefix } from "./diff-command.ts";
import { GitError } from "../git-error.ts";
import { prettyContext, type ContextFlag } from "../log/commit-printer.ts";
import { chosenCommits, plainRequest } from "../log/history-request.ts";
import { subjectOf } from "../log/message.ts";
import { correspondence, rangePatch, type RangePatch } from "../log/range-patches.ts";
import { mergeBases } from "../log/revision-walk.ts";
import { Pathspec } from "../worktree/pathspec.ts";
import { splitRevisions } from "../refs/revision-arguments.ts";
import { commitNamed, rangeEnds, resolveRange, resolveRevision, unknownRevision, type Range } from "../refs/revision.ts";
import type { Repository } from "../repository.ts";
import { command, type CommandRun, type LoadRequest } from "./command.ts";
import { COLOURLESS, noColours, noEffect, OPTIONAL, refused, refusedAll, SWITCH, VALUE, type NamesRead } from "./flags.ts";
import { Options } from "./options.ts";
import type { Print } from "../diff/patch.ts";

const WORKS = "git range-diff -s main@{1}...main";
const NO_FILES = "texts of patches are compared, and they are no files";

const RANGE_DIFF_FLAGS = {
  "--creation-factor": VALUE,
  "--left-only": SWITCH,
  "--right-only": SWITCH,
  "--notes": OPTIONAL,
  "--no-notes": SWITCH,
  "-s": SWITCH,
  "--no-patch": SWITCH,
  "--stat": OPTIONAL,
  "--numstat": SWITCH,
  "--shortstat": SWITCH,
  "--patch-with-stat": SWITCH,
  "-p": SWITCH,
  "-u": SWITCH,
  "--patch": SWITCH,
  "-U": OPTIONAL,
  "--unified": OPTIONAL,
  "-W": SWITCH,
  "--function-context": SWITCH,
  "--inter-hunk-context": VALUE,
  "-w": SWITCH,
  "--ignore-all-space": SWITCH,
  "-b": SWITCH,
  "--ignore-space-change": SWITCH,
  "--ignore-space-at-eol": SWITCH,
  "--ignore-blank-lines": SWITCH,
  "--minimal": SWITCH,
  "--patience": SWITCH,
  "--histogram": SWITCH,
  "--diff-algorithm": VALUE,
  "--indent-heuristic": SWITCH,
  "--no-indent-heuristic": SWITCH,
  "--abbrev": noEffect("ids are as short as they can be", "optional"),
  "--no-dual-color": noEffect("output has no colours here"),
  "--no-color": COLOURLESS,
  "--color": noColours("git range-diff --color=never -s main@{1}...main"),
  "--dual-color": refused("output has no colours here", WORKS),
  ...refusedAll(
    [
      ...(["--summary", "--raw", "--name-only", "--name-status", "--dirstat", "--check"] as const),
      ...(["--compact-summary", "--patch-with-raw", "-R", "-z", "--quiet", "--exit-code"] as const),
      ...(["--word-diff", "-M", "-C", "--relative"] as const),
    ],
    NO_FILES,
    WORKS,
  ),
  ...refusedAll(["-S", "-G", "--diff-filter", "--find-object", "--line-prefix"], NO_FILES, WORKS, "value"),
} as const;

type RangeDiffRun = CommandRun<NamesRead<typeof RANGE_DIFF_FLAGS>>;

export const rangeDiff = command({
  flags: RANGE_DIFF_FLAGS,
  *run(run) {
    const { repository, options, print } = run;
    const { config } = repository;
    const factor = numberOf(options.last("--creation-factor") ?? "60", "creation-factor");
    if (options.has("--left-only") && options.has("--right-only"))
      throw new GitError("options '--left-only' and '--right-only' cannot be used together", { prefix: "error: ", exit: 255 });
    const settings = diffSettings(options.among(), config, "");
    const { first, second, paths } = typedRanges(run);
    const context = prettyContext(
      { ...run, options: options.among<ContextFlag>() },
      {
        format: { kind: "medium" },
        wasGiven: false,
        isOneline: false,
      },
    );
    const plain = diffSettings(new Options<never>([], [], undefined).among(), config, repository.prefix);
    const patches: (readonly RangePatch[])[] = [];
    for (const range of [first, second]) {
      const found: RangePatch[] = [];
      const { include, exclude } = range;
      const request = { ...plainRequest(repository), include, exclude, order: "date", reverse: true, paths } as const;
      for (const { commit } of chosenCommits(repository, { ...request, keeps: ({ parents }) => parents.length < 2 })) {
        found.push(rangePatch(repository, commit, context, plain, paths));
        yield;
      }
      patches.push(found);
    }
    const [left = [], right = []] = patches;
    const pairs = correspondence(left, right, factor);
    yield;
    const showsLeft = !options.has("--right-only");
    const showsRight = !options.has("--left-only");
    const header = headerPrinter(run, left, right);
    const shown = new Set<number>();
    for (let i = 0, j = 0; i < left.length || j < right.length; ) {
      while (i < left.length && shown.has(i)) i++;
      if (i < left.length && pairs.left[i] === -1) {
        if (showsLeft) header(i, undefined);
        i++;
        continue;
      }
      for (; j < right.length && pairs.right[j] === -1; j++) if (showsRight) header(undefined, j);
      if (j >= right.length) continue;
      const at = pairs.right[j] as number;
      header(at, j);
      if (!settings.isSilent) yield* printChange(repository, left[at] as RangePatch, right[j] as RangePatch, settings, print);
      shown.add(at);
      j++;
      yield;
    }
    return 0;
  },
});

function numberOf(text: string, name: string): number {
  if (!/^[-+]?[0-9]+$/.test(text)) throw new GitError(`option \`${name}' expects a numerical value`, { prefix: "error: ", exit: 129 });
  return Number(text);
}

/** Prints the line above a pair, or above a patch that is alone. */
function headerPrinter(
  { repository, print }: RangeDiffRun,
  left: readonly RangePatch[],
  right: readonly RangePatch[],
): (i: number | undefined, j: number | undefined) => void {
  const width = String(1 + Math.max(left.length, right.length)).length;
  const short = ({ commit }: RangePatch): string => repository.short(commit.id);
  let dashes: string | undefined;
  return (i, j) => {
    const a = i === undefined ? undefined : left[i];
    const b = j === undefined ? undefined : right[j];
    const named = a ?? b;
    if (named === undefined) return;
    dashes ??= "-".repeat(short(named).length);
    const side = (patch: RangePatch | undefined, at: number | undefined): string =>
      patch === undefined || at === undefined
        ? `${"-".padStart(width)}:  ${dashes}`
        : `${String(at + 1).padStart(width)}:  ${short(patch)}`;
    const status = b === undefined ? "<" : a === undefined ? ">" : a.text === b.text ? "=" : "!";
    print(`${withoutTrailingSpace(`${side(a, i)} ${status} ${side(b, j)} ${subjectOf(named.commit.message)}`)}\n`);
  };
}

function* printChange(
  repository: Repository,
  a: RangePatch,
  b: RangePatch,
  settings: DiffSettings,
  print: Print,
): Generator<void | LoadRequest, void> {
  if (a.text === b.text) return;
  const showsPatch = settings.formats.size === 0 || settings.formats.has("patch");
  const formats = new Set([...settings.formats].filter((format) => format !== "patch"));
  if (formats.size > 0) {
    // The two texts are files of these names to git.
    const side = (path: string, { text }: RangePatch): Side => ({ path, mode: MODE.file, id: NO_ID, read: () => bytesOf(text) });
    const pair = { status: "M", old: side("a", a), now: side("b", b), score: 0 } as const;
    yield* printPairs(repository, [pair], { ...settings, formats }, withPrefix("    ", print));
    if (showsPatch) print("    \n");
  }
  if (!showsPatch) return;
  const [old, now] = [lineText(bytesOf(a.text)), lineText(bytesOf(b.text))];
  for (const hunk of hunksOf(old, now, markedChanges(old, now, settings), { ...settings, functionLine: sectionLine })) {
    print(`    @@${hunk.functionText === "" ? "" : ` ${hunk.functionText}`}\n`);
    eachLine(hunk, (kind, line) =>
      print(`    ${kind === "removed" ? `-${lineOf(old, line)}` : `${kind === "added" ? "+" : " "}${lineOf(now, line)}`}`),
    );
  }
}

const MOST_BYTES = 80;

/** Sections of a patch's text, and the places of its hunks. */
const sectionLine: FunctionLine = (text, line) => {
  const found = text.bytes.toString("latin1", text.starts[line] as number, text.starts[line + 1] as number).replace(/\n$/, "");
  const section = /^ ## (.*) ##$/.exec(found)?.[1] ?? /^.?@@ (.*)$/.exec(found)?.[1];
  return section?.slice(0, MOST_BYTES).replace(/[\t-\r ]+$/, "");
};

interface TypedRanges {
  readonly first: Range;
  readonly second: Range;
  readonly paths: Pathspec | undefined;
}

/** Throws GitError. */
function typedRanges({ repository, options }: RangeDiffRun): TypedRanges {
  const words = options.operands.map(fromWord);
  const hasDashes = options.paths !== undefined;
  const ranges = (first: string, second: string, count: number): TypedRanges => {
    const typed = options.paths ?? options.operands.slice(count);
    const [one, other] = [first, second].map((range) => rangeNamed(repository, range, hasDashes ? [] : typed));
    return {
      first: one as Range,
      second: other as Range,
      paths: typed.length === 0 ? undefined : new Pathspec(repository, typed.map(fromWord)),
    };
  };
  const [a = "", b = "", c = ""] = words;
  if (hasDashes ? words.length === 3 : words.length > 2 && [a, b, c].every((word) => commitNamed(repository, word) !== undefined))
    return ranges(`${a}..${b}`, `${a}..${c}`, 3);
  if (hasDashes ? words.length === 2 : words.length > 1 && isRange(repository, a) && isRange(repository, b, a)) {
    const stray = isRange(repository, a) ? (isRange(repository, b, a) ? undefined : b) : a;
    if (stray !== undefined) throw new GitError(`not a commit range: '${stray}'`, { exit: 129 });
    return ranges(a, b, 2);
  }
  const dots = a.indexOf("...");
  if (words.length > 0 && (hasDashes ? words.length === 1 : dots >= 0)) {
    if (dots < 0) throw new GitError(`not a symmetric range: '${a}'`, { exit: 129 });
    const [from, to] = [a.slice(0, dots) || "HEAD", a.slice(dots + 3) || "HEAD"];
    return ranges(`${to}..${from}`, `${from}..${to}`, 1);
  }
  throw new GitError("need two commit ranges", { exit: 129 });
}

/** A range with what its two ends have in common left out. Undefined where it names nothing. */
function wholeRange(repository: Repository, typed: string): Range | undefined {
  const range = resolveRange(repository, typed);
  const common = range?.symmetric.flatMap(([one, other]) => mergeBases(repository, one, [other])) ?? [];
  return range === undefined ? undefined : { ...range, exclude: [...range.exclude, ...common] };
}

/**
 * Tells whether a word leaves commits out. A tag that the range `before` begins at is still left out by it: git forgets that of commits
 * alone. Throws GitError where a word names none.
 */
function isRange(repository: Repository, word: string, before?: string): boolean {
  const range = wholeRange(repository, word);
  if (range === undefined) throw new GitError(`bad revision '${word}'`);
  const ends = rangeEnds(word);
  if (ends === undefined) return range.exclude.length > 0 && range.include.some((id) => !range.exclude.includes(id));
  // A tag is another object than the commit that it names.
  const [from, to] = [ends.from, ends.to].map((end) => resolveRevision(repository, end));
  const left = before === undefined ? undefined : rangeEnds(before);
  const tag = left?.dots === ".." ? resolveRevision(repository, left.from) : undefined;
  const isLeftOut = tag !== undefined && tag === to && repository.objects.find(tag)?.type === "tag";
  if (ends.dots === "..") return from !== to && !isLeftOut;
  return range.exclude.length > 0 && [from, to].some((id) => id !== undefined && !range.exclude.includes(id));
}

/** Throws GitError with what git log says of the range and of paths beside it. */
function rangeNamed(repository: Repository, typed: string, paths: readonly string[]): Range {
  const lost = (said: string): GitError =>
    new GitError(`fatal: ${said}\nerror: could not parse log for '${typed}'`, { prefix: "", exit: 255 });
  const range = wholeRange(repository, typed);
  if (range === undefined) throw lost(unknownRevision(typed).message);
  try {
    if (paths.length > 0) splitRevisions(repository, new Options<never>([], ["HEAD", ...paths], undefined));
  } catch (thrown) {
    if (thrown instanceof GitError) throw lost(thrown.message);
    throw thrown;
  }
  return range;
}
