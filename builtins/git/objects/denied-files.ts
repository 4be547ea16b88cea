/**
 * The policy's rules for what is not read (paths.deny_read), held against the paths that trees and the index have. Content
 * that comes out of the object store is as secret as the file it is of.
 */
import { FileError } from "../../../src/workspace/file-error.ts";
import { fromWord, quotedName, toWord } from "./byte-text.ts";
import { GitError } from "../git-error.ts";
import { normal } from "./object-store.ts";
import type { Repository } from "../repository.ts";
import { worktreesOf } from "../worktree/worktrees.ts";

export class DeniedFiles {
  readonly #repository: Repository;
  #places: RepositoryPlaces | undefined;
  #skipped = false;

  constructor(repository: Repository) {
    this.#repository = repository;
  }

  /** True if the policy has no rule at all. */
  get isEmpty(): boolean {
    return !this.#repository.disk.files.deniesReading;
  }

  /** A file was left out, and was named. */
  get hasSkipped(): boolean {
    return this.#skipped;
  }

  /** Reason why the content of `path`, below the worktree, is not shown; undefined if it may be. */
  why(path: string): string | undefined {
    if (this.isEmpty) return undefined;
    const { files } = this.#repository.disk;
    const { worktrees, hostTops, directory, isHome } = (this.#places ??= this.#findPlaces());
    const word = toWord(path);
    for (const top of worktrees) {
      const why = files.whyDenied(top === "" ? word : `${top}/${word}`);
      if (why !== undefined) return why;
    }
    for (const top of hostTops) {
      const why = files.whyDeniedFrom(directory, `${top}/${word}`);
      if (why !== undefined) return why;
    }
    return isHome ? undefined : files.whyDeniedBelowAnyTop(word);
  }

  /** Throws FileError EACCES where the content of `path` is not shown. */
  check(path: string): void {
    const why = this.why(path);
    if (why !== undefined) throw new FileError("EACCES", toWord(path), why);
  }

  /**
   * Throws where the content of what was typed as `typed` is not shown. `path` is where a commit's tree or the index has it;
   * undefined where nobody knows, as with the id of an object: then it is not shown as soon as there is a rule.
   */
  checkNamed(path: string | undefined, typed: string): void {
    if (this.isEmpty) return;
    if (path !== undefined) return this.check(path);
    throw new GitError(`${typed}: ${NAMELESS}\nhint: name a commit and a path: git show REVISION:PATH`);
  }

  /** Throws where there is a rule, and `path`, as `checkNamed` has it, is not the top of a tree: paths below it are not whole. */
  checkTop(path: string | undefined, typed: string): void {
    if (this.isEmpty || path === "") return;
    throw new GitError(`${typed}: ${NAMELESS}\nhint: name commits, and the directory as a path: git diff A B -- DIRECTORY`);
  }

  /** True if the content of `path` is not shown: reports it on standard error and in the exit status. */
  skips(path: string): boolean {
    const why = this.why(path);
    if (why === undefined) return false;
    this.#skipped = true;
    this.#repository.warn(`error: ${quotedName(path, this.#repository.quotesAll)}: ${why}\n`);
    return true;
  }

  #findPlaces(): RepositoryPlaces {
    const repository = this.#repository;
    const { disk, home, shownAt } = repository;
    const listed = worktreesOf(repository).map(({ path }) => toWord(path));
    const directory = this.#canonical(toWord(repository.commonDirectory));
    // Objects of a repository that is borrowed from (objects/info/alternates, or a link in the place of `objects`) may be of files there.
    const borrowed = repository.objects.directories
      .map((path) => this.#canonical(toWord(path)))
      .filter((path) => path !== `${directory}/objects`)
      .map((path) => topOf(path, ".git/objects"));
    const top = topOf(directory, ".git");
    const worktree = toWord(repository.hasWorktree ? repository.worktree : repository.gitDirectory);
    const inTree = [
      worktree,
      home && toWord(home),
      shownAt && toWord(shownAt),
      top,
      ...listed.map((path) => disk.files.fromRoot(path)),
      ...borrowed,
    ];
    const worktrees = new Set<string>();
    for (const path of inTree) {
      const inside = path === undefined ? undefined : normal(path);
      if (inside === undefined) continue;
      worktrees.add(inside);
      worktrees.add(this.#canonical(inside));
    }
    const configured = repository.config.get("core.worktree");
    return {
      worktrees: [...worktrees],
      hostTops: [
        "..",
        ...listed.map((path) => (path.startsWith("/") ? path : `worktrees/each/${path}`)),
        ...(configured === undefined ? [] : [toWord(configured)]),
      ],
      directory,
      isHome: (home !== undefined || top !== undefined) && !borrowed.includes(undefined),
    };
  }

  #canonical(path: string): string {
    const { files } = this.#repository.disk;
    try {
      return files.realPath(this.#repository.disk.absolute(fromWord(path)));
    } catch (thrown) {
      if (thrown instanceof FileError) return path;
      throw thrown;
    }
  }
}

const NAMELESS =
  "Permission denied: it does not say which file's content it is, and the policy of this server does not let some files be read";

/** Places where a repository's files may be, to which the rules are held. */
interface RepositoryPlaces {
  /** Tops of working trees, relative to the tree of the workspace. */
  readonly worktrees: readonly string[];
  /** The same as host paths, absolute or from `directory`: a mount may show the repository alone, and its files may be in another. */
  readonly hostTops: readonly string[];
  /** Canonical path of the repository's common directory. */
  readonly directory: string;
  /** False where its working tree may be anywhere: a bare repository, or one that a line names by a directory that is no `.git`. */
  readonly isHome: boolean;
}

/** The directory whose `end` is at `path`; undefined where another is. */
function topOf(path: string, end: ".git" | ".git/objects"): string | undefined {
  if (path === end) return "";
  return path.endsWith(`/${end}`) ? path.slice(0, -end.length - 1) : undefined;
}
