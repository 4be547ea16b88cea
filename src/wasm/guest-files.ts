/** The open files and directories of a guest: its descriptor numbers, answered by the workspace. */
import { toBytes } from "../io/text.ts";
import type { Files, OpenDirectory, OpenFile } from "../workspace/contract.ts";
import { FileError } from "../workspace/file-error.ts";
import type { DirectoryEntry, FileStatus } from "../workspace/file-status.ts";
import { FIRST_PREOPEN, type GuestPaths, type GuestPlace } from "./guest-paths.ts";
import { ERRNO, errnoOf, SUCCESS, type Errno } from "./wasi-errno.ts";

/** Descriptors a guest may hold at once. */
const MAX_DESCRIPTORS = 256;
/**
 * Directories held open so that the next file of the same directory is reached without walking the path again. Few,
 * and for one stage only, as with any tree walk: what was moved out of the root meanwhile still answers through them.
 */
const HELD_DIRECTORIES = 16;

/** A system call failed with this errno. */
export class GuestError extends Error {
  readonly errno: Errno;
  constructor(errno: Errno) {
    super(`errno ${errno}`);
    this.errno = errno;
  }
}

/** The error number of what `call` throws. */
export function errorOf(call: () => void): number {
  try {
    call();
    return SUCCESS;
  } catch (thrown) {
    if (thrown instanceof GuestError) return thrown.errno;
    if (thrown instanceof FileError) return errnoOf(thrown);
    throw thrown;
  }
}

interface GuestFile {
  readonly kind: "file";
  readonly file: OpenFile;
  position: number;
}

interface GuestDirectory {
  readonly kind: "directory";
  readonly directory: OpenDirectory;
  /** Path of the directory, for names relative to it. */
  readonly path: string;
  entries: Generator<DirectoryEntry, void> | undefined;
  /** Entries the guest may ask for again; the first has the cookie `firstCookie`. */
  window: { readonly name: Buffer; readonly kind: DirectoryEntry["kind"] }[];
  firstCookie: number;
}

export class GuestFiles {
  readonly #files: Files;
  readonly #paths: GuestPaths;
  readonly #open = new Map<number, GuestFile | GuestDirectory>();
  readonly #held = new Map<string, OpenDirectory>();

  constructor(files: Files, paths: GuestPaths) {
    this.#files = files;
    this.#paths = paths;
  }

  /** The name of a preopened directory; undefined if `descriptor` is not one. */
  preopenName(descriptor: number): Buffer | undefined {
    const name = this.#paths.preopens[descriptor - FIRST_PREOPEN];
    return name === undefined ? undefined : toBytes(name);
  }

  open(descriptor: number, path: string, follow: boolean, mustBeDirectory: boolean): number {
    const place = this.#placeOf(descriptor, path);
    if (place.kind !== "path") throw new GuestError(place.kind === "nothing" ? ERRNO.ENOENT : ERRNO.EACCES);
    const number = this.#freeNumber();
    if (!follow && this.#statusAt(place.path, false).kind === "symlink") throw new GuestError(ERRNO.ELOOP);
    if (mustBeDirectory) this.#open.set(number, this.#openDirectory(place.path));
    else {
      try {
        this.#open.set(number, { kind: "file", file: this.#openFile(place.path), position: 0 });
      } catch (thrown) {
        // As on Linux, a directory can be opened and not read.
        if (!(thrown instanceof FileError) || thrown.code !== "EISDIR") throw thrown;
        this.#open.set(number, this.#openDirectory(place.path));
      }
    }
    return number;
  }

  close(descriptor: number): void {
    const opened = this.#opened(descriptor);
    this.#open.delete(descriptor);
    if (opened.kind === "file") opened.file.close();
    else {
      opened.entries?.return();
      opened.directory.close();
    }
  }

  closeAll(): void {
    for (const descriptor of [...this.#open.keys()]) this.close(descriptor);
    for (const directory of this.#held.values()) directory.close();
    this.#held.clear();
  }

  read(descriptor: number, into: Uint8Array): number {
    const opened = this.#file(descriptor);
    const count = opened.file.readAt(into, opened.position);
    opened.position += count;
    return count;
  }

  /** WASI's whence: 0 from the start, 1 from here, 2 from the end. Returns the new position. */
  seek(descriptor: number, offset: number, whence: number): number {
    const opened = this.#file(descriptor);
    const base = whence === 0 ? 0 : whence === 1 ? opened.position : opened.file.status.size;
    if (base + offset < 0) throw new GuestError(ERRNO.EINVAL);
    opened.position = base + offset;
    return opened.position;
  }

  kindOf(descriptor: number): "file" | "directory" {
    return this.preopenName(descriptor) === undefined ? this.#opened(descriptor).kind : "directory";
  }

  /** The status of what a descriptor holds. */
  statusOf(descriptor: number): FileStatus {
    if (this.preopenName(descriptor) !== undefined) return this.statusAt(descriptor, ".", true) as FileStatus;
    const opened = this.#opened(descriptor);
    return opened.kind === "file" ? opened.file.status : opened.directory.status;
  }

  /** The status of `path`; undefined: a directory above the root, of which no more is known. */
  statusAt(descriptor: number, path: string, follow: boolean): FileStatus | undefined {
    const place = this.#placeOf(descriptor, path);
    if (place.kind === "nothing") throw new GuestError(ERRNO.ENOENT);
    return place.kind === "above-root" ? undefined : this.#statusAt(place.path, follow);
  }

  readLink(descriptor: number, path: string): string {
    const place = this.#placeOf(descriptor, path);
    if (place.kind === "nothing") throw new GuestError(ERRNO.ENOENT);
    if (place.kind === "above-root") throw new GuestError(ERRNO.EINVAL);
    const [directory, name] = this.#parentOf(place.path);
    return directory === undefined ? this.#files.readLink(place.path) : directory.readLinkOf(name);
  }

  /** Entries of a directory from `cookie` on (0: the first); stops when `take` returns false. */
  list(descriptor: number, cookie: number, take: (entry: GuestDirectory["window"][number], next: number) => boolean): void {
    const opened = this.#opened(descriptor);
    if (opened.kind === "file") throw new GuestError(ERRNO.ENOTDIR);
    this.#paths.walkBegins();
    if (opened.entries === undefined || cookie < opened.firstCookie) {
      opened.entries?.return();
      opened.entries = lastFirst(opened.directory.entries());
      opened.window = [];
      opened.firstCookie = 0;
    }
    // Entries before the cookie are dropped: the guest has them, and only goes on or starts anew.
    const passed = Math.min(cookie - opened.firstCookie, opened.window.length);
    opened.window.splice(0, passed);
    opened.firstCookie += passed;
    for (let at = 0; ; at++) {
      let entry = opened.window[at];
      if (entry === undefined) {
        const next = opened.entries.next();
        if (next.done === true) return;
        entry = { name: toBytes(next.value.name), kind: next.value.kind };
        opened.window.push(entry);
      }
      if (!take(entry, opened.firstCookie + at + 1)) return;
    }
  }

  #opened(descriptor: number): GuestFile | GuestDirectory {
    const opened = this.#open.get(descriptor);
    if (opened === undefined) throw new GuestError(ERRNO.EBADF);
    return opened;
  }

  #file(descriptor: number): GuestFile {
    const opened = this.#opened(descriptor);
    if (opened.kind === "directory") throw new GuestError(ERRNO.EISDIR);
    return opened;
  }

  #freeNumber(): number {
    if (this.#open.size >= MAX_DESCRIPTORS) throw new GuestError(ERRNO.EMFILE);
    let number = FIRST_PREOPEN + this.#paths.preopens.length;
    while (this.#open.has(number)) number++;
    return number;
  }

  #placeOf(descriptor: number, path: string): GuestPlace {
    if (this.preopenName(descriptor) !== undefined) return this.#paths.placeOf(descriptor, path);
    const opened = this.#opened(descriptor);
    if (opened.kind === "file") throw new GuestError(ERRNO.ENOTDIR);
    return { kind: "path", path: `${opened.path.replace(/\/+$/, "")}/${path}` };
  }

  #statusAt(path: string, follow: boolean): FileStatus {
    const [directory, name] = this.#parentOf(path);
    return directory === undefined ? this.#files.status(path, { follow }) : directory.statusOf(name, { follow });
  }

  #openFile(path: string): OpenFile {
    const [directory, name] = this.#parentOf(path);
    return directory === undefined ? this.#files.open(path) : directory.openFile(name);
  }

  #openDirectory(path: string): GuestDirectory {
    const [parent, name] = this.#parentOf(path);
    const directory = parent === undefined ? this.#files.openDirectory(path) : parent.openDirectory(name, { follow: true });
    return { kind: "directory", directory, path, entries: undefined, window: [], firstCookie: 0 };
  }

  /** The directory that `path` is in, held, and the name there; undefined where the last component is no name. */
  #parentOf(path: string): readonly [OpenDirectory | undefined, string] {
    const slash = path.lastIndexOf("/");
    const name = path.slice(slash + 1);
    if (slash <= 0 || name === "" || name === "." || name === ".." || path.startsWith("/dev/")) return [undefined, name];
    const parent = path.slice(0, slash);
    let directory = this.#held.get(parent);
    if (directory === undefined) {
      directory = this.#files.openDirectory(parent);
      const [oldest] = this.#held.keys();
      if (this.#held.size >= HELD_DIRECTORIES && oldest !== undefined) {
        this.#held.get(oldest)?.close();
        this.#held.delete(oldest);
      }
    } else this.#held.delete(parent);
    this.#held.set(parent, directory);
    return [directory, name];
  }
}

/**
 * A directory's entries from the last to the first. ripgrep's threads take from the end of what they have found, so that
 * this is the order its output mostly has.
 */
function* lastFirst(entries: Iterable<DirectoryEntry>): Generator<DirectoryEntry, void> {
  yield* [...entries].reverse();
}
