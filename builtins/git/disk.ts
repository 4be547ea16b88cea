/** The workspace's files by byte-string paths relative to its root. What is not there is undefined, not an error. */
import type { Files, OpenDirectory, OpenFile } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import type { FileKind, FileStatus } from "../../src/workspace/file-status.ts";
import { fromWord, toWord } from "./byte-text.ts";
import { GitError } from "./git-error.ts";

export interface Entry {
  readonly name: string;
  readonly kind: FileKind | undefined;
}

export class Disk {
  readonly files: Files;
  readonly #mostBytes: number;

  /** `mostBytes`: the largest file that is read whole. */
  constructor(files: Files, mostBytes: number) {
    this.files = files;
    this.#mostBytes = mostBytes;
  }

  /** The absolute name of a path relative to the root. */
  absolute(path: string): string {
    const root = this.files.rootPath;
    return path === "" ? root : `${root === "/" ? "" : root}/${toWord(path)}`;
  }

  /** The whole file; undefined where there is none. Throws FileError (outside, no permission), GitError (too large). */
  read(path: string): Buffer | undefined {
    const file = this.open(path);
    if (file === undefined) return undefined;
    try {
      if (file.size > this.#mostBytes) throw new GitError(`${path}: larger than the ${this.#mostBytes} bytes held here`);
      return readRange(file, 0, file.size);
    } finally {
      file.close();
    }
  }

  text(path: string): string | undefined {
    return this.read(path)?.toString("latin1");
  }

  open(path: string): OpenFile | undefined {
    return absentIsUndefined(() => this.files.open(this.absolute(path)));
  }

  status(path: string, follow = false): FileStatus | undefined {
    return absentIsUndefined(() => this.files.status(this.absolute(path), { follow }));
  }

  /** The entries of a directory in byte order; undefined where it is none. */
  list(path: string): readonly Entry[] | undefined {
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

/** What `ask` gives; undefined where there is no such file. Throws FileError for any other reason. */
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
