/** Walks the commits of a range by their dates, limited by paths and filters. */
import { DateQueue } from "../refs/date-queue.ts";
import { changesPaths } from "./path-changes.ts";
import type { Commit } from "../objects/objects.ts";
import type { Pathspec } from "../worktree/pathspec.ts";
import type { Repository } from "../repository.ts";

export interface WalkRequest {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly firstParent: boolean;
  readonly paths: Pathspec | undefined;
  /** Seconds since the epoch. */
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly keeps: (commit: Commit) => boolean;
  readonly skip: number;
  readonly most: number;
  readonly reverse: boolean;
  /** History is given whole: a merge that equals a parent is not simplified away. */
  readonly fullHistory?: boolean;
  /** The starting points alone. */
  readonly walksNot?: boolean;
  /** They come as they are named, not by date (--no-walk=unsorted). */
  readonly keepsOrder?: boolean;
}

/** A walk without a flag, from nowhere yet. */
export const PLAIN_WALK: WalkRequest = {
  include: [],
  exclude: [],
  firstParent: false,
  paths: undefined,
  since: undefined,
  until: undefined,
  keeps: () => true,
  skip: 0,
  most: Infinity,
  reverse: false,
};

/**
 * Commits by date. Nothing is held but the queue, unless an exclusion needs the whole. The reader may say false of one: it does not
 * count for `most`, unless all are turned round.
 */
export function* walkCommits(repository: Repository, request: WalkRequest): Generator<Commit, void, boolean | undefined> {
  const chosen = cutOut(filtered(visited(repository, request), request), request);
  if (!request.reverse) return yield* chosen;
  yield* [...chosen].reverse();
}

function* cutOut(commits: Iterable<Commit>, { skip, most }: WalkRequest): Generator<Commit, void, boolean | undefined> {
  let left = most;
  let toSkip = skip;
  if (left <= 0) return;
  for (const commit of commits) {
    if (toSkip-- > 0) continue;
    if ((yield commit) === false) left++;
    if (--left <= 0) return;
  }
}

interface Visited {
  readonly commit: Commit;
  readonly isShown: boolean;
}

function* filtered(commits: Iterable<Visited>, { keeps, until }: WalkRequest): Generator<Commit, void> {
  for (const { commit, isShown } of commits) {
    if (!isShown || (until !== undefined && commit.seconds > until)) continue;
    if (keeps(commit)) yield commit;
  }
}

function visited(repository: Repository, request: WalkRequest): Iterable<Visited> {
  return request.exclude.length === 0 ? simple(repository, request.include, request) : limited(repository, request);
}

/** The parents that history goes on with, and whether the commit itself is shown. */
function simplified(
  repository: Repository,
  commit: Commit,
  request: WalkRequest,
): { readonly parents: readonly string[]; readonly isShown: boolean } {
  const parents = request.firstParent ? commit.parents.slice(0, 1) : commit.parents;
  const { paths } = request;
  if (paths === undefined || paths.isEmpty) return { parents, isShown: true };
  const differs = (parent: string | undefined): boolean => changesPaths(repository, commit, parent, paths);
  if (parents.length === 0) return { parents, isShown: differs(undefined) };
  if (request.fullHistory === true) return { parents, isShown: parents.some(differs) };
  for (const parent of parents) if (!differs(parent)) return { parents: [parent], isShown: false };
  return { parents, isShown: true };
}

function* simple(repository: Repository, include: readonly string[], request: WalkRequest): Generator<Visited, void> {
  const queue = new DateQueue();
  const seen = new Set<string>();
  const add = (id: string): void => {
    if (seen.has(id)) return;
    seen.add(id);
    queue.push(repository.commit(id));
  };
  if (request.keepsOrder === true) {
    for (const id of new Set(include)) {
      const commit = repository.commit(id);
      if (request.since === undefined || commit.seconds >= request.since)
        yield { commit, isShown: simplified(repository, commit, request).isShown };
    }
    return;
  }
  include.forEach(add);
  for (let commit = queue.pop(); commit !== undefined; commit = queue.pop()) {
    if (request.since !== undefined && commit.seconds < request.since) continue;
    const { parents, isShown } = simplified(repository, commit, request);
    if (request.walksNot !== true) parents.forEach(add);
    yield { commit, isShown };
  }
}

/** So many more commits are looked at when all that is left is excluded: dates need not be in order. */
const SLOP = 5;

function* limited(repository: Repository, request: WalkRequest): Generator<Visited, void> {
  const queue = new DateQueue();
  const seen = new Set<string>();
  const excluded = new Set<string>();
  const found: Visited[] = [];
  let interesting = 0;
  const add = (id: string): void => {
    if (seen.has(id)) return;
    seen.add(id);
    if (!excluded.has(id)) interesting++;
    queue.push(repository.commit(id));
  };
  const queued = new Set<string>();
  /** Excludes `id` and what is known of its ancestors. */
  const leaveOut = (id: string): void => {
    const open = [id];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (excluded.has(at)) continue;
      excluded.add(at);
      if (seen.has(at)) {
        if (!queued.has(at)) interesting--;
        open.push(...repository.commit(at).parents);
      }
    }
  };
  request.exclude.forEach(leaveOut);
  request.exclude.forEach(add);
  request.include.forEach(add);
  let slop = SLOP;
  let lastDate = Infinity;
  for (let commit = queue.pop(); commit !== undefined; commit = queue.pop()) {
    queued.add(commit.id);
    if (!excluded.has(commit.id)) interesting--;
    if (excluded.has(commit.id)) {
      for (const parent of commit.parents) leaveOut(parent);
      commit.parents.forEach(add);
      if (interesting > 0 || commit.seconds >= lastDate) slop = SLOP;
      else if (--slop <= 0) break;
      continue;
    }
    if (request.since !== undefined && commit.seconds < request.since) continue;
    lastDate = commit.seconds;
    const { parents, isShown } = simplified(repository, commit, request);
    parents.forEach(add);
    found.push({ commit, isShown });
  }
  for (const visited of found) if (!excluded.has(visited.commit.id)) yield visited;
}

const ONE = 1;
const OTHER = 2;
const STALE = 4;

/**
 * Marks the ancestors of two sides by date until all that is left is behind common ones. A commit that comes late, as its date is wrong,
 * is marked again. Ends before that where `isEnough` says so of the marks.
 */
function paintedDown(
  repository: Repository,
  one: string,
  others: readonly string[],
  isEnough: (flags: ReadonlyMap<string, number>) => boolean = () => false,
): { readonly flags: ReadonlyMap<string, number>; readonly common: readonly string[] } {
  const flags = new Map<string, number>();
  const queue = new DateQueue();
  const common: string[] = [];
  const mark = (id: string, flag: number): void => {
    const had = flags.get(id) ?? 0;
    if ((had & flag) === flag) return;
    flags.set(id, had | flag);
    queue.push(repository.commit(id));
  };
  mark(one, ONE);
  for (const other of others) mark(other, OTHER);
  const isFresh = (): boolean => {
    for (const { id } of queue) if (((flags.get(id) ?? 0) & STALE) === 0) return true;
    return false;
  };
  while (isFresh() && !isEnough(flags)) {
    const commit = queue.pop();
    if (commit === undefined) break;
    let flag = (flags.get(commit.id) ?? 0) & (ONE | OTHER | STALE);
    if (flag === (ONE | OTHER)) {
      if (!common.includes(commit.id)) common.push(commit.id);
      flag |= STALE;
    }
    for (const parent of commit.parents) mark(parent, flag);
  }
  return { flags, common };
}

/** The best common ancestors of two commits, the newest first. Adds to `isRead` the commits that are looked at. */
export function mergeBases(repository: Repository, one: string, others: readonly string[], isRead?: Set<string>): string[] {
  const { flags, common } = paintedDown(repository, one, others);
  for (const id of flags.keys()) isRead?.add(id);
  const best = common.filter((id) => ((flags.get(id) ?? 0) & STALE) === 0);
  return best
    .filter((id) => !best.some((other) => other !== id && isAncestor(repository, id, other)))
    .sort((a, b) => repository.commit(b).seconds - repository.commit(a).seconds);
}

export function isAncestor(repository: Repository, ancestor: string, of: string): boolean {
  if (ancestor === of) return true;
  const isReached = (flags: ReadonlyMap<string, number>): boolean => ((flags.get(ancestor) ?? 0) & OTHER) !== 0;
  return isReached(paintedDown(repository, ancestor, [of], isReached).flags);
}
