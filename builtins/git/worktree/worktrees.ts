/** The worktrees of a repository: its own, and those that `git worktree add` has made. */
import { fromWord } from "../objects/byte-text.ts";
import type { Repository } from "../repository.ts";

export interface Worktree {
  /** Absolute, as it was made. */
  readonly path: string;
  /** Full name; undefined where no branch is checked out. */
  readonly branch: string | undefined;
  /** Zeros where there is no commit yet. */
  readonly id: string;
  /** Reason of the lock, which may be ""; undefined if the worktree is not locked. */
  readonly lock: string | undefined;
  readonly isBare: boolean;
  /** Its HEAD as other worktrees name it; undefined for the one that is asked from. */
  readonly head: string | undefined;
}

/** The repository's own is the first, the others are in order of their paths. */
export function worktreesOf(repository: Repository): readonly Worktree[] {
  const { disk, commonDirectory } = repository;
  const top = commonDirectory.replace(/\/?\.git$/, "");
  const isBare = repository.config.boolean("core.bare", false);
  const main = { path: fromWord(disk.absolute(isBare ? commonDirectory : top)), directory: commonDirectory, lock: undefined };
  const linked = (disk.list(`${commonDirectory}/worktrees`) ?? []).flatMap(({ name }) => {
    const directory = `${commonDirectory}/worktrees/${name}`;
    const path = disk
      .text(`${directory}/gitdir`)
      ?.trim()
      .replace(/\/\.git$/, "");
    return path === undefined ? [] : [{ path, directory, lock: disk.text(`${directory}/locked`)?.trim() }];
  });
  return [main, ...linked.sort((a, b) => (a.path < b.path ? -1 : 1))].map(({ path, directory, lock }) => {
    const text = disk.text(`${directory}/HEAD`)?.trim() ?? "";
    const branch = text.startsWith("ref:") ? text.slice(4).trim() : undefined;
    const id = branch === undefined ? (repository.format.isId(text) ? text : undefined) : repository.refs.resolve(branch)?.id;
    const isMain = directory === commonDirectory;
    const name = isMain ? "main-worktree" : directory.slice(commonDirectory.length + 1);
    const head = directory === repository.gitDirectory ? undefined : `${name}/HEAD`;
    return { path, branch, id: id ?? repository.format.noId, lock, isBare: isBare && isMain, head };
  });
}

/** Path at which each branch is checked out, by its full name. */
export const branchPlaces = (repository: Repository): ReadonlyMap<string, string> =>
  new Map(worktreesOf(repository).flatMap(({ branch, path }) => (branch === undefined ? [] : [[branch, path]])));
