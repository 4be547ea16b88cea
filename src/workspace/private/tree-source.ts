/** Sources of a private tree: a root, which is copied, and files that a program gives. */
import { holdAny, holdHostDirectory, pathOfHandle, release, statusOfHandle } from "../walk/descriptor.ts";
import { FileError } from "../file-error.ts";
import { fileErrorFrom } from "../system-error.ts";
import type { FileStatus } from "../file-status.ts";
import { isSameStamp, stampOf } from "../read/call-reads.ts";
import { RECORD_DIRECTORY } from "../write/mirror-path.ts";
import { WritableDirectory } from "../write/write-directory.ts";
import type { WritableFile } from "../write/write-file.ts";
import { atPath } from "./tree-path.ts";
import { copyTree, TooMuchToCopy, type CopiedEntry, type CopiedTree, type CopyLimits } from "./tree-copy.ts";

/** What a private tree is made of. */
export interface TreeSource {
  /** Fills the directory `to`, and says what is in it. */
  fill(to: WritableDirectory): Promise<CopiedTree>;
  /** Permission bits of its top. */
  readonly permissions: number;
  /** The bytes at `path` as they were when the tree was filled; undefined where they are not there any more. */
  original(path: string, entry: CopiedEntry): Iterable<Uint8Array> | undefined;
  close(): void;
}

/** The root at a host path. It is held from the start: what is at its path later on does not matter. */
export class CopiedRoot implements TreeSource {
  readonly #handle: number;
  readonly #limits: CopyLimits;
  /** Host path, without links. */
  readonly canonical: string;
  #isOpen = true;

  /** Throws FileError ENOENT, ENOTDIR or EACCES. */
  constructor(path: string, limits: CopyLimits) {
    try {
      this.#handle = holdHostDirectory(path, { follow: true });
    } catch (thrown) {
      throw fileErrorFrom(thrown, path);
    }
    this.#limits = limits;
    this.canonical = pathOfHandle(this.#handle);
  }

  get permissions(): number {
    return statusOfHandle(this.#handle).permissions;
  }

  fill(to: WritableDirectory): Promise<CopiedTree> {
    return this.#within((top) => copyTree(top, to, this.#limits));
  }

  original(path: string, { original }: CopiedEntry): Iterable<Uint8Array> | undefined {
    try {
      const file = atPath(this.#top(), path, (directory, name) => directory.open(name));
      if (file === undefined) return undefined;
      if (original !== undefined && isSameStamp(stampOf(file.status), original)) return blocksOf(file);
      file.close();
      return undefined;
    } catch (thrown) {
      // Something else is there now, or it may not be read: its bytes are not known.
      if (thrown instanceof FileError) return undefined;
      throw thrown;
    }
  }

  async #within<T>(use: (top: WritableDirectory) => Promise<T>): Promise<T> {
    const top = this.#top();
    try {
      return await use(top);
    } finally {
      top.close();
    }
  }

  #top(): WritableDirectory {
    return new WritableDirectory(holdAny(this.#handle, "."), "");
  }

  close(): void {
    if (this.#isOpen) release(this.#handle);
    this.#isOpen = false;
  }
}

/** The bytes of a file, which is closed after them. */
export function* blocksOf(file: WritableFile): Generator<Uint8Array, void> {
  try {
    yield* file.blocks(0, file.size);
  } finally {
    file.close();
  }
}

const FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;

/** Files that a program gives, by path. */
export class GivenFiles implements TreeSource {
  readonly permissions = DIRECTORY_MODE;
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #limits: CopyLimits;

  /** Paths are relative, with "/" between names, none of which is empty, "." or "..". Throws FileError EINVAL for others. */
  constructor(files: ReadonlyMap<string, Uint8Array>, limits: CopyLimits) {
    for (const path of files.keys()) checkPath(path);
    this.#files = files;
    this.#limits = limits;
  }

  async fill(to: WritableDirectory): Promise<CopiedTree> {
    const entries: CopiedTree = new Map();
    let bytes = 0;
    for (const [path, content] of this.#files) {
      bytes += content.length;
      if (bytes > this.#limits.mostBytes || entries.size >= this.#limits.mostEntries) throw new TooMuchToCopy();
      const name = path.slice(path.lastIndexOf("/") + 1);
      const directory = directoryFor(to, path, entries);
      try {
        const file = directory.create(name, FILE_MODE);
        if (file === undefined) throw new FileError("EEXIST", path);
        file.write(content);
        file.close();
        directory.changePermissions(name, FILE_MODE);
        entries.set(path, entryOf("file", directory.status(name) as FileStatus));
      } finally {
        directory.close();
      }
    }
    return entries;
  }

  original(path: string): Iterable<Uint8Array> | undefined {
    const content = this.#files.get(path);
    return content && [content];
  }

  close(): void {}
}

function checkPath(path: string): void {
  const names = path.split("/");
  if (path.includes("\0") || names.some((name) => name === "" || name === "." || name === "..")) throw new FileError("EINVAL", path);
  if (names[0] === RECORD_DIRECTORY) throw new FileError("PROTECTED_PATH", path);
}

/** The directory that `path` is in, which is made where it is missing. */
function directoryFor(top: WritableDirectory, path: string, entries: CopiedTree): WritableDirectory {
  let here = top.directory(".") as WritableDirectory;
  let above = "";
  for (const name of path.split("/").slice(0, -1)) {
    const outer = here;
    above += above === "" ? name : `/${name}`;
    try {
      if (outer.makeDirectory(name, DIRECTORY_MODE)) {
        outer.changePermissions(name, DIRECTORY_MODE);
        entries.set(above, entryOf("directory", outer.status(name) as FileStatus));
      }
      here = outer.directory(name) as WritableDirectory;
    } finally {
      outer.close();
    }
  }
  return here;
}

const entryOf = (kind: "file" | "directory", status: FileStatus): CopiedEntry => ({
  kind,
  permissions: status.permissions,
  original: undefined,
  copy: stampOf(status),
  text: undefined,
});
