/**
 * The policy's rules for what is not read (paths.deny_read), held against the paths that trees and the index have. Content
 * that comes out of the object store is as secret as the file it is of.
 */
import { FileError } from "../../../src/workspace/file-error.ts";
import { quotedName, toWord } from "./byte-text.ts";
import { GitError } from "../git-error.ts";
import { normal } from "./object-store.ts";
import type { Repository } from "../repository.ts";
import { worktreesOf } from "../worktree/worktrees.ts";

export class DeniedFiles {
  readonly #repository: Repository;
  /** Canonical paths of the working trees that the repository has: each may be where a rule means the file. */
  #worktrees: readonly string[] | undefined;
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
    for (const top of (this.#worktrees ??= this.#findWorktrees())) {
      const why = this.#repository.disk.files.whyDenied(top === "" ? toWord(path) : `${top}/${toWord(path)}`);
      if (why !== undefined) return why;
    }
    return undefined;
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

  #findWorktrees(): readonly string[] {
    const repository = this.#repository;
    const { disk } = repository;
    const listed = worktreesOf(repository).map(({ path }) => disk.files.fromRoot(toWord(path)));
    // Objects of a repository that is borrowed from (objects/info/alternates) may be of files there.
    const borrowed = repository.objects.directories
      .map(toWord)
      .filter((path) => /(?:^|\/)\.git\/objects$/.test(path))
      .map((path) => path.replace(/\/?\.git\/objects$/, ""));
    const found = new Set<string>();
    for (const path of [toWord(repository.hasWorktree ? repository.worktree : repository.gitDirectory), ...listed, ...borrowed]) {
      const inside = path === undefined ? undefined : normal(path);
      if (inside === undefined) continue;
      found.add(inside);
      found.add(this.#canonical(inside));
    }
    return [...found];
  }

  #canonical(path: string): string {
    const { files } = this.#repository.disk;
    try {
      return files.realPath(this.#repository.disk.absolute(path));
    } catch (thrown) {
      if (thrown instanceof FileError) return path;
      throw thrown;
    }
  }
}

const NAMELESS =
  "Permission denied: it does not say which file's content it is, and the policy of this server does not let some files be read";
