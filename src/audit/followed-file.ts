/** A file of the records that grows while it is looked at: each of its lines once. */
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableFile } from "../workspace/write/write-file.ts";
import { openStored } from "./stored-journal.ts";

/** Lines with the offset behind each; a line that has no newline yet has the offset of the line before. */
export type ReadLines<L> = (file: WritableFile, from: number) => Iterable<L & { readonly end: number }>;

/** Most bytes before the place where reading goes on that must still be what they were. */
const REMEMBERED_BYTES = 256;

export class FollowedFile<L> {
  readonly #writer: WorkspaceWriter;
  readonly #name: string;
  readonly #read: ReadLines<L>;
  #inode: bigint | undefined;
  #offset = 0;
  /** The bytes before `#offset`. */
  #remembered: Buffer = Buffer.alloc(0);

  constructor(writer: WorkspaceWriter, name: string, read: ReadLines<L>) {
    this.#writer = writer;
    this.#name = name;
    this.#read = read;
  }

  /**
   * Gives `take` each whole line that was added since the last time; true if there was one. Calls `restart` instead where what was read
   * is there no more: the file is then to be followed by another object. Throws FileError.
   */
  follow(restart: () => void, take: (line: L) => void): boolean {
    const file = openStored(this.#writer, this.#name);
    try {
      if (this.#inode !== undefined && (file === undefined || !this.#isSame(file))) {
        restart();
        return false;
      }
      if (file === undefined) return false;
      const { inode, size } = file.status;
      this.#inode = inode;
      const from = this.#offset;
      if (size === from) return false;
      for (const line of this.#read(file, from)) {
        if (line.end <= this.#offset) continue;
        take(line);
        this.#offset = line.end;
      }
      this.#remembered = file.bytes(Math.max(0, this.#offset - REMEMBERED_BYTES), this.#offset);
      return this.#offset > from;
    } finally {
      file?.close();
    }
  }

  #isSame(file: WritableFile): boolean {
    const { inode, size } = file.status;
    const { length } = this.#remembered;
    return inode === this.#inode && size >= this.#offset && file.bytes(this.#offset - length, this.#offset).equals(this.#remembered);
  }
}
