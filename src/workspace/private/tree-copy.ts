/**
 * Copy of a tree into a directory of our own. It is walked by descriptor, and no link is followed. Bytes are shared with the original
 * where the file system can share them (FICLONE), so that a file takes room when it is changed.
 */
import { FileError } from "../file-error.ts";
import type { FileStatus } from "../file-status.ts";
import { stampOf, type ReadStamp } from "../read/call-reads.ts";
import { RECORD_DIRECTORY } from "../write/mirror-path.ts";
import type { WritableDirectory } from "../write/write-directory.ts";
import { atPath } from "./tree-path.ts";

export type EntryKind = "file" | "directory" | "symlink";

/** A name as it was when it was copied. */
export interface CopiedEntry {
  readonly kind: EntryKind;
  /** Permission bits. */
  readonly permissions: number;
  /** Of the original, before it was copied; undefined where there is none. */
  readonly original: ReadStamp | undefined;
  /** Of the copy. */
  readonly copy: ReadStamp;
  /** Text of a symbolic link. */
  readonly text: string | undefined;
}

/** By path, relative to the top. */
export type CopiedTree = Map<string, CopiedEntry>;

export interface CopyLimits {
  readonly mostBytes: number;
  readonly mostEntries: number;
}

/** Thrown where a tree is more than may be copied. */
export class TooMuchToCopy extends Error {
  override readonly name = "TooMuchToCopy";
}

/** Permission bits that a copy has: it is nobody's program. */
const FILE_BITS = 0o1777;
const OWN_BITS = 0o700;
/** Names copied before others get a turn. */
const NAMES_A_TURN = 64;
/** Errors that say that a name has become something else since it was looked at. */
const CHANGED = ["ENOENT", "ENOTDIR", "EINVAL", "ELOOP", "NOT_REGULAR_FILE"];

/**
 * Copies what is in `from` into `to`, but for the records. Names of one file stay so. FIFOs, sockets and devices are left out; a file that may not be read is there
 * and empty, and may not be read either. Rejects with TooMuchToCopy and FileError.
 */
export async function copyTree(from: WritableDirectory, to: WritableDirectory, limits: CopyLimits): Promise<CopiedTree> {
  const copy = new TreeCopy(to, limits);
  await copy.directory(from, to, "");
  return copy.entries;
}

class TreeCopy {
  readonly entries: CopiedTree = new Map();
  readonly #top: WritableDirectory;
  readonly #limits: CopyLimits;
  /** Path of the first name of each file that has several, by its device and inode. */
  readonly #linked = new Map<string, string>();
  #bytes = 0;

  constructor(top: WritableDirectory, limits: CopyLimits) {
    this.#top = top;
    this.#limits = limits;
  }

  async directory(from: WritableDirectory, to: WritableDirectory, path: string): Promise<void> {
    for (const name of namesIn(from)) {
      if (path === "" && name === RECORD_DIRECTORY) continue;
      if (this.entries.size % NAMES_A_TURN === 0) await new Promise(setImmediate);
      const status = from.status(name);
      if (status === undefined) continue;
      try {
        await this.#entry(from, to, path === "" ? name : `${path}/${name}`, name, status);
      } catch (thrown) {
        if (!(thrown instanceof FileError) || !CHANGED.includes(thrown.code)) throw thrown;
      }
    }
  }

  async #entry(from: WritableDirectory, to: WritableDirectory, path: string, name: string, status: FileStatus): Promise<void> {
    const { kind, accessedNs, modifiedNs } = status;
    switch (kind) {
      case "directory": {
        const source = from.directory(name);
        if (source === undefined) return;
        to.makeDirectory(name, OWN_BITS);
        const target = to.directory(name) as WritableDirectory;
        this.#count(0);
        // Noted first, so that a directory comes before what is in it.
        this.entries.set(path, entryOf(kind, status, status, undefined));
        try {
          await this.directory(source, target, path);
        } finally {
          source.close();
          target.close();
        }
        to.changePermissions(name, status.permissions);
        to.changeTimes(name, accessedNs, modifiedNs);
        break;
      }
      case "symlink": {
        const text = from.linkTarget(name);
        if (text === undefined) return;
        this.#count(0);
        to.makeLink(name, text);
        to.changeTimes(name, accessedNs, modifiedNs);
        this.entries.set(path, entryOf(kind, status, to.status(name) as FileStatus, text));
        return;
      }
      case "file":
        if (this.#isLinked(to, path, name, status)) break;
        this.#count(status.size);
        copyFile(from, to, name, status);
        break;
      default:
        return;
    }
    this.entries.set(path, entryOf(kind, status, to.status(name) as FileStatus, undefined));
  }

  /** Gives the copy of a file another name where the file has another in the tree, which is copied. */
  #isLinked(to: WritableDirectory, path: string, name: string, { links, device, inode }: FileStatus): boolean {
    if (links === 1) return false;
    const file = `${device}:${inode}`;
    const first = this.#linked.get(file);
    if (first === undefined) this.#linked.set(file, path);
    const top = first === undefined ? undefined : this.#top.directory(".");
    return top !== undefined && atPath(top, first as string, (directory, linked) => directory.link(linked, name, to)) === true;
  }

  #count(bytes: number): void {
    const { mostBytes, mostEntries } = this.#limits;
    this.#bytes += bytes;
    if (this.#bytes > mostBytes || this.entries.size >= mostEntries) throw new TooMuchToCopy();
  }
}

const entryOf = (kind: EntryKind, original: FileStatus, copy: FileStatus, text: string | undefined): CopiedEntry => ({
  kind,
  permissions: copy.permissions,
  original: stampOf(original),
  copy: stampOf(copy),
  text,
});

/** The names in a directory; none where it may not be listed. */
function namesIn(directory: WritableDirectory): readonly string[] {
  try {
    return directory.names();
  } catch (thrown) {
    if (thrown instanceof FileError && thrown.code === "EACCES") return [];
    throw thrown;
  }
}

function copyFile(from: WritableDirectory, to: WritableDirectory, name: string, { permissions, accessedNs, modifiedNs }: FileStatus): void {
  let isReadable = true;
  const target = to.create(name, 0o600);
  if (target === undefined) return;
  try {
    const source = from.open(name);
    if (source !== undefined) {
      try {
        target.takeContent(source);
      } finally {
        source.close();
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError) || thrown.code !== "EACCES") {
      to.remove(name);
      throw thrown;
    }
    isReadable = false;
  } finally {
    target.close();
  }
  to.changePermissions(name, isReadable ? permissions & FILE_BITS : 0);
  to.changeTimes(name, accessedNs, modifiedNs);
}
