/**
 * A file and everything below it, one step at a time, in the order of GNU fts(3) and with its choices: links followed
 * or not, directories before or after what is in them, one file system or all. Descriptor-relative: an entry is
 * reached from the directory that holds it. Nothing is asked of a file that its directory entry already says.
 */
import type { Files, MayHold, OpenDirectory } from "../workspace/contract.ts";
import { FileError } from "../workspace/file-error.ts";
import type { Expected } from "../workspace/contract.ts";
import type { DirectoryEntry, FileStatus } from "../workspace/file-status.ts";
import { EnteredDirectory, existing, TreeFile, type Asked } from "./tree-file.ts";

export interface TreeOptions {
  /** The symbolic links that stand for their targets. */
  readonly follow: "never" | "starting-points" | "always";
  /** Directories come after what is in them. */
  readonly contentsFirst: boolean;
  /** The starting point is at depth 0; directories at this depth are not entered. */
  readonly maxDepth: number;
  /** Directories on another device than the starting point are not entered. */
  readonly oneDevice: boolean;
  /** Entries of a directory as fts(3) gives them (default), by name in byte order, or the kernel's last one first. */
  readonly order?: "traversal" | "name" | "last-first";
  /** The filter that the starting point is entered by. */
  readonly filter?: DirectoryFilter;
  /**
   * Directories may be read before the walk comes to them, and with `content` the files that it is true of. For walks
   * that neither change files nor run what may. Those that `mayHold` is false of are mostly not shown: every so often
   * one is, so that the caller has a turn.
   */
  readonly ahead?: { readonly content?: (name: string) => boolean; readonly mayHold?: MayHold | undefined };
}

/** Leaves entries of one directory out, before anything is asked of them (ignore-scope.ts). */
export interface DirectoryFilter {
  /** `path` as it is shown. A link that is followed is what it points to. */
  keeps(name: string, path: string, isDirectory: boolean): boolean;
  /** The filter of a directory that is being entered, below this one. */
  enter(place: EnteredPlace): DirectoryFilter;
}

export interface EnteredPlace {
  readonly path: string;
  readonly entries: readonly DirectoryEntry[];
  readonly directory: OpenDirectory;
}

export type TreeStep =
  | { readonly what: "file"; readonly file: TreeFile }
  /** A directory that is its own ancestor `ancestor`, reached through a link: it is not entered. */
  | { readonly what: "loop"; readonly path: string; readonly ancestor: string }
  /** `link` is a followed link, itself, that leads out of the root or through a file that is not a directory. */
  | { readonly what: "error"; readonly path: string; readonly error: FileError; readonly link?: TreeFile };

/** Entries of a directory announced at a time to `ahead`, and the number left of them when the next ones are announced. */
const EXPECTED_ENTRIES = 64;
const EXPECTED_BEFORE = 16;

/**
 * Entries after a directory that is being entered among which its next sibling directory is looked for, so that files of two
 * directories are announced.
 */
const NEXT_WITHIN = 8;

/** Among this many files in a row at least one is shown, and so is the first of all, even if `ahead.mayHold` rules it out. */
const SHOWN_OF = 256;

/** Directories held open at a time; one further up is opened again by its path when the walk comes back to it. */
const MOST_HELD = 100;

export class FileTree {
  readonly #files: Files;
  readonly #start: string;
  readonly #options: TreeOptions;
  readonly #above: EnteredDirectory[] = [];
  readonly #asked: Asked = { files: 0, statuses: 0 };
  /** A directory that was shown and may now be entered, unless it is skipped. */
  #toEnter: TreeFile | undefined;
  #device: bigint | undefined;
  /** Files that were not shown since the last one that was. */
  #passed = SHOWN_OF;
  #begun = false;

  constructor(files: Files, start: string, options: TreeOptions) {
    this.#files = files;
    this.#start = start;
    this.#options = options;
  }

  /** The next step; undefined at the end. */
  next(): TreeStep | undefined {
    if (!this.#begun) {
      this.#begun = true;
      const first = this.#first();
      if (first !== undefined) return first;
    }
    const waiting = this.#toEnter;
    if (waiting !== undefined) {
      this.#toEnter = undefined;
      const failed = this.#enter(waiting);
      if (failed !== undefined) return failed;
    }
    for (;;) {
      const top = this.#above.at(-1);
      if (top === undefined) return undefined;
      const step = top.failed === undefined ? this.#nextIn(top) : top.takeFailure();
      if (step !== undefined) return step;
      // A directory below may have been entered.
      if (this.#above.at(-1) !== top || top.at < top.entries.length) continue;
      top.release();
      this.#above.pop();
      if (this.#options.contentsFirst) return { what: "file", file: top.file };
    }
  }

  /** The directory that was shown last is not entered. Without effect where contents come first. */
  skip(): void {
    this.#toEnter = undefined;
    this.#above.at(-1)?.takeNext()?.release();
  }

  close(): void {
    for (const directory of this.#above.splice(0)) directory.release();
    this.#toEnter = undefined;
  }

  #first(): TreeStep | undefined {
    const path = this.#start;
    try {
      const status = startStatus(this.#files, path, this.#options.follow !== "never");
      this.#device = status.device;
      return this.#arrive(
        new TreeFile(this.#files, this.#options.follow, path, lastComponent(path), 0, status.kind, undefined, path, status),
      );
    } catch (thrown) {
      return failure(path, thrown);
    }
  }

  /** undefined at the end of the directory, where an entry is left out, and where one below was entered. */
  #nextIn(directory: EnteredDirectory): TreeStep | undefined {
    if (directory.at >= directory.expectedTo - EXPECTED_BEFORE) this.#expect(directory);
    const entry = directory.entries[directory.at++];
    if (entry === undefined) return undefined;
    const { name, kind } = entry;
    const { file: parent, filter } = directory;
    if (kind === "file") this.#asked.files++;
    const path = directory.prefix + name;
    const { follow } = this.#options;
    const isKnown = kind !== undefined && (kind !== "symlink" || follow !== "always");
    if (isKnown && !directory.keeps(directory.at - 1, name, path, kind === "directory")) return undefined;
    if (kind === "file" && this.#passes(directory, name)) return undefined;
    const file = new TreeFile(this.#files, follow, path, name, parent.depth + 1, kind, directory, parent.start, undefined);
    try {
      if (!isKnown) {
        file.kind = file.status.kind;
        const isBroken = kind === "symlink" && file.kind === "symlink";
        if (!isBroken && filter?.keeps(name, path, file.kind === "directory") === false) return undefined;
      }
    } catch (thrown) {
      const failed = failure(path, thrown);
      if (kind !== "symlink" || failed.what !== "error") return failed;
      if (failed.error.code === "ENOTDIR") return { ...failed, link: this.#asLink(file) };
      if (failed.error.code !== "SYMLINK_ESCAPE") return failed;
      return filter?.keeps(name, path, false) === false ? undefined : { ...failed, link: file };
    }
    return this.#arrive(file);
  }

  #passes(directory: EnteredDirectory, name: string): boolean {
    const mayHold = this.#options.ahead?.mayHold;
    if (mayHold === undefined) return false;
    if (++this.#passed < SHOWN_OF && directory.open().passes(name, mayHold)) return true;
    this.#passed = 0;
    return false;
  }

  /** A link whose status is its own. */
  #asLink({ path, name, depth, start, ownStatus }: TreeFile): TreeFile {
    return new TreeFile(this.#files, this.#options.follow, path, name, depth, "symlink", this.#above.at(-1), start, ownStatus);
  }

  /** Says which entries the walk will come to next. */
  #expect(directory: EnteredDirectory): void {
    const { ahead, maxDepth, order } = this.#options;
    const from = Math.max(directory.at, directory.expectedTo);
    const to = Math.min(directory.entries.length, from + EXPECTED_ENTRIES);
    if (ahead === undefined || from >= to) {
      directory.expectedTo = Infinity;
      return;
    }
    directory.expectedTo = to === directory.entries.length ? Infinity : to;
    const expected: Expected[] = [];
    for (let at = from; at < to; at++) {
      const { name, kind } = directory.entries[at] as DirectoryEntry;
      const isDirectory = kind === "directory";
      const isWanted = isDirectory ? directory.file.depth + 1 < maxDepth : kind === "file" && ahead.content?.(name) === true;
      if (!isWanted || !directory.keeps(at, name, directory.prefix + name, isDirectory)) continue;
      expected.push({ name, what: isDirectory ? "entries" : "content" });
    }
    if (expected.length < 2) return;
    const listing = {
      order: order === "name" ? order : "kernel",
      withStatus: this.#wantsStatuses,
      mayPass: ahead.mayHold !== undefined,
    } as const;
    try {
      directory.open().expect(expected, listing);
    } catch (thrown) {
      // Gone from under a walk that was far below: what is asked of it next says so.
      if (!(thrown instanceof FileError)) throw thrown;
    }
  }

  /** True once the status of most files so far was asked for. */
  get #wantsStatuses(): boolean {
    return this.#asked.statuses * 2 > this.#asked.files;
  }

  /** undefined where the directory was entered and will be shown after its contents. */
  #arrive(file: TreeFile): TreeStep | undefined {
    if (file.kind !== "directory") return { what: "file", file };
    try {
      if (this.#options.follow === "always") {
        const { device, inode } = file.status;
        const same = this.#above.find((directory) => directory.inode === inode && directory.device === device);
        if (same !== undefined) return { what: "loop", path: file.path, ancestor: same.file.path };
      }
      if (file.depth >= this.#options.maxDepth || (this.#options.oneDevice && file.status.device !== this.#device))
        return { what: "file", file };
    } catch (thrown) {
      return failure(file.path, thrown);
    }
    if (!this.#options.contentsFirst) {
      this.#toEnter = file;
      return { what: "file", file };
    }
    return this.#enter(file);
  }

  /** An error step where it cannot be opened or read to its end. */
  #enter(file: TreeFile): TreeStep | undefined {
    const parent = this.#above.at(-1);
    const entered = parent?.takeNext(file.path) ?? this.#entered(file, parent);
    this.#above.push(entered);
    if (parent !== undefined) this.#enterNext(parent);
    this.#above[this.#above.length - 1 - MOST_HELD]?.release();
    return entered.takeFailure();
  }

  #entered(file: TreeFile, parent: EnteredDirectory | undefined): EnteredDirectory {
    return new EnteredDirectory(this.#files, file, parent?.filter ?? this.#options.filter, this.#options, this.#asked);
  }

  /**
   * Enters the directory that comes next in `parent`, and expects its files: so there is something to read ahead while
   * the walk is at the last files of the one before.
   */
  #enterNext(parent: EnteredDirectory): void {
    const { ahead, contentsFirst, follow, maxDepth, oneDevice } = this.#options;
    const depth = parent.file.depth + 1;
    const isWorth = ahead?.content !== undefined || (ahead !== undefined && this.#wantsStatuses);
    if (parent.next !== undefined || !isWorth || contentsFirst || follow === "always" || oneDevice || depth >= maxDepth) return;
    const to = Math.min(parent.entries.length, parent.at + NEXT_WITHIN);
    for (let { at } = parent; at < to; at++) {
      const { name, kind } = parent.entries[at] as DirectoryEntry;
      const path = parent.prefix + name;
      if (kind !== "directory" || !parent.keeps(at, name, path, true)) continue;
      parent.next = this.#entered(new TreeFile(this.#files, follow, path, name, depth, kind, parent, parent.file.start, undefined), parent);
      this.#expect(parent.next);
      return;
    }
  }
}

function startStatus(files: Files, path: string, follow: boolean): FileStatus {
  if (!follow) return files.status(path, { follow: false });
  return existing(
    () => files.status(path),
    () => files.status(path, { follow: false }),
  );
}

function failure(path: string, thrown: unknown): TreeStep {
  if (!(thrown instanceof FileError)) throw thrown;
  return { what: "error", path, error: thrown };
}

/** basename(3): "/" where there is nothing but slashes. */
function lastComponent(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  return trimmed === "" ? path.slice(0, 1) : trimmed.slice(trimmed.lastIndexOf("/") + 1);
}
