/** git log, git show (of commits), git rev-list and what they share: revisions, filters, formats. */
import { compilePosix } from "../../src/search/posix-matcher.ts";
import { fromWord, toWord } from "./byte-text.ts";
import type { Command, CommandRun, Running } from "./command.ts";
import { DEFAULT_DATE, readDateStyle, readInstant } from "./dates.ts";
import { Decorations } from "./decorations.ts";
import { DIFF_FLAGS, diffSettings, type DiffSettings } from "./diff-options.ts";
import { printPairs, shownPairs } from "./diff-print.ts";
import { treePairs, type FilePair } from "./file-pairs.ts";
import { GitError } from "./git-error.ts";
import type { Commit } from "./objects.ts";
import { Pathspec } from "./pathspec.ts";
import { prettyCommit, readFormat, type PrettyContext, type PrettyFormat } from "./pretty.ts";
import { splitRevisions } from "./revision-arguments.ts";
import { resolveRange } from "./revision.ts";
import { mergeBases, walkCommits, type WalkRequest } from "./revision-walk.ts";

export const WALK_FLAGS =
  "-n: --max-count: --skip: --since: --after: --until: --before: --author: --committer: --grep: -i --regexp-ignore-case --invert-grep --all-match " +
  "-E --extended-regexp -F --fixed-strings -P --perl-regexp --merges --no-merges --min-parents: --max-parents: --first-parent --reverse --all --branches? " +
  "--tags? --remotes? --topo-order --date-order --author-date-order --full-history --simplify-merges --follow --no-walk? --boundary --left-right " +
  "--cherry-pick --cherry-mark --cherry --ancestry-path --glob: --exclude: --reflog -g --walk-reflogs --parents --children --simplify-by-decoration --dense --sparse";
export const PRETTY_FLAGS =
  "--oneline --pretty? --format: --abbrev-commit --no-abbrev-commit --date: --relative-date --decorate? --no-decorate --decorate-refs: --decorate-refs-exclude: " +
  "--graph --no-graph --source --mailmap --use-mailmap --no-mailmap --no-use-mailmap --notes? --no-notes --encoding: --expand-tabs? --no-expand-tabs " +
  "--no-show-signature --clear-decorations --log-size --show-pulls --no-diff-merges --diff-merges: -L:";

const NOT_YET = [
  "--graph",
  "--cherry-pick",
  "--cherry-mark",
  "--cherry",
  "--ancestry-path",
  "--children",
  "--simplify-by-decoration",
  "-L",
  "--boundary",
  "--simplify-merges",
  "--author-date-order",
  "--exclude",
  "--glob",
  "--reflog",
  "--source",
  "--log-size",
  "--diff-merges",
  "--left-right",
  "-P",
  "--perl-regexp",
  "--mailmap",
  "--use-mailmap",
  "--notes",
  "--encoding",
  "--expand-tabs",
  "--show-pulls",
] as const;

export const log: Command = {
  flags: `${DIFF_FLAGS} ${WALK_FLAGS} ${PRETTY_FLAGS}`,
  takesNumbers: true,
  *run(run) {
    const { repository, options } = run;
    const diff = diffSettings(options, repository.config, repository.prefix);
    const wanted = walkRequest(run);
    const printer = new CommitPrinter(run, diff, false);
    if (options.has("-g", "--walk-reflogs")) throw new GitError("-g is not available here yet: git reflog shows it");
    if (options.has("--follow")) return yield* followed(run, wanted, printer, diff);
    if (options.has("-z")) throw new GitError("log -z is not available here yet");
    // What a pickaxe leaves out does not count.
    const isPickaxed = diff.pickaxe !== undefined || diff.filter !== "";
    let left = wanted.most;
    if (left <= 0) return 0;
    for (const commit of walkCommits(repository, isPickaxed ? { ...wanted, most: Infinity } : wanted)) {
      if ((yield* printer.print(commit, undefined, wanted.paths)) && --left <= 0) break;
    }
    return 0;
  },
};

/** --follow: one file, under the names it had. */
function* followed(run: CommandRun, wanted: WalkRequest, printer: CommitPrinter, diff: DiffSettings): Running {
  const { repository, options } = run;
  const typed = (options.paths ?? options.operands.slice(-1)).map(fromWord);
  if (wanted.paths === undefined || typed.length !== 1) throw new GitError("--follow requires exactly one pathspec");
  let path = repository.fromHere(typed[0] as string);
  let left = wanted.most;
  let skip = wanted.skip;
  for (const commit of walkCommits(repository, { ...wanted, paths: undefined, most: Infinity, skip: 0 })) {
    if (commit.parents.length > 1) continue;
    const parent = commit.parents[0];
    const paths = new Pathspec(repository, [`:(top,literal)${path}`]);
    const before = parent === undefined ? undefined : repository.commit(parent).tree;
    let pairs = treePairs(repository, before, commit.tree, { paths });
    if (pairs.length === 0) continue;
    if (pairs[0]?.status === "A") {
      const renamed = shownPairs(repository, treePairs(repository, before, commit.tree), {
        ...diff,
        renames: true,
        filter: "",
        pickaxe: undefined,
        relativeTo: undefined,
      });
      const found = renamed.find(({ now, status }) => now.path === path && status === "R");
      if (found !== undefined) {
        pairs = [found];
        path = found.old.path;
      }
    }
    if (skip-- > 0) continue;
    if (left-- <= 0) break;
    yield* printer.print(commit, pairs, undefined);
  }
  return 0;
}

/** Prints commits with their diffs. */
export class CommitPrinter {
  readonly #run: CommandRun;
  readonly #diff: DiffSettings;
  readonly #format: PrettyFormat;
  readonly #context: PrettyContext;
  readonly #isShow: boolean;
  #isFirst = true;

  constructor(run: CommandRun, diff: DiffSettings, isShow: boolean) {
    const { options, repository } = run;
    this.#run = run;
    this.#diff = diff;
    this.#isShow = isShow;
    const last = options.list.findLast(({ name }) => name === "--oneline" || name === "--pretty" || name === "--format");
    const configured = repository.config.get("format.pretty");
    const text =
      last === undefined
        ? (configured ?? "medium")
        : last.name === "--oneline"
          ? "oneline"
          : last.name === "--pretty" && last.value === undefined
            ? "medium"
            : fromWord(last.value ?? "");
    const named = repository.config.get(`pretty.${text}`);
    this.#format = readFormat(
      last?.name === "--format" && !/^(t?format:)/.test(text) && !text.includes("%") && text !== "" && !NAMED.has(text)
        ? `tformat:${text}`
        : (named ?? text),
    );
    const decorate = options.lastOf("--decorate", "--no-decorate") === "--decorate" ? (options.last("--decorate") as string) : "no";
    if (options.has("--decorate-refs") || options.has("--decorate-refs-exclude"))
      throw new GitError("--decorate-refs is not available here yet");
    let all: Decorations | undefined;
    const style = decorate === "full" ? "full" : "short";
    const allDecorations = (): Decorations => (all ??= new Decorations(repository, style));
    const date = options.has("--relative-date") ? "relative" : (options.last("--date") ?? repository.config.get("log.date"));
    const abbrevOption = options.last("--abbrev");
    this.#context = {
      repository,
      dates: run.dates,
      dateStyle: date === undefined || date === "default" ? DEFAULT_DATE : readDateStyle(fromWord(date)),
      abbreviates:
        options.lastOf("--abbrev-commit", "--no-abbrev-commit") === "--abbrev-commit" ||
        (last?.name === "--oneline" && !options.has("--no-abbrev-commit")),
      abbreviation: options.has("--no-abbrev") ? 40 : abbrevOption === undefined || abbrevOption === "" ? undefined : Number(abbrevOption),
      decorations: decorate === "no" || decorate === "auto" ? undefined : allDecorations(),
      allDecorations,
      showsParents: options.has("--parents"),
    };
  }

  /** `pairs`: the diff to print where it is not that to the first parent. */
  *print(
    commit: Commit,
    pairs: readonly FilePair[] | undefined,
    paths: Pathspec | undefined,
    reflog?: PrettyContext["reflog"],
  ): Generator<void, boolean> {
    const { repository, print, options } = this.#run;
    const diff = this.#diff;
    const wantsDiff = diff.formats.size > 0;
    const isPickaxed = diff.pickaxe !== undefined || diff.filter !== "";
    let shown: readonly FilePair[] = [];
    const isMerge = commit.parents.length > 1;
    let combines = false;
    if (wantsDiff || isPickaxed) {
      const isWhole = !isMerge || options.has("--first-parent");
      if (isWhole || (this.#isShow && hasCounts(diff))) {
        const parent = commit.parents[0];
        const before = parent === undefined ? undefined : repository.commit(parent).tree;
        const found = pairs ?? treePairs(repository, before, commit.tree, { paths: options.has("--full-diff") ? undefined : paths });
        shown = pairs !== undefined && pairs[0]?.status === "R" ? found : shownPairs(repository, found, diff);
      }
      // What a merge brings beside its parents' own is said as a combined diff: mostly nothing.
      combines = !isWhole && this.#isShow;
      if (combines && !isOnlyCounts(diff)) {
        if (isCombined(this.#run, commit))
          throw new GitError(
            `the combined diff of merge ${commit.id} is not available here yet\nhint: git diff ${commit.id.slice(0, 12)}^1 ${commit.id.slice(0, 12)}`,
          );
      }
      if (isPickaxed && shown.length === 0) return false;
    }
    const text = prettyCommit(commit, this.#format, reflog === undefined ? this.#context : { ...this.#context, reflog });
    const kind = this.#format.kind;
    if (this.#format.kind === "user") {
      const isEmpty = text === "" && this.#format.endsEach;
      if (!this.#isFirst && !this.#format.endsEach) print("\n");
      print(text);
      if (this.#format.endsEach && !(isEmpty && this.#format.format === "")) print("\n");
      if (!this.#format.endsEach && wantsDiff && shown.length > 0) print("\n");
    } else {
      if (!this.#isFirst && kind !== "oneline" && kind !== "reference") print("\n");
      print(text);
    }
    this.#isFirst = false;
    if (wantsDiff && combines) {
      print("\n");
      if (hasCounts(diff))
        yield* printPairs(
          repository,
          shown,
          { ...diff, formats: new Set([...diff.formats].filter((format) => COUNTS.has(format))) },
          print,
        );
    } else if (wantsDiff && shown.length > 0) {
      const isOneline = kind === "oneline" || (this.#format.kind === "user" && this.#format.format === "");
      if (!isOneline) {
        const both = diff.formats.has("patch") && diff.formats.has("stat");
        print(both ? "---\n" : "\n");
      }
      yield* printPairs(repository, shown, diff, print);
    }
    yield;
    return true;
  }
}

const NAMED = new Set(["oneline", "short", "medium", "full", "fuller", "reference", "raw", "email", "mboxrd"]);
const COUNTS = new Set<string>(["stat", "numstat", "shortstat", "compact-summary", "summary"]);
const hasCounts = ({ formats }: DiffSettings): boolean => [...formats].some((format) => COUNTS.has(format));
const isOnlyCounts = ({ formats }: DiffSettings): boolean => [...formats].every((format) => COUNTS.has(format));

/** Whether a merge has a file that is none of its parents': what `git show` prints as a combined diff. */
function isCombined({ repository }: CommandRun, commit: Commit): boolean {
  let common: Set<string> | undefined;
  for (const parent of commit.parents) {
    const paths = new Set(treePairs(repository, repository.commit(parent).tree, commit.tree).map(({ now }) => now.path));
    common = common === undefined ? paths : new Set([...common].filter((path) => paths.has(path)));
  }
  return (common?.size ?? 0) > 0;
}

/** What is walked, from the flags and operands of log and rev-list. Throws GitError. */
export function walkRequest(run: CommandRun, isRevList = false): WalkRequest {
  const { options, repository, invocation } = run;
  for (const name of NOT_YET) if (options.has(name)) throw new GitError(`${name} is not available here yet`);
  const { revisions, paths } = splitRevisions(repository, options);
  const include: string[] = [];
  const exclude: string[] = [];
  for (const typed of revisions) {
    const range = resolveRange(repository, typed);
    if (range === undefined) throw new GitError(`bad revision '${typed}'`);
    include.push(...range.include);
    exclude.push(...range.exclude);
    for (const [a, b] of range.symmetric) exclude.push(...mergeBases(repository, a, [b]));
  }
  let namesRefs = false;
  for (const { name, value } of options.list) {
    const prefix =
      name === "--all"
        ? "refs/"
        : name === "--branches"
          ? "refs/heads/"
          : name === "--tags"
            ? "refs/tags/"
            : name === "--remotes"
              ? "refs/remotes/"
              : undefined;
    if (prefix === undefined) continue;
    if (value !== undefined) throw new GitError(`${name}=PATTERN is not available here yet`);
    namesRefs = true;
    for (const ref of repository.refs.list(prefix)) include.push(...((repository.asCommit(ref.id) ?? "").match(/.+/g) ?? []));
    if (name === "--all") include.push(repository.refs.resolve("HEAD")?.id ?? "");
  }
  const starts = include.filter((id) => id !== "");
  if (starts.length === 0 && revisions.length === 0 && !namesRefs) {
    const head = repository.refs.resolve("HEAD");
    if (head === undefined) {
      const branch = (repository.refs.symbolic("HEAD") ?? "HEAD").replace(/^refs\/heads\//, "");
      throw new GitError(
        isRevList
          ? "usage: git rev-list [<options>] <commit>... [--] [<path>...]"
          : `your current branch '${branch}' does not have any commits yet`,
      );
    }
    starts.push(head.id);
  }
  const number = (value: string | undefined, otherwise: number): number => {
    if (value === undefined) return otherwise;
    if (!/^-?[0-9]+$/.test(value)) throw new GitError(`'${value}': not an integer`);
    return Number(value) < 0 ? Infinity : Number(value);
  };
  const date = (...names: string[]): number | undefined => {
    const text = options.last(...names);
    return text === undefined ? undefined : readInstant(text, invocation);
  };
  return {
    include: starts,
    exclude,
    firstParent: options.has("--first-parent"),
    paths,
    order: options.has("--topo-order") ? "topo" : options.has("--date-order") ? "date" : "default",
    since: date("--since", "--after"),
    until: date("--until", "--before"),
    keeps: filterOf(run),
    skip: number(options.last("--skip"), 0),
    walksNot: options.has("--no-walk"),
    most: number(options.last("-n", "--max-count"), Infinity),
    reverse: options.has("--reverse"),
    fullHistory: options.has("--full-history"),
  };
}

function filterOf({ options }: CommandRun): (commit: Commit) => boolean {
  const least = options.has("--merges") ? 2 : options.has("--min-parents") ? Number(options.last("--min-parents")) : 0;
  const most = options.has("--no-merges") ? 1 : options.has("--max-parents") ? Number(options.last("--max-parents")) : Infinity;
  const foldCase = options.has("-i", "--regexp-ignore-case");
  const syntax = options.has("-F", "--fixed-strings") ? "fixed" : options.has("-E", "--extended-regexp") ? "extended" : "basic";
  const matcher = (patterns: readonly string[]): ((text: string) => boolean) | undefined => {
    if (patterns.length === 0) return undefined;
    const compiled = compilePosix(
      patterns.map((pattern) => toWord(fromWord(pattern))),
      { syntax, foldCase },
    );
    return (text) =>
      text.split("\n").some((line) => {
        const bytes = Buffer.from(line, "latin1");
        return compiled.test(bytes, 0, bytes.length);
      });
  };
  const author = matcher(options.all("--author"));
  const committer = matcher(options.all("--committer"));
  const patterns = options.all("--grep");
  const message =
    options.has("--all-match") && patterns.length > 1 ? allOf(patterns.map((pattern) => matcher([pattern]))) : matcher(patterns);
  const inverts = options.has("--invert-grep");
  return (commit) => {
    if (commit.parents.length < least || commit.parents.length > most) return false;
    if (author !== undefined && !author(`${commit.author.name} <${commit.author.mail}>`)) return false;
    if (committer !== undefined && !committer(`${commit.committer.name} <${commit.committer.mail}>`)) return false;
    return message === undefined || message(commit.message) !== inverts;
  };
}

const allOf =
  (tests: readonly (((text: string) => boolean) | undefined)[]) =>
  (text: string): boolean =>
    tests.every((test) => test === undefined || test(text));

export const revList: Command = {
  flags: `${WALK_FLAGS} --count --objects --oneline --pretty? --format: --abbrev-commit --no-commit-header --date: --abbrev? --timestamp --header --disk-usage --no-color --quiet --decorate? --no-decorate --graph -L:`,
  takesNumbers: true,
  *run(run) {
    const { options, repository, print } = run;
    for (const name of ["--objects", "--timestamp", "--header", "--disk-usage"])
      if (options.has(name)) throw new GitError(`${name} is not available here yet`);
    const hasStart = options.operands.length > 0 || options.has("--all", "--branches", "--tags", "--remotes");
    if (!hasStart) throw new GitError("usage: git rev-list [<options>] <commit>... [--] [<path>...]", { exit: 129, prefix: "" });
    const printer = options.has("--oneline", "--pretty", "--format")
      ? new CommitPrinter(run, diffSettings(options, repository.config, ""), false)
      : undefined;
    let count = 0;
    for (const commit of walkCommits(repository, walkRequest(run, true))) {
      count++;
      if (options.has("--count", "--quiet")) continue;
      if (printer === undefined)
        print(
          `${options.has("--abbrev-commit") ? repository.short(commit.id) : commit.id}${options.has("--parents") ? commit.parents.map((parent) => ` ${parent}`).join("") : ""}\n`,
        );
      else {
        if (!options.has("--oneline", "--no-commit-header")) print(`commit ${commit.id}\n`);
        yield* printer.print(commit, undefined, undefined);
      }
      yield;
    }
    if (options.has("--count")) print(`${count}\n`);
    return 0;
  },
};
