/** Finds repositories: from a directory upwards, where one is told of, and below another (submodules). */
import type { Invocation } from "../../src/builtin/definition.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Config, parseConfig, type Setting } from "./config.ts";
import { GitError } from "./git-error.ts";
import { Disk } from "./objects/disk.ts";
import { insideRoot } from "./objects/object-store.ts";
import { Repository } from "./repository.ts";
import type { FoundPlace, TypedPlaces } from "./repository-place.ts";

/** The repository that holds `start` (relative to the root), or the one that is given. Throws GitError. */
export function openRepository(invocation: Invocation, start: string, extra: readonly Setting[], given: TypedPlaces = {}): Repository {
  const { files, limits } = invocation;
  const disk = new Disk(files, limits.heldBytes);
  try {
    if (given.gitDirectory !== undefined) {
      const place = givenPlace(disk, given.isElsewhere === true ? undefined : start, given.gitDirectory, given.worktree);
      return new Repository(
        disk,
        { ...place, start },
        place.worktree === undefined ? "" : prefixIn(place.worktree, start),
        invocation,
        extra,
      );
    }
    for (let at = start; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      const place = repositoryAt(disk, at);
      if (place !== undefined) {
        const worktree = given.worktree ?? place.worktree;
        const below = worktree === undefined ? "" : prefixIn(worktree, start);
        const found = new Repository(disk, { ...place, worktree, start }, below, invocation, extra);
        if (given.worktree === undefined) checkWorktree(found);
        return found;
      }
      if (at === "") break;
    }
  } catch (thrown) {
    disk.close();
    if (thrown instanceof FileError && (thrown.code === "SYMLINK_ESCAPE" || thrown.code === "PATH_ESCAPE"))
      throw new GitError("the repository leads outside the workspace: .git");
    throw thrown;
  }
  if (given.mayBeAbsent === true) return new Repository(disk, { ...NO_PLACE, start }, "", invocation, extra);
  disk.close();
  throw new GitError("not a git repository (or any of the parent directories): .git");
}

/** Throws GitError where the configuration says that the working tree is another than the one around the repository. */
function checkWorktree(repository: Repository): void {
  const typed = repository.config.get("core.worktree");
  if (typed === undefined || !repository.hasWorktree) return;
  if (insideRoot(repository.disk, repository.gitDirectory, typed) !== repository.worktree)
    throw new GitError(`core.worktree is ${typed}: another working tree than that of --work-tree is not looked for`);
}

/** Nothing of a repository is there: `.git`, if there is one, was found to be none. */
const NO_DIRECTORY = ".git/no repository";
const NO_PLACE: FoundPlace = {
  worktree: undefined,
  gitDirectory: NO_DIRECTORY,
  commonDirectory: NO_DIRECTORY,
  isInside: false,
  isAbsent: true,
};

/** The current directory below the worktree, with a slash at its end; "" where it is not below it. */
function prefixIn(worktree: string, start: string): string {
  if (start === worktree) return "";
  if (worktree === "") return `${start}/`;
  return start.startsWith(`${worktree}/`) ? `${start.slice(worktree.length + 1)}/` : "";
}

/** `start` is its worktree where no other is given, and its configuration does not say that it has none. */
function givenPlace(
  disk: Disk,
  start: string | undefined,
  { path, typed }: { readonly path: string; readonly typed: string },
  worktree: string | undefined,
): FoundPlace {
  const [, target] = /^gitdir: ([^\r\n]+)/.exec((disk.status(path, true)?.kind === "file" ? disk.text(path) : undefined) ?? "") ?? [];
  const gitDirectory = target === undefined ? path : insideRoot(disk, path.slice(0, Math.max(0, path.lastIndexOf("/"))), target);
  if (!isGitDirectory(disk, gitDirectory)) throw new GitError(`not a git repository: '${typed}'`);
  const commonDirectory = commonOf(disk, gitDirectory);
  const config = new Config(parseConfig(disk.text(`${commonDirectory}/config`) ?? "", typed));
  const isBare = config.boolean("core.bare", false);
  return { worktree: worktree ?? (isBare ? undefined : start), gitDirectory, commonDirectory, isInside: false, typed };
}

function repositoryAt(disk: Disk, directory: string): FoundPlace | undefined {
  const dotGit = directory === "" ? ".git" : `${directory}/.git`;
  const status = disk.status(dotGit, true);
  if (status?.kind === "directory") {
    if (!isGitDirectory(disk, dotGit)) return undefined;
    return { worktree: directory, home: directory, gitDirectory: dotGit, commonDirectory: commonOf(disk, dotGit), isInside: false };
  }
  if (status?.kind === "file") {
    const [, target] = /^gitdir: ([^\r\n]+)/.exec(disk.text(dotGit) ?? "") ?? [];
    if (target === undefined) throw new GitError(`invalid gitfile format: ${dotGit}`);
    const gitDirectory = insideRoot(disk, directory, target);
    if (!isGitDirectory(disk, gitDirectory)) throw new GitError(`not a git repository: ${target}`);
    return { worktree: directory, home: directory, gitDirectory, commonDirectory: commonOf(disk, gitDirectory), isInside: false };
  }
  if (isGitDirectory(disk, directory))
    return { worktree: undefined, gitDirectory: directory, commonDirectory: commonOf(disk, directory), isInside: true };
  return undefined;
}

function isGitDirectory(disk: Disk, directory: string): boolean {
  const common = commonOf(disk, directory);
  return (
    disk.status(`${directory}/HEAD`, false) !== undefined &&
    disk.status(`${common}/objects`, true)?.kind === "directory" &&
    disk.status(`${common}/refs`, true)?.kind === "directory"
  );
}

function commonOf(disk: Disk, directory: string): string {
  const common = disk.text(`${directory}/commondir`)?.replace(/\r?\n[^]*$/, "");
  return common === undefined ? directory : insideRoot(disk, directory, common);
}

/** The repository of a submodule; undefined where none is checked out there. Throws GitError where it leads outside. */
export function repositoryBelow(repository: Repository, path: string): Repository | undefined {
  const { disk, limits, kept, clock } = repository;
  const directory = repository.inWorktree(path);
  if (disk.status(`${directory}/.git`, false) === undefined) return undefined;
  const place = repositoryAt(disk, directory);
  return place === undefined ? undefined : new Repository(disk, { ...place, start: directory }, "", { limits, kept, ...clock }, []);
}

/** The current directory, outside of any repository, as a working tree of which nothing is tracked. */
export function repositoryOfNothing({ disk, start, limits, kept, clock }: Repository): Repository {
  return new Repository(disk, { ...NO_PLACE, worktree: start, start }, "", { limits, kept, ...clock }, []);
}

/**
 * The repository that `typed` names, as git finds one that it is told of: with `/.git` or `.git` behind it, or itself. Undefined
 * where there is none. `shownAt`: see Place. Throws GitError where it is outside.
 */
export function repositoryAtPlace(repository: Repository, typed: string, shownAt?: string): Repository | undefined {
  const { disk, limits, kept, clock } = repository;
  const place = insideRoot(disk, repository.hasWorktree ? repository.worktree : repository.start, typed);
  for (const end of ["/.git", "", ".git"]) {
    const directory = place === "" && end === "/.git" ? ".git" : place + end;
    if (directory === "" || disk.status(directory, true)?.kind !== "directory" || !isGitDirectory(disk, directory)) continue;
    const found = {
      worktree: undefined,
      gitDirectory: directory,
      commonDirectory: commonOf(disk, directory),
      isInside: false,
      start: directory,
      ...(shownAt === undefined ? {} : { shownAt }),
    };
    return new Repository(disk, found, "", { limits, kept, ...clock }, []);
  }
  return undefined;
}
