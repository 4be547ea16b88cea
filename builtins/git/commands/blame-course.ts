/** Words of git blame's command line: the file, and the commits through which its lines are followed, back or forward. */
import { fromWord } from "../objects/byte-text.ts";
import type { BlameRequest } from "../log/blame.ts";
import type { BlameRun } from "./blame-command.ts";
import { readDate } from "../dates/approximate-date.ts";
import { GitError } from "../git-error.ts";
import type { Commit } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";
import { commitNamed, rangeEnds, resolveRange, resolveRevision } from "../refs/revision.ts";
import { mergeBases, PLAIN_WALK, walkCommits } from "../log/revision-walk.ts";

export const usageError = (): GitError =>
  new GitError("git blame [<options>] [<rev-opts>] [<rev>] [--] <file>", { prefix: "usage: ", exit: 129 });

export interface Wanted {
  readonly path: string;
  readonly revisions: readonly string[];
}

/** The file and the revisions. Throws GitError. */
export function wantedOf({ options, repository }: BlameRun): Wanted {
  const operands = options.operands.map(fromWord);
  let typed: string | undefined;
  if (options.paths !== undefined) {
    const [first, second, third] = options.paths.map(fromWord);
    if (first === undefined || third !== undefined || (second !== undefined && operands.length > 0)) throw usageError();
    if (second !== undefined) operands.push(second);
    typed = first;
  } else {
    // `blame FILE REV` is understood too.
    const isTurned = operands.length === 2 && resolveRevision(repository, operands[1] ?? "") !== undefined;
    typed = isTurned ? operands.shift() : operands.pop();
    if (typed === undefined) throw usageError();
  }
  const path = repository.fromHere(typed);
  return { path, revisions: operands.length === 0 && repository.isBare ? ["HEAD"] : operands };
}

/** Where the search begins, and how it goes on. */
export interface Course extends Pick<BlameRequest, "nextOf" | "isReverse" | "isExcluded" | "isBoundary"> {
  /** Undefined: the working tree. */
  readonly from: { readonly commit: Commit; readonly name: string } | undefined;
}

/** From a commit or the working tree back, not past what a range leaves out and what is too old. Throws GitError. */
export function frontToBack(run: BlameRun, revisions: readonly string[]): Course {
  const { repository, options, invocation } = run;
  const named = namedIn(repository, revisions);
  const [found, ...others] = named.filter(({ isExcluded }) => !isExcluded);
  refuseSecond("dig from", found, others);
  const excluded = new Set<string>();
  const open = named.filter(({ isExcluded }) => isExcluded).map(({ id }) => idOf(repository, id));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (excluded.has(id)) continue;
    excluded.add(id);
    open.push(...repository.commit(id).parents);
  }
  const since = options.last("--since", "--after");
  const oldest = since === undefined ? -Infinity : readDate(since, invocation).seconds;
  const isExcluded = (commit: Commit): boolean => excluded.has(commit.id) || commit.seconds < oldest;
  const isFirstParent = options.has("--first-parent");
  const rootIsBoundary = !showsRoot(run);
  return {
    from: found === undefined ? undefined : commitOf(repository, found),
    nextOf: ({ parents }) => (isFirstParent ? parents.slice(0, 1) : parents),
    isReverse: false,
    isExcluded,
    isBoundary: (commit) => isExcluded(commit) || (rootIsBoundary && commit.parents.length === 0),
  };
}

/** --reverse: from a commit forward, to the last commit of a range that has each line. Throws GitError. */
export function backToFront(run: BlameRun, revisions: readonly string[]): Course {
  const { repository, options } = run;
  const named = namedIn(repository, revisions);
  const [start, ...others] = named.filter(({ isExcluded }) => isExcluded);
  refuseSecond("dig up from", start, others);
  const ends = named.filter(({ isExcluded }) => !isExcluded);
  const head = repository.refs.resolve("HEAD")?.id;
  // One commit alone is where the range up to HEAD starts.
  const isAlone = start === undefined && named.length === 1 && named[0]?.id !== undefined && head !== undefined;
  const first = isAlone ? named[0] : start;
  if (first === undefined) throw new GitError("No commit to dig up from?");
  const from = commitOf(repository, first);
  // Only the commit becomes a start: a tag that names it stays an end as well.
  const tag = objectOf(repository, first) === from.commit.id ? [] : [first];
  const tips = !isAlone ? ends : [...tag, ...(head === from.commit.id ? [] : [{ id: head, name: "HEAD", isExcluded: false }])];
  const children = options.has("--first-parent")
    ? childrenInChain(repository, from.commit.id, tips)
    : childrenBetween(
        repository,
        from.commit.id,
        tips.map(({ id }) => idOf(repository, id)),
      );
  const rootIsBoundary = !showsRoot(run);
  return {
    from,
    nextOf: ({ id }) => children.get(id) ?? [],
    isReverse: true,
    isExcluded: () => false,
    isBoundary: ({ id, parents }) => id === from.commit.id || (rootIsBoundary && parents.length === 0),
  };
}

const showsRoot = ({ options, repository }: BlameRun): boolean =>
  options.lastOf("--root", "--no-root") === "--root" || (!options.has("--no-root") && repository.config.boolean("blame.showroot", false));

/** A commit that the command line names; without an id something else. */
interface Named {
  readonly id: string | undefined;
  readonly name: string;
  readonly isExcluded: boolean;
}

/** What is excluded once is excluded wherever it is named by the same object. */
function namedIn(repository: Repository, revisions: readonly string[]): readonly Named[] {
  const named = revisions.flatMap((typed) => eachNamed(repository, typed)).map((one) => ({ ...one, object: objectOf(repository, one) }));
  const excluded = new Set(named.flatMap(({ object, isExcluded }) => (isExcluded ? [object] : [])));
  return named.map(({ id, name, object }) => ({ id, name, isExcluded: excluded.has(object) }));
}

const objectOf = (repository: Repository, { id, name }: Named): string | undefined => resolveRevision(repository, name) ?? id;

function eachNamed(repository: Repository, typed: string): Named[] {
  const range = resolveRange(repository, typed);
  if (range === undefined) {
    const isExcluded = typed.startsWith("^");
    const name = isExcluded ? typed.slice(1) : typed;
    if (resolveRevision(repository, name) === undefined) throw new GitError(`bad revision '${typed}'`);
    return [{ id: undefined, name, isExcluded }];
  }
  const ends = rangeEnds(typed);
  if (ends?.dots === "...") {
    const bases = range.symmetric.flatMap(([one, other]) => mergeBases(repository, one, [other]));
    const sides = [ends.from, ends.to].map((name) => ({ id: commitNamed(repository, name), name, isExcluded: false }));
    return [...bases.map((id) => ({ id, name: id, isExcluded: true })), ...sides];
  }
  const all = (ids: readonly string[], isExcluded: boolean, end: string | undefined): Named[] =>
    ids.map((id) => ({ id, name: end ?? (/\^(?:[@!]|-[0-9]*)$/.test(typed) ? id : typed.replace(/^\^/, "")), isExcluded }));
  return [...all(range.exclude, true, ends?.from), ...all(range.include, false, ends?.to)];
}

function refuseSecond(what: "dig from" | "dig up from", first: Named | undefined, others: readonly Named[]): void {
  const [second] = others;
  for (const { id, name } of first === undefined ? [] : [first, ...others.slice(0, 1)])
    if (id === undefined) throw new GitError(`Non commit ${name}?`);
  if (first === undefined || second === undefined) return;
  throw new GitError(`More than one commit to ${what}${what === "dig from" ? "" : ","} ${second.name} and ${first.name}?`);
}

function idOf(repository: Repository, id: string | undefined): string {
  if (id === undefined) throw new GitError("a tree or a file is no end of a range here");
  return repository.commit(id).id;
}

const commitOf = (repository: Repository, { id, name }: Named): { readonly commit: Commit; readonly name: string } => ({
  commit: repository.commit(idOf(repository, id)),
  name,
});

type Children = ReadonlyMap<string, readonly string[]>;

/** Children of each commit among those that lead from `tips` back to `from`: the oldest first. */
function childrenBetween(repository: Repository, from: string, tips: readonly string[]): Children {
  const children = new Map<string, string[]>();
  const range = walkCommits(repository, {
    ...PLAIN_WALK,
    include: tips,
    exclude: [from],
    reverse: true,
  });
  for (const { id, parents } of range) for (const parent of parents) children.set(parent, [...(children.get(parent) ?? []), id]);
  return children;
}

/** --first-parent: the chain from one commit back to `from`. Throws GitError if it does not lead there. */
function childrenInChain(repository: Repository, from: string, tips: readonly Named[]): Children {
  const [tip, ...others] = tips;
  refuseSecond("dig from", tip, others);
  if (tip === undefined) throw new GitError("--reverse and --first-parent together require specified latest commit");
  const children = new Map<string, string[]>();
  let at = idOf(repository, tip.id);
  while (at !== from) {
    const [parent] = repository.commit(at).parents;
    if (parent === undefined) throw new GitError("--reverse --first-parent together require range along first-parent chain");
    if (children.has(parent)) throw new GitError("the history leads in a circle (info/grafts)");
    children.set(parent, [at]);
    at = parent;
  }
  return children;
}
