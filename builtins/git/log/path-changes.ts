/** Changes of what a pathspec names between a commit and its parents: asked of every commit of a history that is limited to paths. */
import { treePairs } from "../diff/file-pairs.ts";
import type { Commit } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";
import type { Pathspec } from "../worktree/pathspec.ts";

/** So few paths are looked up one by one; more cost less in one walk through both trees. */
const MOST_LOOKED_UP = 4;

/** True if it differs between a commit and a parent of it; without a parent, an empty tree. */
export function changesPaths(repository: Repository, commit: Commit, parent: string | undefined, paths: Pathspec): boolean {
  const { plainPaths, filterKeys } = paths;
  if (filterKeys !== undefined && parent === commit.parents[0] && !repository.mayHaveChanged(commit.id, filterKeys)) return false;
  const before = parent === undefined ? undefined : repository.commit(parent).tree;
  const lookedUp = plainPaths !== undefined && plainPaths.length <= MOST_LOOKED_UP ? plainPaths : undefined;
  if (before !== undefined && lookedUp?.every((path) => isSameAt(repository, before, commit.tree, path)) === true) return false;
  return treePairs(repository, before, commit.tree, { paths, onlyFirst: true }).length > 0;
}

function isSameAt(repository: Repository, before: string, now: string, path: string): boolean {
  const [old, entry] = [repository.entryAt(before, path), repository.entryAt(now, path)];
  return old?.id === entry?.id && old?.mode === entry?.mode;
}

/** True if a commit that is no merge differs from its parent, the first from nothing. */
export function differsFromParent(repository: Repository, commit: Commit, paths: Pathspec | undefined): boolean {
  const [parent, ...others] = commit.parents;
  const before = parent === undefined ? undefined : repository.commit(parent).tree;
  return others.length === 0 && treePairs(repository, before, commit.tree, { paths, onlyFirst: true }).length > 0;
}
