/** git log: commits with their messages and diffs, by ancestry, by reflog, or as the history of one file. */
import { command, type CommandRun, type Running } from "./command.ts";
import { keysOf, noEffect, SWITCH, VALUE, type NamesRead } from "./flags.ts";
import { CommitPrinter } from "../log/commit-printer.ts";
import { usesMailmap } from "../log/mailmap.ts";
import { mergeDiffOf, type MergeDiff } from "../log/merge-diff.ts";
import { DIFF_FLAGS } from "../diff/diff-flags.ts";
import { notColoured } from "../diff/colours.ts";
import { diffSettings, type DiffSettings } from "../diff/diff-options.ts";
import { GitError } from "../git-error.ts";
import { FollowedPath } from "../log/followed-path.ts";
import { lineTest } from "../log/commit-filter.ts";
import { chosenCommits, historyRequest, namedReferences, usesSources } from "../log/history-request.ts";
import type { PrettyPlace } from "../log/pretty.ts";
import type { Commit } from "../objects/objects.ts";
import { LOG_ANYWHERE, LOG_FLAGS, PRETTY_FLAGS, WALK_FLAGS, WALK_REFUSED } from "../log/walk-flags.ts";
import { traceLines } from "../log/line-log.ts";
import { changesPaths } from "../log/path-changes.ts";
import type { Options } from "./options.ts";
import type { Repository } from "../repository.ts";
import { bisectionOf } from "../refs/bisection.ts";
import { reflogEntries } from "../refs/reflog-entries.ts";
import { splitRevisions } from "../refs/revision-arguments.ts";

const OWN_FLAGS = {
  ...DIFF_FLAGS,
  ...WALK_FLAGS,
  ...LOG_FLAGS,
  ...PRETTY_FLAGS,
  "-L": VALUE,
  "-r": noEffect("the trees of a commit are always compared with all that is below them"),
  ...WALK_REFUSED,
  "--bisect": SWITCH,
  "--exit-code": SWITCH,
} as const;

type LogFlag = NamesRead<typeof OWN_FLAGS>;

export const log = command({
  flags: OWN_FLAGS,
  takesNumbers: true,
  readsRevisions: true,
  anywhere: LOG_ANYWHERE,
  check: (options) => {
    const [found] = options.has("-L") ? options.each(...keysOf(NOT_OF_LINES)) : [];
    return found === undefined ? undefined : [`git log -L with ${found.name}: ${NOT_OF_LINES[found.name]}`, "git log -L 1,20:FILE"];
  },
  run: (run) => runLog(run, "log"),
});

/** git log, and the commands that are a form of it: git whatchanged leaves out commits without a difference. */
export function* runLog(given: CommandRun<LogFlag>, kind: "log" | "reflog" | "whatchanged"): Running {
  const { repository } = given;
  const options = given.options.has("--bisect") ? withBisection(repository, given.options) : given.options;
  if (options === undefined) return 0;
  const run = { ...given, options };
  const diff = diffSettings(options, repository.config, repository.prefix);
  const mergeDiff = mergeDiffOf(options, "none", kind === "log");
  if (options.has("-g", "--walk-reflogs")) return yield* walkedReflog(run, diff, mergeDiff);
  const skipsUnchanged = kind === "whatchanged";
  const wanted = historyRequest(run, { fullDiff: options.has("--full-diff"), readsMailmap: usesMailmap(options, repository) });
  const follows = options.has("--follow") || (kind === "log" && followsByDefault(repository, options));
  const printer = new CommitPrinter(run, diff, {
    mergeDiff,
    paths: options.has("--full-diff") ? undefined : wanted.paths,
    ...(follows ? { followed: new FollowedPath(repository, diff, options.has("--full-diff") ? undefined : wanted.paths) } : {}),
    sources: options.has("--source") || usesSources(run),
    countsChanges: options.has("--exit-code"),
    onlyMerges: options.has("--diff-merges") && !diff.formatsWereGiven && !diff.isPickaxed && !follows,
    skipsUnchanged,
  });
  if (options.has("-L")) {
    if (diff.isColoured) throw notColoured("--color-words", "the history of lines is");
    for (const traced of traceLines(run, options.all("-L"), wanted, diff)) {
      if (traced === undefined) yield;
      else yield* printer.print({ commit: traced.place.commit, place: traced.place, diff: traced.print });
    }
    return 0;
  }
  if (options.has("--exit-code") && options.has("-m", "--diff-merges") && diff.formats.size === 0)
    throw new GitError("--exit-code is not done here beside -m without a diff");
  // What a pickaxe leaves out does not count, unless all must be gathered before the first is shown.
  const countsShown = (diff.isPickaxed || skipsUnchanged || follows) && !wanted.reverse;
  const commits = chosenCommits(repository, follows && wanted.decorated === undefined ? { ...wanted, paths: undefined } : wanted);
  for (let next = commits.next(); next.done !== true; ) {
    const isShown = yield* printer.print({ commit: next.value.commit, place: next.value });
    next = commits.next(isShown || !countsShown);
  }
  if (printer.foundErrors) return 2;
  return options.has("--exit-code") && printer.hasChanges ? 1 : 0;
}

/** log.follow: one path is followed without being asked for. Lines of a file and reflogs have no such path. */
function followsByDefault(repository: Repository, options: Options<LogFlag>): boolean {
  if (!repository.config.boolean("log.follow", false) || options.has("-L", "-g", "--walk-reflogs")) return false;
  const { typedPaths } = splitRevisions(repository, options);
  return typedPaths.length === 1 && !/^:(?:[!^]|\([^)]*exclude)/.test(typedPaths[0] ?? "");
}

/** The options with the ends of a bisection for revisions; undefined where there is nothing to begin with. */
function withBisection(repository: Repository, options: Options<LogFlag>): Options<LogFlag> | undefined {
  const { bad, good } = bisectionOf(repository);
  const { revisions, missing } = splitRevisions(repository, options);
  const isEmpty = bad === undefined && revisions.length + missing.length === 0;
  if (isEmpty && !options.has("--all", "--branches", "--tags", "--remotes", "--glob")) return undefined;
  const ends = [...(bad === undefined ? [] : [bad]), ...good.map((name) => `^${name}`)];
  return options.after([], [...ends, ...options.operands]);
}

const ACCIDENT = "the changes of lines are shown as they are";

/** Flags refused beside -L: git's behaviour with them is an accident of its implementation. */
const NOT_OF_LINES = {
  "--exit-code": ACCIDENT,
  "-R": ACCIDENT,
  "-S": ACCIDENT,
  "-G": ACCIDENT,
  "--diff-filter": ACCIDENT,
  "--find-object": ACCIDENT,
  "--pickaxe-all": ACCIDENT,
  "--follow": ACCIDENT,
  "--boundary": ACCIDENT,
  "-g": ACCIDENT,
  "--walk-reflogs": ACCIDENT,
} as const;

const WALKS = "it is about a history, which the entries of a reflog are not";

/** Flags refused beside -g. */
const NOT_OF_REFLOGS = {
  "--exit-code": WALKS,
  "--not": WALKS,
  "--topo-order": WALKS,
  "--date-order": WALKS,
  "--author-date-order": WALKS,
  "--simplify-merges": WALKS,
  "--simplify-by-decoration": WALKS,
  "--boundary": WALKS,
  "--cherry-pick": WALKS,
  "--cherry-mark": WALKS,
  "--cherry": WALKS,
  "--ancestry-path": WALKS,
  "--children": WALKS,
  "--follow": WALKS,
  "-L": WALKS,
} as const;

/** -g: the entries of a reflog in place of ancestors. */
function* walkedReflog(run: CommandRun<LogFlag>, diff: DiffSettings, mergeDiff: MergeDiff): Running {
  const { repository, options } = run;
  if (options.lastOf("--graph", "--no-graph") === "--graph")
    throw new GitError("options '--walk-reflogs' and '--graph' cannot be used together");
  if (options.has("--reverse")) throw new GitError("options '--reverse' and '--walk-reflogs' cannot be used together");
  const [stray] = options.each(...keysOf(NOT_OF_REFLOGS));
  if (stray !== undefined) throw new GitError(`${stray.name} is not done here beside --walk-reflogs: ${NOT_OF_REFLOGS[stray.name]}`);
  const { revisions, paths } = splitRevisions(repository, options);
  const entryTest = lineTest(run, options.all("--grep-reflog"), "header");
  const wanted = historyRequest(run, {
    readsMailmap: usesMailmap(options, repository),
    revisions: revisions.length === 0 && repository.refs.resolve("HEAD") === undefined ? [] : ["HEAD"],
  });
  const printer = new CommitPrinter(run, diff, { mergeDiff, paths });
  const touches = (commit: Commit): boolean =>
    paths === undefined ||
    (commit.parents.length === 0 ? [undefined] : commit.parents).every((parent) => changesPaths(repository, commit, parent, paths));
  let left = wanted.most;
  let skip = wanted.skip;
  const named = namedReferences(run);
  const names = [...(named ?? []), ...(named === undefined && revisions.length === 0 ? ["HEAD"] : revisions)];
  for (const reflog of youngestFirst(names.map((typed) => reflogEntries(run, typed)))) {
    if (left <= 0) return 0;
    const { entry } = reflog;
    if (repository.objects.find(entry.id)?.type !== "commit") continue;
    const commit = repository.commit(entry.id);
    const { seconds } = entry.who;
    if (entryTest !== undefined && !entryTest(entry.message)) continue;
    if (!wanted.keeps(commit) || !touches(commit)) continue;
    if (wanted.since !== undefined && seconds < wanted.since) continue;
    if (wanted.until !== undefined && seconds > wanted.until) continue;
    if (skip-- > 0) continue;
    if (yield* printer.print({ commit, reflog })) left--;
  }
  return 0;
}

type Entry = NonNullable<PrettyPlace["reflog"]>;

/** The entries of several reflogs: each time the youngest of those that come next, and of the same age the one of the first reflog. */
function* youngestFirst(reflogs: readonly Generator<Entry, void>[]): Generator<Entry, void> {
  const next = reflogs.map((reflog) => reflog.next().value ?? undefined);
  for (;;) {
    let best = -1;
    for (const [at, reflog] of next.entries())
      if (reflog !== undefined && (best < 0 || reflog.entry.who.seconds > (next[best]?.entry.who.seconds ?? 0))) best = at;
    const found = next[best];
    if (found === undefined) return;
    yield found;
    next[best] = reflogs[best]?.next().value ?? undefined;
  }
}
