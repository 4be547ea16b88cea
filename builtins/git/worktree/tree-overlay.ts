/** The index with the files of a tree laid over it (git ls-files --with-tree). */
import { GitError } from "../git-error.ts";
import { isRegular, isTree, MODE } from "../objects/objects.ts";
import { resolveRevision, treeOf } from "../refs/revision.ts";
import type { Repository } from "../repository.ts";
import { entryOf, type EntryFacts, type IndexFile } from "./index-file.ts";

/** The flags of stage 3. */
const LAST_STAGE = 0x3000;

/**
 * The entries of the index and, at stage 1, the files of the tree that it does not have at stage 0, in order of their names: conflicts
 * are all of stage 3. Throws GitError where `typed` names no tree.
 */
export function overlaidEntries(repository: Repository, index: IndexFile, typed: string): readonly EntryFacts[] {
  const id = resolveRevision(repository, typed);
  if (id === undefined) throw new GitError(`tree-ish ${typed} not found.`);
  const top = treeOf(repository, id);
  if (top === undefined) throw new GitError(`bad tree-ish ${typed}`);
  const laid: EntryFacts[] = [];
  const visit = (tree: string, base: string): void => {
    for (const { mode, name, id: entry } of repository.tree(tree)) {
      const path = base + name;
      if (isTree(mode)) visit(entry, `${path}/`);
      else if (entryOf(index, path) === undefined) laid.push(unstated(path, storedMode(mode), entry));
    }
  };
  visit(top, "");
  const all = [...index.entries.map((entry) => (entry.stage === 0 ? entry : raised(entry))), ...laid];
  return all.sort((a, b) => (a.name === b.name ? a.stage - b.stage : a.name < b.name ? -1 : 1));
}

/** Mode of a tree's file as the index has it: of the permissions only whether it can be run. */
const storedMode = (mode: number): number => (!isRegular(mode) ? mode : (mode & 0o100) === 0 ? MODE.file : MODE.executable);

/** An entry whose file has never been looked at. */
const unstated = (name: string, mode: number, id: string): EntryFacts => ({
  name,
  mode,
  id,
  stage: 1,
  size: 0,
  modifiedSeconds: 0,
  modifiedNanoseconds: 0,
  assumedUnchanged: false,
  intentToAdd: false,
  skipsWorktree: false,
  stat: [0, 0, 0, 0, 0, 0, 0, 0, 0],
  flags: 0x1000,
});

function raised(entry: EntryFacts): EntryFacts {
  const { name, mode, id, size, modifiedSeconds, modifiedNanoseconds, assumedUnchanged, intentToAdd, skipsWorktree, stat } = entry;
  const flags = (entry.flags | LAST_STAGE) >>> 0;
  return {
    name,
    mode,
    id,
    stage: 3,
    size,
    modifiedSeconds,
    modifiedNanoseconds,
    assumedUnchanged,
    intentToAdd,
    skipsWorktree,
    stat,
    flags,
  };
}
