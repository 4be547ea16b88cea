/**
 * A file and everything below it, one step at a time, in the order of GNU fts(3) and with its choices: links followed
 * or not, directories before or after what is in them, one file system or all. Descriptor-relative: an entry is
 * reached from the directory that holds it. Nothing is asked of a file that its directory entry already says.
 */
import type { Files, OpenDirectory, OpenFile } from "../workspace/contract.ts";
import { FileError } from "../workspace/file-error.ts";
import type { Expected } from "../workspace/look-ahead.ts";
import type { DirectoryEntry, FileKind, FileStatus } from "../workspace/file-status.ts";
import { entriesByName, entriesInOrder, entriesLastFirst } from "./traversal-order.ts";

export interface TreeOptions {
  /** Which symbolic links stand for what they point to. */
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
   * that neither change files nor run what may.
   */
  readonly ahead?: { readonly content?: (name: string) => boolean };
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
  /** `link` is a followed link that leads out of the root, as itself. */
  | { readonly what: "error"; readonly path: string; readonly error: FileError; readonly link?: TreeFile };

/** Entries of a directory that are looked through for what to expect, and how many before their end the next ones are. */
const EXPECTED_ENTRIES = 64;
const EXPECTED_BEFORE = 16;

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
    const file = new TreeFile(this.#files, follow, path, name, parent.depth + 1, kind, directory, parent.start, undefined);
    try {
      if (!isKnown) {
        file.kind = file.status.kind;
        const isBroken = kind === "symlink" && file.kind === "symlink";
        if (!isBroken && filter?.keeps(name, path, file.kind === "directory") === false) return undefined;
      }
    } catch (thrown) {
      const failed = failure(path, thrown);
      if (kind !== "symlink" || failed.what !== "error" || failed.error.code !== "SYMLINK_ESCAPE") return failed;
      return filter?.keeps(name, path, false) === false ? undefined : { ...failed, link: file };
    }
    return this.#arrive(file);
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
    const { files, statuses } = this.#asked;
    const listing = { order: order === "name" ? order : "kernel", withStatus: statuses * 2 > files } as const;
    try {
      directory.open().expect(expected, listing);
    } catch (thrown) {
      // Gone from under a walk that was far below: what is asked of it next says so.
      if (!(thrown instanceof FileError)) throw thrown;
    }
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
    const above = this.#above.at(-1)?.filter ?? this.#options.filter;
    const entered = new EnteredDirectory(this.#files, file, above, this.#options, this.#asked);
    this.#above.push(entered);
    this.#above[this.#above.length - 1 - MOST_HELD]?.release();
    return entered.takeFailure();
  }
}

/** One file of the tree. Valid until the next step. */
export class TreeFile {
  /** As it is shown: the starting point as typed, and the names from there. */
  readonly path: string;
  /** The last component, without slashes ("/" for the root itself). */
  readonly name: string;
  readonly depth: number;
  /** The starting point it was found from. */
  readonly start: string;
  kind: FileKind | undefined;
  readonly #files: Files;
  readonly #follow: TreeOptions["follow"];
  readonly #parent: EnteredDirectory | undefined;
  #status: FileStatus | undefined;

  constructor(
    files: Files,
    follow: TreeOptions["follow"],
    path: string,
    name: string,
    depth: number,
    kind: FileKind | undefined,
    parent: EnteredDirectory | undefined,
    start: string,
    status: FileStatus | undefined,
  ) {
    this.#files = files;
    this.#follow = follow;
    this.path = path;
    this.name = name;
    this.depth = depth;
    this.kind = kind;
    this.#parent = parent;
    this.start = start;
    this.#status = status;
  }

  /** Of what a followed link points to, or of the link where that does not exist. Throws FileError. */
  get status(): FileStatus {
    this.#status ??=
      this.#follow === "always"
        ? existing(
            () => this.targetStatus,
            () => this.ownStatus,
          )
        : this.ownStatus;
    return this.#status;
  }

  /** lstat(2). */
  get ownStatus(): FileStatus {
    this.#parent?.asksStatus(this.kind);
    return this.#parent === undefined ? this.#files.status(this.path, { follow: false }) : this.#parent.open().statusOf(this.name);
  }

  /** stat(2): of what a link points to. */
  get targetStatus(): FileStatus {
    return this.#parent === undefined ? this.#files.status(this.path) : this.#parent.open().statusOf(this.name, { follow: true });
  }

  readLink(): string {
    return this.#parent === undefined ? this.#files.readLink(this.path) : this.#parent.open().readLinkOf(this.name);
  }

  /** Follows links, also where the walk does not. Throws FileError. */
  openFile(): OpenFile {
    return this.#parent === undefined
      ? this.#files.open(this.path)
      : this.#parent.open().openFile(this.name, { isListed: this.kind === "file" });
  }

  openDirectory(): OpenDirectory {
    if (this.#parent === undefined) return this.#files.openDirectory(this.path);
    return this.#parent.open().openDirectory(this.name, { follow: this.#follow === "always" });
  }
}

const ORDERED = { traversal: entriesInOrder, name: entriesByName, "last-first": entriesLastFirst } as const;

/** How many regular files the walk came to, and of how many of them it was asked for the status. */
interface Asked {
  files: number;
  statuses: number;
}

/** A directory the walk is in. */
class EnteredDirectory {
  readonly file: TreeFile;
  readonly entries: readonly DirectoryEntry[];
  /** What stands in front of a name below. */
  readonly prefix: string;
  readonly filter: DirectoryFilter | undefined;
  at = 0;
  /** Entries up to here were expected. */
  expectedTo = 0;
  failed: FileError | undefined;
  /** Known where links are followed. */
  readonly device: bigint | undefined;
  readonly inode: bigint | undefined;
  readonly #files: Files;
  readonly #asked: Asked;
  /** What the filter said of entries that were expected. */
  readonly #kept: (boolean | undefined)[] = [];
  #directory: OpenDirectory | undefined;

  constructor(files: Files, file: TreeFile, above: DirectoryFilter | undefined, { follow, order }: TreeOptions, asked: Asked) {
    this.#files = files;
    this.#asked = asked;
    this.file = file;
    this.prefix = file.path.endsWith("/") ? file.path : `${file.path}/`;
    if (follow === "always") {
      this.device = file.status.device;
      this.inode = file.status.inode;
    }
    let entries: readonly DirectoryEntry[] = [];
    let filter: DirectoryFilter | undefined;
    try {
      this.#directory = file.openDirectory();
      entries = ORDERED[order ?? "traversal"](this.#directory);
      filter = above?.enter({ path: file.path, entries, directory: this.#directory });
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      this.failed = thrown;
    }
    this.entries = entries;
    this.filter = filter;
  }

  /** What the filter says of the entry at `at`, asked once. */
  keeps(at: number, name: string, path: string, isDirectory: boolean): boolean {
    if (this.filter === undefined) return true;
    const known = this.#kept[at];
    if (known !== undefined) return known;
    const kept = this.filter.keeps(name, path, isDirectory);
    if (at >= this.at) this.#kept[at] = kept;
    return kept;
  }

  asksStatus(kind: FileKind | undefined): void {
    if (kind === "file") this.#asked.statuses++;
  }

  open(): OpenDirectory {
    this.#directory ??= this.#files.openDirectory(this.file.path);
    return this.#directory;
  }

  release(): void {
    this.#directory?.close();
    this.#directory = undefined;
  }

  takeFailure(): TreeStep | undefined {
    const error = this.failed;
    this.failed = undefined;
    return error && { what: "error", path: this.file.path, error };
  }
}

function startStatus(files: Files, path: string, follow: boolean): FileStatus {
  if (!follow) return files.status(path, { follow: false });
  return existing(
    () => files.status(path),
    () => files.status(path, { follow: false }),
  );
}

/** A link to nothing is a link. */
function existing(target: () => FileStatus, own: () => FileStatus): FileStatus {
  try {
    return target();
  } catch (thrown) {
    if (!(thrown instanceof FileError) || thrown.code !== "ENOENT") throw thrown;
    return own();
  }
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
