/** Parts of a walk (file-tree.ts): one file of the tree, and a directory that the walk has entered. */
import type { Files, OpenDirectory, OpenFile } from "../workspace/contract.ts";
import { FileError } from "../workspace/file-error.ts";
import type { DirectoryEntry, FileKind, FileStatus } from "../workspace/file-status.ts";
import type { DirectoryFilter, TreeOptions, TreeStep } from "./file-tree.ts";
import { entriesByName, entriesInOrder, entriesLastFirst } from "./traversal-order.ts";

/** One file of the tree. Valid until the next step. */
export class TreeFile {
  /** The path as it is shown: the starting point as typed, and the names from there. */
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

  /** Status of the target of a followed link, or of the link itself if the target does not exist. Throws FileError. */
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

/** Number of regular files the walk came to, and of statuses of them that its caller asked for. */
export interface Asked {
  files: number;
  statuses: number;
}

/** A directory the walk is in. */
export class EnteredDirectory {
  readonly file: TreeFile;
  readonly entries: readonly DirectoryEntry[];
  /** The path in front of the name of an entry: the directory's, with a slash. */
  readonly prefix: string;
  readonly filter: DirectoryFilter | undefined;
  at = 0;
  /** Entries up to here were expected. */
  expectedTo = 0;
  failed: FileError | undefined;
  /** A directory in this one that the walk has yet to come to, entered before. */
  next: EnteredDirectory | undefined;
  /** Known where links are followed. */
  readonly device: bigint | undefined;
  readonly inode: bigint | undefined;
  readonly #files: Files;
  readonly #asked: Asked;
  /** Answers of the filter about entries that were announced ahead of the walk. */
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

  /** The filter's answer about the entry at `at`. The filter is asked once. */
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

  /** The directory entered before, where it is that at `path`. */
  takeNext(path = this.next?.file.path): EnteredDirectory | undefined {
    if (this.next === undefined || this.next.file.path !== path) return undefined;
    const taken = this.next;
    this.next = undefined;
    return taken;
  }

  release(): void {
    this.next?.release();
    this.#directory?.close();
    this.#directory = undefined;
  }

  takeFailure(): TreeStep | undefined {
    const error = this.failed;
    this.failed = undefined;
    return error && { what: "error", path: this.file.path, error };
  }
}

/** A link to nothing is a link. */
export function existing(target: () => FileStatus, own: () => FileStatus): FileStatus {
  try {
    return target();
  } catch (thrown) {
    if (!(thrown instanceof FileError) || thrown.code !== "ENOENT") throw thrown;
    return own();
  }
}
