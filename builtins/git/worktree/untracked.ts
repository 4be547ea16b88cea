/** Untracked files of the working tree, and ignored ones where they are asked for. */
import type { OpenDirectory } from "../../../src/workspace/contract.ts";
import { toWord } from "../objects/byte-text.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import { absentIsUndefined, roughlySortedEntriesOf, type Entry } from "../objects/disk.ts";
import { warnOfAbsentDirectory } from "./absent-directory.ts";
import { entryOf, hasEntry, type IndexFile, withoutSlash } from "./index-file.ts";
import { isSubmodule } from "../objects/objects.ts";
import type { Pathspec } from "./pathspec.ts";
import type { Repository } from "../repository.ts";
import { Ignored } from "./ignored.ts";
import { KEPT_LISTINGS, type ListingsBeside } from "./kept-listings.ts";
import { TrackedSpellings } from "./tracked-spellings.ts";

export interface Untracked {
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
}

export interface UntrackedOptions {
  /** Directories without tracked files are one name ("dir/"). */
  readonly joinsDirectories: boolean;
  readonly listsIgnored: boolean;
  /** A directory stands for what is ignored in it where a pattern is about the directory itself. */
  readonly ignoredMatch?: boolean;
  /** Rules that leave files out: the usual where they are not given, none where "none". */
  readonly rules?: Ignored | "none";
  /** Directories that hold nothing are named too, where directories are one name. */
  readonly listsEmpty?: boolean;
  readonly paths?: Pathspec | undefined;
  /** Repositories below are searched like any directory. */
  readonly entersRepositories?: boolean;
  /** Only what stands in the place of a tracked file is looked at. */
  readonly onlyInPlace?: boolean;
}

/** Files of the working tree that the index does not have, in order. */
export function untrackedFiles(repository: Repository, index: IndexFile, options: UntrackedOptions): Untracked {
  const search = new UntrackedSearch(repository, index, options);
  search.run();
  return search.found;
}

/**
 * Those among the untracked files, or the ignored ones where they are listed, that a checkout of the index would remove: they stand where
 * it has a file or a directory.
 */
export function killedFiles(repository: Repository, index: IndexFile, options: UntrackedOptions): readonly string[] {
  const search = new UntrackedSearch(repository, index, options);
  search.run();
  return search.listed.filter((path) => isKilled(index, path));
}

function isKilled(index: IndexFile, path: string): boolean {
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1))
    if (entryOf(index, path.slice(0, slash)) !== undefined) return true;
  if (path.endsWith("/")) return false;
  let next = index.lowerBound(path);
  while ((index.at(next)?.stage ?? 0) > 0) next++;
  return next < index.count && index.nameAt(next).startsWith(`${path}/`);
}

/** Directories deeper than this are opened by their whole path. */
const MOST_HELD = 48;
/** Depth below which nothing is looked at. */
const MOST_DEPTH = 512;

class UntrackedSearch {
  readonly #untracked: string[] = [];
  readonly #ignored: string[] = [];
  readonly #repository: Repository;
  readonly #index: IndexFile;
  readonly #options: UntrackedOptions;
  readonly #rules: Ignored | undefined;
  readonly #spellings: TrackedSpellings;
  /** Undefined where listings are not kept. */
  readonly #kept: ListingsBeside | undefined;
  /** Devices, by whether listings on them are kept. */
  readonly #keeps = new Map<bigint, boolean>();

  constructor(repository: Repository, index: IndexFile, options: UntrackedOptions) {
    this.#repository = repository;
    this.#index = index;
    this.#options = options;
    this.#spellings = new TrackedSpellings(repository, index);
    const { kept, disk } = repository;
    // A rule is asked about each directory that is opened.
    this.#kept = this.#spellings.isExact && !disk.files.deniesReading ? kept.of(KEPT_LISTINGS).of(index) : undefined;
    this.#rules = options.rules === "none" ? undefined : (options.rules ?? new Ignored(repository));
  }

  get found(): Untracked {
    // A directory in the place of a tracked file is not named by itself, and what is in it is.
    const isOther = (path: string): boolean => !hasEntry(this.#index, withoutSlash(path));
    return { untracked: this.#untracked.filter(isOther).sort(), ignored: this.#ignored.filter(isOther).sort() };
  }

  /** What was looked for, in the place of a tracked file or not. */
  get listed(): readonly string[] {
    return (this.#options.listsIgnored ? this.#ignored : this.#untracked).toSorted();
  }

  run(): void {
    const { disk, worktree } = this.#repository;
    warnOfAbsentDirectory(this.#repository, this.#options.paths, (path) => this.#isIgnored(path, true));
    const top = absentIsUndefined(() => disk.files.openDirectory(disk.absolute(worktree)));
    try {
      this.#walk({ path: "", tracked: "" }, top, 0, 0);
    } finally {
      top?.close();
    }
  }

  #isIgnored(path: string, isDirectory: boolean): boolean {
    return this.#rules?.hasItself(path, isDirectory) === true;
  }

  #entries(path: string): readonly Entry[] {
    const { disk } = this.#repository;
    const entries = this.#ifAllowed(path, () => disk.list(this.#repository.inWorktree(path))) ?? [];
    return entries
      .filter(({ name }) => !this.#isPassed(path, name))
      .map(({ name, kind }) => ({ name: this.#spellings.composed(name), kind }));
  }

  /** Result of `open`; undefined if the directory `path` may not be listed, which is reported in git's words. */
  #ifAllowed<T>(path: string, open: () => T): T | undefined {
    try {
      return open();
    } catch (thrown) {
      if (!(thrown instanceof FileError) || thrown.code !== "EACCES") throw thrown;
      this.#repository.warn(`warning: could not open directory '${path}/': ${thrown.message}\n`);
      return undefined;
    }
  }

  #isRepository(path: string): boolean {
    if (this.#options.entersRepositories === true) return false;
    return this.#repository.disk.status(this.#repository.inWorktree(`${path}/.git`), false) !== undefined;
  }

  #isPassed(directory: string, name: string): boolean {
    const { disk, worktree } = this.#repository;
    return name === ".git" || (directory === "" && worktree === "" && name === disk.files.hiddenName);
  }

  /**
   * A directory that holds something tracked, the entry `first` before all other: as it is listed, and as the index has it, with a slash
   * at the end. `held`: where it is not too deep to be held open.
   */
  #walk(
    { path, tracked }: { readonly path: string; readonly tracked: string },
    held: OpenDirectory | undefined,
    depth: number,
    first: number,
  ): void {
    const index = this.#index;
    const directory = path.slice(0, -1);
    const { paths } = this.#options;
    // Mostly what is listed next is what comes next in the index.
    let next = first;
    for (const { name, kind } of held === undefined ? this.#entries(directory) : this.#besides(tracked, held, first)) {
      if (this.#isPassed(directory, name)) continue;
      const composed = this.#spellings.composed(name);
      const full = path + composed;
      let known = tracked + composed;
      if (kind !== "directory") {
        const at = this.#isAt(next, known) ? next : index.lowerBound(known);
        if (this.#isAt(at, known)) next = at + 1;
        else if (this.#spellings.file(known) === undefined) this.#file(full, kind, this.#isWithinIgnored(directory));
        continue;
      }
      known = this.#spellings.directory(known) ?? known;
      if (paths !== undefined && !paths.matches(full, true) && !paths.mayHold(full)) continue;
      const below = `${known}/`;
      const from = next < index.count && index.nameAt(next).startsWith(below) ? next : index.lowerBound(below);
      if (from >= index.count || !index.nameAt(from).startsWith(below)) {
        const at = index.lowerBound(known);
        const isInPlace = this.#isAt(at, known);
        if (!isInPlace && this.#options.onlyInPlace === true) continue;
        if (!isInPlace || !isSubmodule(index.wordAt(at, 24))) this.#directory(full, depth, this.#isWithinIgnored(directory));
        continue;
      }
      next = index.endOf(below, from);
      if (hasEntry(index, known) || depth >= MOST_DEPTH) continue;
      if (held !== undefined && this.#isWholeKnown(held, name, below)) continue;
      const opened = held === undefined || depth > MOST_HELD ? undefined : this.#held(full, held, name);
      if (opened === "denied") continue;
      try {
        this.#walk({ path: `${full}/`, tracked: below }, opened, depth + 1, from);
      } finally {
        opened?.close();
      }
    }
  }

  /** The entries of a directory, as `#walk` has it, without some that are tracked files. */
  #besides(tracked: string, held: OpenDirectory, first: number): readonly Entry[] {
    if (this.#kept === undefined) return roughlySortedEntriesOf(held);
    const { status } = held;
    const kept = this.#kept.find(tracked, status);
    if (kept !== undefined) return kept;
    const index = this.#index;
    let next = first;
    const entries = roughlySortedEntriesOf(held).filter(({ name, kind }) => {
      if (kind === "directory") {
        if (next < index.count && index.nameAt(next).startsWith(`${tracked}${name}/`)) next = index.endOf(`${tracked}${name}/`, next);
        return true;
      }
      const at = this.#isAt(next, tracked + name) ? next : index.lowerBound(tracked + name);
      if (!this.#isAt(at, tracked + name)) return true;
      next = at + 1;
      return false;
    });
    if (this.#isKeptOn(status.device, held)) this.#kept.keep(tracked, status, this.#repository.clock.nowMs, entries);
    return entries;
  }

  #isKeptOn(device: bigint, held: OpenDirectory): boolean {
    let keeps = this.#keeps.get(device);
    if (keeps === undefined) {
      keeps = held.stampsEntries;
      this.#keeps.set(device, keeps);
    }
    return keeps;
  }

  /** True if the directory `name` is known to hold tracked files alone. */
  #isWholeKnown(above: OpenDirectory, name: string, tracked: string): boolean {
    if (this.#kept?.has(tracked) !== true) return false;
    const status = absentIsUndefined(() => above.statusOf(toWord(name), { follow: false }));
    return status !== undefined && this.#kept.find(tracked, status)?.length === 0;
  }

  #held(path: string, above: OpenDirectory, name: string): OpenDirectory | "denied" | undefined {
    const opened = this.#ifAllowed(path, () => absentIsUndefined(() => above.openDirectory(toWord(name))) ?? "absent");
    return opened === "absent" ? undefined : (opened ?? "denied");
  }

  #isAt(number: number, path: string): boolean {
    return number < this.#index.count && this.#index.nameAt(number) === path;
  }

  #isWithinIgnored(directory: string): boolean {
    return this.#rules?.hasWithin(directory) === true;
  }

  #file(path: string, kind: Entry["kind"], isWithinIgnored = false): void {
    if (kind !== "file" && kind !== "symlink") return;
    const { paths, listsIgnored } = this.#options;
    if (paths?.matches(path) === false) return;
    if (!isWithinIgnored && !this.#isIgnored(path, false)) this.#untracked.push(path);
    else if (listsIgnored) this.#ignored.push(path);
  }

  /** A directory that holds nothing tracked. */
  #directory(path: string, depth: number, isWithinIgnored = false): void {
    const { paths, listsIgnored, joinsDirectories, listsEmpty = false } = this.#options;
    if (isWithinIgnored || this.#isIgnored(path, true)) {
      if (listsIgnored) this.#ignored.push(...this.#ignoredAt(path, depth));
      return;
    }
    const reach = paths?.reach(path) ?? "whole";
    if (reach === "none") return;
    if (this.#isRepository(path)) {
      if (reach === "whole") this.#untracked.push(`${path}/`);
      return;
    }
    if (reach === "below" || !joinsDirectories) {
      if (depth >= MOST_DEPTH) return;
      for (const { name, kind } of this.#entries(path)) {
        if (kind !== "directory") this.#file(`${path}/${name}`, kind);
        else if (this.#options.onlyInPlace !== true) this.#directory(`${path}/${name}`, depth + 1);
      }
      return;
    }
    const ignoredBelow: string[] = [];
    const holds = this.#collect(path, ignoredBelow, depth) || listsEmpty;
    if (holds) this.#untracked.push(`${path}/`);
    if (!listsIgnored) return;
    if (!holds && ignoredBelow.length > 0 && this.#options.ignoredMatch !== true) this.#ignored.push(`${path}/`);
    else this.#ignored.push(...ignoredBelow);
  }

  /** Tells whether something counts in a directory that is listed as one name. Ignored paths in it go to `ignored`. */
  #collect(directory: string, ignored: string[], depth: number): boolean {
    const { paths, listsIgnored } = this.#options;
    let found = false;
    for (const { name, kind } of this.#entries(directory)) {
      // Where nothing else is asked, one file says it.
      if (found && !listsIgnored) return true;
      const path = `${directory}/${name}`;
      if (kind === "directory") {
        if (this.#options.onlyInPlace === true) continue;
        if (this.#isIgnored(path, true)) {
          if (listsIgnored) ignored.push(...this.#ignoredAt(path, depth));
        } else if (this.#isRepository(path)) found = true;
        else if (depth < MOST_DEPTH && this.#collect(path, ignored, depth + 1)) found = true;
        continue;
      }
      if ((kind !== "file" && kind !== "symlink") || paths?.matches(path) === false) continue;
      if (!this.#isIgnored(path, false)) found = true;
      else if (listsIgnored) ignored.push(path);
    }
    return found;
  }

  /** An ignored directory as one name where it holds a file that counts, or as all those files. */
  #ignoredAt(path: string, depth: number): readonly string[] {
    const { paths, joinsDirectories, ignoredMatch = false } = this.#options;
    const found: string[] = [];
    if (depth > MOST_DEPTH) return found;
    if (this.#isRepository(path)) return paths?.matches(path, true) === false ? found : [`${path}/`];
    for (const { name, kind } of this.#entries(path)) {
      const inside = `${path}/${name}`;
      if (kind === "directory") found.push(...this.#ignoredAt(inside, depth + 1));
      else if ((kind === "file" || kind === "symlink") && paths?.matches(inside) !== false) found.push(inside);
      if ((joinsDirectories || ignoredMatch) && found.length > 0) return [`${path}/`];
    }
    return found;
  }
}
