/**
 * The walk that log, show, rev-list and shortlog make: revisions, references, filters and the order of commits, from their flags.
 */
import { atoi } from "../../../src/numbers/strtol.ts";
import { compileGlob } from "../../../src/glob/glob-match.ts";
import { bytesOf, fromWord, toWord } from "../objects/byte-text.ts";
import type { CommandRun } from "../commands/command.ts";
import { filterOf } from "./commit-filter.ts";
import { chosenFormat, type FormatFlag } from "./chosen-format.ts";
import { readDate } from "../dates/approximate-date.ts";
import { decorationFilter, Decorations } from "../refs/decorations.ts";
import { PLAIN_SETTINGS } from "../diff/diff-options.ts";
import { treePairs } from "../diff/file-pairs.ts";
import { GitError } from "../git-error.ts";
import { walkHistory, type HistoryCommit } from "./history.ts";
import type { HistoryNode, HistoryNodes } from "./history-nodes.ts";
import type { Commit } from "../objects/objects.ts";
import type { Options } from "../commands/options.ts";
import type { WalkFlag } from "./walk-flags.ts";
import { patchText } from "../diff/patch.ts";
import type { Repository } from "../repository.ts";
import type { Pathspec } from "../worktree/pathspec.ts";
import { splitRevisions } from "../refs/revision-arguments.ts";
import { inTypedOrder, leavesOutBehindNoWalk, negatedOperands } from "./typed-order.ts";
import { commitNamed, rangeEnds, resolveRange, resolveRevision } from "../refs/revision.ts";
import { worktreesOf } from "../worktree/worktrees.ts";
import { mergeBases, PLAIN_WALK, walkCommits, type WalkRequest } from "./revision-walk.ts";

export interface HistoryRequest extends WalkRequest {
  /** By date, or parents after all their children ("topo": lines of history together). */
  readonly order: "default" | "topo" | "date" | "author-date";
  /** Parents that are not shown stand for their nearest ancestors that are (--graph, --parents, --children). */
  readonly rewrites: boolean;
  /** Rails are drawn: lines of history stay together. */
  readonly isGraph: boolean;
  readonly wantsChildren: boolean;
  readonly boundary: boolean;
  /** Starting points left of a `...`. */
  readonly left: readonly string[];
  readonly side: "left" | "right" | undefined;
  /** Changes that both sides have are left out, or marked. */
  readonly cherry: "pick" | "mark" | undefined;
  /** Of a commit what makes its change the same as another's; undefined for a merge. */
  readonly changeOf: (commit: Commit) => string | undefined;
  /** The files that it changes, which no commit with another list has the same change as. Undefined for a merge. */
  readonly filesOf: (commit: Commit) => string | undefined;
  readonly ancestryPath: boolean;
  /** Commits whose ancestors and descendants alone are shown; the ends of the range where none is named. */
  readonly pathBottoms: readonly string[];
  /** Those that are named, whose ancestors count too. */
  readonly pathCommits: readonly string[];
  /** Commits that were read on the way to merge bases: what leaves one out leaves out its parents at once. */
  readonly isRead: ReadonlySet<string>;
  /** Commits that references point to: with it only those, and what joins them, are shown. */
  readonly decorated: ReadonlySet<string> | undefined;
  readonly simplifiesMerges: boolean;
  /** The changes of a commit are those of all paths (--full-diff): they are shown against the parents that it has. */
  readonly fullDiff: boolean;
  /** Every commit, changed or not (--sparse). */
  readonly sparse: boolean;
  /** The commits that are left of all that were gathered. */
  readonly choose?: (list: readonly HistoryNode[], nodes: HistoryNodes) => readonly HistoryNode[];
  /** Names of the starting points, which their ancestors take over (--source). */
  readonly sources: ReadonlyMap<string, string>;
}

/** The flags that say which commits are shown. */
export type HistoryFlag = WalkFlag | FormatFlag | "--source" | "-m" | "--diff-merges" | "-g" | "--walk-reflogs";

export const usesSources = ({ options, repository }: CommandRun<FormatFlag>): boolean => {
  const { format } = chosenFormat(options, repository);
  // Git asks the last format of a user's own, whichever format is shown.
  const typed = options.each("--pretty", "--format").map(({ value }) => fromWord(value ?? ""));
  const own = format.kind === "user" ? format.format : typed.findLast((text) => text.includes("%") || /^t?format:/.test(text));
  return own?.includes("%S") === true;
};

/** The commits of a request: by the plain walk where that is enough. The reader may say false of one, which does not count for `most` then. */
export function* chosenCommits(repository: Repository, request: HistoryRequest): Generator<HistoryCommit, void, boolean | undefined> {
  const { order, paths } = request;
  const hasPaths = paths !== undefined && !paths.isEmpty;
  const isPlain =
    order === "default" &&
    request.exclude.length === 0 &&
    !(request.rewrites && (request.isGraph || hasPaths)) &&
    !request.boundary &&
    request.left.length === 0 &&
    request.cherry === undefined &&
    !request.ancestryPath &&
    request.decorated === undefined &&
    !request.simplifiesMerges &&
    !request.wantsChildren &&
    !request.sparse &&
    request.choose === undefined &&
    request.sources.size === 0;
  if (!isPlain) return yield* walkHistory(repository, request);
  const walk = walkCommits(repository, request);
  for (let next = walk.next(); next.done !== true; ) {
    const commit = next.value;
    const counts = yield {
      commit,
      parents: commit.parents,
      shownParents: commit.parents,
      children: [],
      isBoundary: false,
      isRead: true,
      isLeft: false,
      isSame: false,
      source: undefined,
    };
    next = walk.next(counts);
  }
}

/** A walk without a flag, from nowhere yet. */
export const plainRequest = (repository: Repository): HistoryRequest => ({
  ...PLAIN_WALK,
  order: "default",
  rewrites: false,
  isGraph: false,
  wantsChildren: false,
  boundary: false,
  left: [],
  side: undefined,
  cherry: undefined,
  changeOf: changeOf(repository),
  filesOf: filesOf(repository),
  ancestryPath: false,
  pathBottoms: [],
  pathCommits: [],
  isRead: new Set(),
  decorated: undefined,
  simplifiesMerges: false,
  fullDiff: false,
  sparse: false,
  sources: new Map(),
});

/** Reads the walk from the flags and operands of log and rev-list. Throws GitError. */
export function historyRequest(
  run: CommandRun<HistoryFlag>,
  {
    isRevList = false,
    fullDiff = false,
    readsMailmap = false,
    revisions: given,
  }: {
    readonly isRevList?: boolean;
    readonly fullDiff?: boolean;
    /** --author and --committer are about the names of the mailmap. */
    readonly readsMailmap?: boolean;
    readonly revisions?: readonly string[];
  } = {},
): HistoryRequest {
  const { options, repository, invocation } = run;
  const { revisions, paths, missing } =
    given === undefined ? splitRevisions(repository, options) : { revisions: given, paths: undefined, missing: [] };
  const include: string[] = [];
  const exclude: string[] = [];
  const left: string[] = [];
  const isRead = new Set<string>();
  const sources = new Map<string, string>();
  const add = (ids: readonly string[], name: string, isNot = false): void => {
    for (const id of ids) {
      (isNot ? exclude : include).push(id);
      if (!isNot && !sources.has(id)) sources.set(id, name);
    }
  };
  if (options.has("--grep-reflog") && !options.has("-g", "--walk-reflogs"))
    throw new GitError("the option '--grep-reflog' requires '--walk-reflogs'");
  const negated = negatedOperands(run);
  for (const typed of revisions) {
    const range = resolveRange(repository, typed);
    // A tree or a blob is a revision, and leads to no commits.
    if (range === undefined && resolveRevision(repository, typed.replace(/^\^/, "")) === undefined)
      throw new GitError(`bad revision '${typed}'`);
    if (range === undefined) continue;
    const ends = rangeEnds(typed);
    for (const id of range.include) {
      const isFrom = ends?.dots === "..." && commitNamed(repository, ends.from) === id;
      add([id], isFrom ? ends.from : (ends?.to ?? typed.replace(/\^(?:[!@]|-[0-9]*)$/, "")), negated.has(typed));
    }
    exclude.push(...range.exclude);
    for (const [a, b] of range.symmetric) {
      exclude.push(...mergeBases(repository, a, [b], isRead));
      left.push(a);
    }
  }
  const named = include.length;
  const namesRefs = addReferences(run, add);
  if (include.length === 0 && revisions.length === 0 && missing.length === 0 && !namesRefs) {
    const head = repository.refs.resolve("HEAD");
    if (head === undefined || isRevList) {
      const branch = (repository.refs.symbolic("HEAD") ?? "HEAD").replace(/^refs\/heads\//, "");
      throw new GitError(
        isRevList
          ? "usage: git rev-list [<options>] <commit>... [--] [<path>...]"
          : `your current branch '${branch}' does not have any commits yet`,
        isRevList ? { exit: 129, prefix: "" } : undefined,
      );
    }
    add([head.id], "HEAD");
  }
  const number = (value: string | undefined, otherwise: number): number => {
    if (value === undefined) return otherwise;
    const count = atoi(value);
    return count < 0 ? Infinity : count;
  };
  /** The last of several flags counts; one of them has seconds since the epoch. */
  const date = (...names: WalkFlag[]): number | undefined => {
    const last = options.each(...names).at(-1);
    if (last === undefined) return undefined;
    return /^--m(ax|in)-age$/.test(last.name) ? atoi(last.value ?? "") : readDate(last.value ?? "", invocation).seconds;
  };
  const isGraph = options.lastOf("--graph", "--no-graph") === "--graph";
  const decorates = options.has("--simplify-by-decoration");
  const order = options.lastOf("--topo-order", "--date-order", "--author-date-order");
  const rewritesParents = isGraph || decorates || options.has("--parents", "--simplify-merges");
  if (rewritesParents && options.has("--children")) throw new GitError("options '--parents' and '--children' cannot be used together");
  if (isGraph && options.has("--reverse")) throw new GitError("options '--reverse' and '--graph' cannot be used together");
  if (isGraph && options.lastOf("--no-walk", "--do-walk", "-n", "--max-count") === "--no-walk")
    throw new GitError("options '--no-walk' and '--graph' cannot be used together");
  const cherry = options.lastOf("--cherry-pick", "--cherry-mark", "--cherry");
  const keeps = filterOf(run, readsMailmap);
  const asFilter = date("--since-as-filter");
  // A count means that history is walked.
  const isLimited = options.lastOf("--no-walk", "--do-walk", "-n", "--max-count") === "--no-walk" && !leavesOutBehindNoWalk(run);
  const pathNames = options.each("--ancestry-path").flatMap(({ value }) => (value === undefined ? [] : fromWord(value)));
  const pathCommits = pathNames.map((typed) => pathCommit(repository, typed));
  const seeksEnds = options.each("--ancestry-path").some(({ value }) => value === undefined);
  if (seeksEnds && exclude.length + pathCommits.length === 0) throw new GitError("--ancestry-path given but there are no bottom commits");
  const keepsOrder = options.all("--no-walk").findLast((value) => value !== "") === "unsorted";
  if (keepsOrder && !isLimited)
    throw new GitError("--no-walk=unsorted is not done here where history is walked all the same (-n, --do-walk, a range)");
  return {
    include: keepsOrder ? inTypedOrder(run, include, revisions.length > 0 && namesRefs ? named : 0) : include,
    exclude,
    firstParent: options.has("--first-parent"),
    paths,
    order:
      order === "--date-order"
        ? "date"
        : order === "--author-date-order"
          ? "author-date"
          : order !== undefined || isGraph || decorates || options.has("--simplify-merges")
            ? "topo"
            : "default",
    since: date("--since", "--after", "--max-age"),
    until: date("--until", "--before", "--min-age"),
    keeps: asFilter === undefined ? keeps : (commit) => commit.seconds >= asFilter && keeps(commit),
    skip: number(options.last("--skip"), 0),
    walksNot: isLimited,
    keepsOrder,
    most: number(options.last("-n", "--max-count"), Infinity),
    // Each turns it round.
    reverse: options.each("--reverse").length % 2 === 1,
    // Merges against each parent, where they are asked for, are not passed over on the way to one of them.
    fullHistory: options.has("--full-history", "--simplify-merges") || decorates || showsEachParent(options),
    rewrites: rewritesParents || options.has("--children"),
    isGraph,
    wantsChildren: options.has("--children"),
    boundary: options.has("--boundary"),
    left,
    side: options.has("--left-only") ? "left" : options.has("--right-only", "--cherry") ? "right" : undefined,
    cherry: cherry === undefined ? undefined : cherry === "--cherry-pick" ? "pick" : "mark",
    changeOf: changeOf(repository, fullDiff ? undefined : paths),
    filesOf: filesOf(repository, fullDiff ? undefined : paths),
    ancestryPath: options.has("--ancestry-path"),
    pathBottoms: [...(seeksEnds ? exclude : []), ...pathCommits],
    // git marks what is named, from where its walk passes the mark on: from a tag it does not.
    pathCommits: pathCommits.filter((id) => pathNames.some((typed) => resolveRevision(repository, typed) === id)),
    isRead,
    decorated: decorates ? new Decorations(repository, "short", decorationFilter(options.among())).ids : undefined,
    simplifiesMerges: options.has("--simplify-merges") || decorates,
    fullDiff,
    sparse: options.lastOf("--sparse", "--dense") === "--sparse",
    sources: options.has("--source") || usesSources(run) ? sources : new Map(),
  };
}

function pathCommit(repository: Repository, typed: string): string {
  const named = typed === "" ? undefined : resolveRevision(repository, typed);
  const id = named === undefined ? undefined : repository.asCommit(named);
  if (id !== undefined) return id;
  const type = named === undefined ? undefined : repository.objects.find(named)?.type;
  const why = type === "blob" || type === "tree" ? `object ${named} is a ${type}, not a commit\nerror: ` : "";
  throw new GitError(`${why}could not get commit for ancestry-path argument ${typed}`, { prefix: "error: ", exit: 128 });
}

const showsEachParent = (options: Options<HistoryFlag>): boolean =>
  options.has("-m") || options.all("--diff-merges").some((value) => /^(m|on|separate|1|first-parent)$/.test(value));

/** Full names of what --all, --branches, --tags, --remotes and --glob name, the same as often as it is named; undefined without such a flag. */
export function namedReferences(run: CommandRun<WalkFlag>): readonly string[] | undefined {
  const names: string[] = [];
  return addReferences(run, (_, name) => void names.push(name)) ? names : undefined;
}

/** Adds what --all, --branches, --tags, --remotes and --glob name. Returns whether one of them was given. */
function addReferences(
  { options, repository }: CommandRun<WalkFlag>,
  add: (ids: readonly string[], name: string, isNot: boolean) => void,
): boolean {
  let found = false;
  let excluded: ReturnType<typeof compileGlob>[] = [];
  let isNot = false;
  for (const { name, value } of options.each("--not", "--exclude", "--all", "--glob", "--branches", "--tags", "--remotes")) {
    if (name === "--not") isNot = !isNot;
    if (name === "--exclude") {
      excluded.push(compileGlob(value ?? ""));
      continue;
    }
    const prefix =
      name === "--all" || name === "--glob"
        ? "refs/"
        : name === "--branches"
          ? "refs/heads/"
          : name === "--tags"
            ? "refs/tags/"
            : name === "--remotes"
              ? "refs/remotes/"
              : undefined;
    if (prefix === undefined) continue;
    found = true;
    const pattern = value === undefined ? undefined : refGlob(value.startsWith("refs/") ? value : prefix + value);
    for (const ref of repository.refs.list(prefix)) {
      if (pattern !== undefined && !pattern.matches(toWord(ref.name))) continue;
      const short = name === "--all" || name === "--glob" ? ref.name : ref.name.slice(prefix.length);
      if (excluded.some((glob) => glob.matches(toWord(short)))) continue;
      const id = repository.asCommit(ref.id);
      if (id !== undefined) add([id], short, isNot);
    }
    if (name === "--all")
      for (const head of ["HEAD", ...worktreesOf(repository).flatMap((worktree) => worktree.head ?? [])]) {
        const id = repository.refs.resolve(head)?.id;
        if (id !== undefined) add([id], head, isNot);
      }
    excluded = [];
  }
  return found;
}

/** A pattern without a wildcard names everything below it too. */
const refGlob = (pattern: string): ReturnType<typeof compileGlob> =>
  compileGlob(/[*?[]/.test(pattern) ? pattern : `${pattern.replace(/\/+$/, "")}/*`);

/** The names of changed files, with the modes of those that came or went: no file is read for it. */
function filesOf(repository: Repository, paths?: Pathspec): (commit: Commit) => string | undefined {
  const limits = paths === undefined ? {} : { paths };
  return ({ parents: [parent, ...others], tree }) => {
    if (others.length > 0) return undefined;
    const before = parent === undefined ? undefined : repository.commit(parent).tree;
    return treePairs(repository, before, tree, limits)
      .map(({ status, old, now }) => `${now.path}\0${status === "A" ? now.mode : status === "D" ? -old.mode : ""}\n`)
      .join("");
  };
}

/** The same text for commits that make the same change, whatever its place and its white space. */
function changeOf(repository: Repository, paths?: Pathspec): (commit: Commit) => string | undefined {
  const known = new Map<string, string>();
  const limits = paths === undefined ? {} : { paths };
  return (commit) => {
    if (commit.parents.length > 1) return undefined;
    if (!known.has(commit.id)) {
      const parent = commit.parents[0];
      let text = "";
      for (const pair of treePairs(repository, parent === undefined ? undefined : repository.commit(parent).tree, commit.tree, limits))
        text += patchText(repository, pair, PLAIN_SETTINGS);
      text = text.replace(/^(@@ -.*|index [0-9a-f]+\.\..*)\n/gm, "").replace(/[ \t\r\f\v\n]+/g, "");
      known.set(commit.id, repository.format.idOf("change", bytesOf(text)));
    }
    return known.get(commit.id);
  };
}
