/** The workspace's files by byte-string paths relative to its root. What is not there is undefined, not an error. */
import type { Files, OpenDirectory, OpenFile } from "../../../src/workspace/contract.ts";
import { FileError } from "../../../src/workspace/file-error.ts";
import type { FileKind, FileStatus } from "../../../src/workspace/file-status.ts";
import { fromWord, toWord } from "./byte-text.ts";
import { GitError } from "../git-error.ts";

export interface Entry {
  readonly name: string;
  readonly kind: FileKind | undefined;
}

const MOST_HELD = 128;
/** Directories deeper than this are not held. */
const MOST_DEPTH = 48;

export class Disk {
  readonly files: Files;
  readonly #mostBytes: number;
  /** Directories of repositories: what stands there in the place of a file, and is none, is an error and not absent. */
  readonly #stores = new Set<string>();
  /** Directories of object stores, by whether they are links. */
  readonly #linked = new Map<string, boolean>();
  /** Directories by path; those that are not there, and those that are to be asked about by their whole path. */
  readonly #held = new Map<string, OpenDirectory | "absent" | "unusual">();

  /** `mostBytes`: the largest file that is read whole. */
  constructor(files: Files, mostBytes: number) {
    this.files = files;
    this.#mostBytes = mostBytes;
  }

  /** From now on the files below `directory` are those of a repository. */
  holdsStore(directory: string): void {
    this.#stores.add(directory);
  }

  /** The absolute name of a path relative to the root. */
  absolute(path: string): string {
    const root = this.files.rootPath;
    return path === "" ? root : `${root === "/" ? "" : root}/${toWord(path)}`;
  }

  /** The whole file; undefined where there is none. Throws FileError (outside, no permission), GitError (too large). */
  read(path: string): Buffer | undefined {
    const file = this.open(path);
    return file && this.readHeld(file, path);
  }

  /** The same of a file of an object store: who shows content of it asks DeniedFiles. */
  readStore(path: string): Buffer | undefined {
    const file = this.openStore(path);
    return file && this.readHeld(file, path);
  }

  /** The same of an open file, which is closed. */
  readHeld(file: OpenFile, path: string): Buffer {
    try {
      this.#checkSize(file, path);
      return readRange(file, 0, file.size);
    } finally {
      file.close();
    }
  }

  /** A file that will be read whole, perhaps. Throws GitError where it is too large for that. */
  openHeld(path: string): OpenFile | undefined {
    const file = this.open(path);
    try {
      if (file !== undefined) this.#checkSize(file, path);
      return file;
    } catch (thrown) {
      file?.close();
      throw thrown;
    }
  }

  #checkSize({ size }: OpenFile, path: string): void {
    if (size > this.#mostBytes) throw new GitError(`${path}: larger than the ${this.#mostBytes} bytes held here`);
  }

  text(path: string): string | undefined {
    return this.read(path)?.toString("latin1");
  }

  open(path: string): OpenFile | undefined {
    return this.#fromHeld(
      path,
      (held, name) => held.openFile(name),
      () => absentIsUndefined(() => this.#opened(path, () => this.files.open(this.absolute(path)))),
    );
  }

  /** Throws GitError where the policy has rules and a link leads to the file: it may be of a store to which other rules are held. */
  openStore(path: string): OpenFile | undefined {
    if (this.files.deniesReading && this.#isLinked(path))
      throw new GitError(`${path}: a link within an object store is not followed here, because the policy does not let some files be read`);
    return this.#fromHeld(
      path,
      (held, name) => held.openFile(name),
      () => absentIsUndefined(() => this.#opened(path, () => this.files.openStore(this.absolute(path)))),
    );
  }

  /** True if the file of a store, or its directory within the store, is a link. */
  #isLinked(path: string): boolean {
    if (this.status(path, false)?.kind === "symlink") return true;
    const directory = path.slice(0, path.lastIndexOf("/"));
    const known = this.#linked.get(directory);
    if (known !== undefined) return known;
    const isLinked = this.status(directory, false)?.kind === "symlink";
    this.#linked.set(directory, isLinked);
    return isLinked;
  }

  #opened(path: string, open: () => OpenFile): OpenFile {
    try {
      return open();
    } catch (thrown) {
      const isOdd = thrown instanceof FileError && thrown.code === "NOT_REGULAR_FILE";
      if (isOdd && this.#isOfStore(path)) throw new GitError(`${path}: not a regular file`);
      throw thrown;
    }
  }

  status(path: string, follow = false): FileStatus | undefined {
    return this.#fromHeld(
      path,
      (held, name) => held.statusOf(name, { follow }),
      () => absentIsUndefined(() => this.files.status(this.absolute(path), { follow })),
    );
  }

  /**
   * What `inHeld` gives of the file `path` in its directory, undefined where there is no file. The directory is held open: most of a
   * repository's own files lie in few. `byPath` where it is not held, and where anything but the absence of a file is met: then that is
   * met once more.
   */
  #fromHeld<T>(path: string, inHeld: (held: OpenDirectory, name: string) => T, byPath: () => T | undefined): T | undefined {
    const slash = path.lastIndexOf("/");
    const name = path.slice(slash + 1);
    if (this.files.deniesReading || !isPlainName(name)) return byPath();
    const held = this.#directoryAt(path.slice(0, Math.max(0, slash)));
    if (held === "absent") return undefined;
    if (held === "unusual") return byPath();
    try {
      return inHeld(held, toWord(name));
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      return thrown.code === "ENOENT" ? undefined : byPath();
    }
  }

  /**
   * True if `path` is a file, and no link to one. Directories that were asked about are held open: most of them have nothing of
   * the name, as have those beside them.
   */
  isFile(path: string): boolean {
    const slash = path.lastIndexOf("/");
    const held = this.#directoryAt(path.slice(0, Math.max(0, slash)));
    if (held === "absent") return false;
    return (held === "unusual" ? this.status(path, false) : held.stampOf(toWord(path.slice(slash + 1))))?.kind === "file";
  }

  /** The directory, held until too many are. */
  #directoryAt(path: string): OpenDirectory | "absent" | "unusual" {
    if (this.#held.size > MOST_HELD) this.close();
    return this.#heldAt(path, 0);
  }

  #isOfStore(path: string): boolean {
    return [...this.#stores].some((store) => path.startsWith(`${store}/`));
  }

  #heldAt(path: string, depth: number): OpenDirectory | "absent" | "unusual" {
    const known = this.#held.get(path);
    if (known !== undefined) return known;
    if (depth > MOST_DEPTH) return "unusual";
    const slash = path.lastIndexOf("/");
    const name = path.slice(slash + 1);
    const above = path === "" ? undefined : this.#heldAt(path.slice(0, Math.max(0, slash)), depth + 1);
    if (typeof above === "string") return above;
    const open = (): OpenDirectory => above?.openDirectory(toWord(name), { follow: true }) ?? this.files.openDirectory(this.absolute(path));
    let found: OpenDirectory | "absent" | "unusual";
    try {
      // A hostile tree may have any name.
      found = path !== "" && ["", ".", ".."].includes(name) ? "unusual" : (absentIsUndefined(open) ?? "absent");
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      found = "unusual";
    }
    this.#held.set(path, found);
    return found;
  }

  /** Nothing is held open any more. */
  close(): void {
    for (const held of this.#held.values()) if (typeof held !== "string") held.close();
    this.#held.clear();
  }

  /** The entries of a directory in byte order; undefined where it is none. */
  list(path: string): readonly Entry[] | undefined {
    // Directories of the working tree are listed once.
    const held = this.files.deniesReading || !this.#isOfStore(path) ? "unusual" : this.#directoryAt(path);
    if (typeof held !== "string") return entriesOf(held);
    const directory = absentIsUndefined((): OpenDirectory => this.files.openDirectory(this.absolute(path)));
    if (directory === undefined) return undefined;
    try {
      return entriesOf(directory);
    } finally {
      directory.close();
    }
  }

  link(path: string): string {
    return fromWord(this.files.readLink(this.absolute(path)));
  }
}

/** A hostile repository names any file. */
const isPlainName = (name: string): boolean => name !== "" && name !== "." && name !== ".." && !name.includes("\0");

/** The entries of an open directory, as good as in byte order. */
export const roughlySortedEntriesOf = (directory: OpenDirectory): Entry[] =>
  directory.list("name").map(({ name, kind }) => ({
    name: fromWord(name),
    kind: kind ?? directory.statusOf(name, { follow: false }).kind,
  }));

/** The entries of an open directory in byte order. */
export function entriesOf(directory: OpenDirectory): readonly Entry[] {
  const entries = roughlySortedEntriesOf(directory);
  // Mostly they come in order.
  for (let at = 1; at < entries.length; at++) {
    if ((entries[at - 1] as Entry).name > (entries[at] as Entry).name) return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  return entries;
}

/** Bytes `from` to `to` of a file, fewer where it ends before. `space`: where they may be put. */
export function readRange(file: OpenFile, from: number, to: number, space: Buffer = Buffer.allocUnsafe(Math.max(0, to - from))): Buffer {
  const bytes = space.subarray(0, Math.max(0, to - from));
  let used = 0;
  while (used < bytes.length) {
    const count = file.readAt(bytes.subarray(used), from + used);
    if (count === 0) break;
    used += count;
  }
  return bytes.subarray(0, used);
}

/** Result of `ask`; undefined if the file does not exist. Throws FileError for any other reason. */
export function absentIsUndefined<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    if (thrown.code === "ENOENT" || thrown.code === "ENOTDIR" || thrown.code === "EISDIR" || thrown.code === "NOT_REGULAR_FILE")
      return undefined;
    throw thrown;
  }
}
