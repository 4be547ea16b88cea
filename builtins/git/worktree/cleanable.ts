/** Files and directories that git-clean(1) would remove: untracked ones, ignored ones too or alone. */
import { absentIsUndefined, type Entry } from "../objects/disk.ts";
import { isSubmodule } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import type { Ignored } from "./ignored.ts";
import { warnOfAbsentDirectory } from "./absent-directory.ts";
import { hasEntry, type IndexFile, withoutSlash } from "./index-file.ts";
import type { Pathspec } from "./pathspec.ts";
import { TrackedSpellings } from "./tracked-spellings.ts";

export interface CleanOptions {
  /** "untracked": what no rule ignores; "ignored": only what one does. */
  readonly wanted: "untracked" | "ignored";
  readonly rules: Ignored;
  /** Directories without tracked files are removed too. */
  readonly directories: boolean;
  /** So are repositories in them. */
  readonly repositories: boolean;
  readonly paths: Pathspec | undefined;
}

export interface CleanStep {
  readonly does: "remove" | "skip repository";
  /** Below the worktree; a directory that is removed whole has a slash at its end. */
  readonly path: string;
}

const MOST_DEPTH = 512;

/** In the order in which git tells of it. */
export function cleanSteps(repository: Repository, index: IndexFile, options: CleanOptions): readonly CleanStep[] {
  warnOfAbsentDirectory(repository, options.paths, (path) => options.rules.hasItself(path, true));
  const search = new CleanSearch(repository, index, options);
  search.tracked("", "", 0);
  return search.groups
    .filter(({ path }) => !hasEntry(index, withoutSlash(path)))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(({ steps }) => steps);
}

class CleanSearch {
  /** Steps of each path that is a thing of its own. */
  readonly groups: { readonly path: string; readonly steps: readonly CleanStep[] }[] = [];
  readonly #repository: Repository;
  readonly #index: IndexFile;
  readonly #options: CleanOptions;
  readonly #spellings: TrackedSpellings;

  constructor(repository: Repository, index: IndexFile, options: CleanOptions) {
    this.#repository = repository;
    this.#index = index;
    this.#options = options;
    this.#spellings = new TrackedSpellings(repository, index);
  }

  /** A directory that holds something tracked: as it is listed, and as the index has it, with a slash at the end, or "". */
  tracked(above: string, inIndex: string, depth: number): void {
    const { paths, rules } = this.#options;
    const directory = above.slice(0, -1);
    for (const { name, kind } of this.#entries(directory)) {
      const composed = this.#spellings.composed(name);
      const path = above + composed;
      const listed = inIndex + composed;
      const known = this.#spellings.directory(listed) ?? listed;
      if (kind !== "directory") {
        if (!this.#isTracked(listed) && this.#spellings.file(listed) === undefined) this.#file(path, rules.hasWithin(directory));
      } else if (this.#isSubmodule(known) || paths?.mayHold(path) === false) continue;
      else if (this.#holdsTracked(`${known}/`)) {
        if (depth < MOST_DEPTH) this.tracked(`${path}/`, `${known}/`, depth + 1);
      } else this.#untracked(path, depth, rules.hasWithin(directory));
    }
  }

  #file(path: string, isBelowIgnored = false): void {
    const { wanted, paths } = this.#options;
    if (paths?.matches(path) !== false && (isBelowIgnored || this.#isIgnored(path, false)) === (wanted === "ignored")) this.#add(path);
  }

  #untracked(path: string, depth: number, isBelowIgnored = false): void {
    const { wanted, paths, directories, repositories } = this.#options;
    const reach = paths?.reach(path) ?? "whole";
    if (reach === "none" || (wanted === "untracked" && !directories)) return;
    if (this.#isRepository(path) && !repositories) return;
    if (isBelowIgnored || this.#isIgnored(path, true)) {
      if (wanted === "ignored" && directories) this.#whole(path);
      return;
    }
    const holds = this.#holds(path, depth);
    const isWhole = wanted === "untracked" ? !holds.ignored : holds.ignored && !holds.others;
    if (isWhole && reach === "whole") {
      if (directories) this.#whole(path);
      return;
    }
    if (depth >= MOST_DEPTH) return;
    for (const { name, kind } of this.#entries(path)) {
      if (kind === "directory") this.#untracked(`${path}/${name}`, depth + 1);
      else this.#file(`${path}/${name}`);
    }
  }

  /** Kinds of files in an untracked directory. */
  #holds(directory: string, depth: number): { readonly ignored: boolean; readonly others: boolean } {
    let ignored = false;
    let others = false;
    for (const { name, kind } of this.#entries(directory)) {
      const path = `${directory}/${name}`;
      if (this.#isIgnored(path, kind === "directory")) ignored = true;
      else if (kind !== "directory") others = true;
      else if (!this.#isRepository(path) && depth < MOST_DEPTH) {
        const below = this.#holds(path, depth + 1);
        ignored ||= below.ignored;
        others ||= below.others;
      }
      if (ignored && others) break;
    }
    return { ignored, others };
  }

  #whole(path: string): void {
    const steps: CleanStep[] = [];
    if (this.#options.repositories || this.#isRemovedWhole(path, steps, 0)) this.#add(`${path}/`);
    else this.groups.push({ path, steps });
  }

  /** False where a repository in it stays: then `steps` tell what goes. */
  #isRemovedWhole(directory: string, steps: CleanStep[], depth: number): boolean {
    if (this.#isRepository(directory)) {
      steps.push({ does: "skip repository", path: directory });
      return false;
    }
    const removed: CleanStep[] = [];
    let isWhole = true;
    for (const { name, kind } of depth < MOST_DEPTH ? this.#entries(directory) : []) {
      const path = `${directory}/${name}`;
      if (kind !== "directory" || this.#isRemovedWhole(path, steps, depth + 1)) removed.push({ does: "remove", path });
      else isWhole = false;
    }
    if (!isWhole) steps.push(...removed);
    return isWhole;
  }

  #add(path: string): void {
    this.groups.push({ path, steps: [{ does: "remove", path }] });
  }

  #isIgnored(path: string, isDirectory: boolean): boolean {
    return this.#options.rules.hasItself(path, isDirectory);
  }

  #isRepository(path: string): boolean {
    return this.#repository.disk.status(this.#repository.inWorktree(`${path}/.git`), false) !== undefined;
  }

  #isTracked(path: string): boolean {
    const at = this.#index.lowerBound(path);
    return at < this.#index.count && this.#index.nameAt(at) === path;
  }

  #holdsTracked(below: string): boolean {
    const at = this.#index.lowerBound(below);
    return at < this.#index.count && this.#index.nameAt(at).startsWith(below);
  }

  #isSubmodule(path: string): boolean {
    const at = this.#index.lowerBound(path);
    return at < this.#index.count && this.#index.nameAt(at) === path && isSubmodule(this.#index.wordAt(at, 24));
  }

  #entries(path: string): readonly Entry[] {
    const { disk, worktree } = this.#repository;
    try {
      const entries = absentIsUndefined(() => disk.list(this.#repository.inWorktree(path))) ?? [];
      return entries.filter(({ name }) => name !== ".git" && (path !== "" || worktree !== "" || name !== disk.files.hiddenName));
    } catch (thrown) {
      if (!(thrown instanceof FileError) || thrown.code !== "EACCES") throw thrown;
      this.#repository.warn(`warning: could not open directory '${path}/': ${thrown.message}\n`);
      return [];
    }
  }
}
