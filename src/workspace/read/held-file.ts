/** A regular file held open for reading. */
import { constants, readSync } from "node:fs";
import { BLOCK_BYTES } from "../../io/output.ts";
import type { OpenFile } from "../contract.ts";
import { kindAndSize, kindAndStamp, type KindAndSize, openListed, release, reopen, statusOfHandle } from "../walk/descriptor.ts";
import { FileError } from "../file-error.ts";
import { fileErrorFrom } from "../system-error.ts";
import type { FileStatus } from "../file-status.ts";
import type { ReadAhead } from "../ahead/expected-directory.ts";
import type { HeldTree } from "../walk/held-tree.ts";
import type { CallReads } from "./call-reads.ts";

/** Bytes of one system call. Larger blocks gain nothing; smaller ones cost a tenth per halving. */
const READ_BYTES = 4 * BLOCK_BYTES;

/** Kind and size of the file that `handle` holds, and its path from the root, free of symbolic links. */
export interface OpenedPlace {
  readonly status: KindAndSize | undefined;
  readonly canonical: string;
}

export interface OpenOptions {
  /** See Files.openStore. */
  readonly asStore?: boolean;
  /** Notes of what is read. */
  readonly reads?: CallReads | undefined;
}

/**
 * Opens what `handle` holds if it is a regular file; nothing else is ever opened, because opening alone can act:
 * it wakes the writer of a FIFO, rewinds a tape, arms a watchdog. The caller keeps `handle`. Throws FileError.
 */
export function openRegular(tree: HeldTree, handle: number, place: OpenedPlace, path: string, options: OpenOptions = {}): OpenFile {
  const { asStore = false, reads } = options;
  const { status, canonical } = place;
  if (status === undefined) throw new FileError("ENOENT", path);
  tree.checkReadable(canonical, path, asStore);
  if (status.kind === "directory") throw new FileError("EISDIR", path);
  if (status.kind === "symlink") throw new FileError("ELOOP", path);
  if (status.kind !== "file" || tree.isKernelFile(handle, status.device)) throw new FileError("NOT_REGULAR_FILE", path);
  const descriptor = reopen(handle, constants.O_RDONLY);
  reads?.note(canonical, kindAndStamp(descriptor).stamp);
  return new HeldFile(descriptor, status.size, path);
}

/**
 * Opens `name` in `parent`, which its directory has listed as a regular file: half the system calls of `openRegular`.
 * Undefined if it cannot be opened, or is no longer a regular file: the caller then takes openRegular's way, which finds the
 * error. Nothing is read of a file that is not regular. Throws FileError if the policy denies it.
 */
export function openListedFile(
  tree: HeldTree,
  parent: number,
  name: string,
  canonical: string,
  reads: CallReads | undefined,
): OpenFile | undefined {
  tree.checkReadable(canonical, name);
  let descriptor: number;
  try {
    descriptor = openListed(parent, name);
  } catch {
    return undefined;
  }
  const stamped = reads === undefined ? undefined : kindAndStamp(descriptor);
  const { kind, size, device } = stamped ?? kindAndSize(descriptor);
  if (kind === "file" && !tree.isKernelFile(descriptor, device)) {
    if (stamped !== undefined) reads?.note(canonical, stamped.stamp);
    return new HeldFile(descriptor, size, name);
  }
  release(descriptor);
  return undefined;
}

class HeldFile implements OpenFile {
  readonly size: number;
  readonly #path: string;
  #descriptor: number | undefined;
  #status: FileStatus | undefined;

  constructor(descriptor: number, size: number, path: string) {
    this.#descriptor = descriptor;
    this.size = size;
    this.#path = path;
  }

  get status(): FileStatus {
    this.#status ??= statusOfHandle(this.#held);
    return this.#status;
  }

  blocks(fromByte = 0): Generator<Uint8Array, void> {
    const blocks = this.#blocks(fromByte);
    // A generator that was never started does not run its `finally`: start it, so that `return` always closes.
    blocks.next();
    return blocks;
  }

  *#blocks(fromByte: number): Generator<Uint8Array, void> {
    try {
      yield NOTHING;
      let position = fromByte;
      for (;;) {
        // A small file gets a small block, with one byte more to see in the same call that it has not grown.
        const expected = this.size - position + 1;
        const block = Buffer.allocUnsafe(expected > 0 && expected < READ_BYTES ? expected : READ_BYTES);
        const count = this.readAt(block, position);
        if (count === 0) return;
        position += count;
        yield block.subarray(0, count);
        if (count < block.length && position === this.size) return;
      }
    } finally {
      this.close();
    }
  }

  readAt(into: Uint8Array, position: number): number {
    const descriptor = this.#held;
    try {
      return readSync(descriptor, into, 0, into.length, position);
    } catch (thrown) {
      throw fileErrorFrom(thrown, this.#path);
    }
  }

  get #held(): number {
    if (this.#descriptor === undefined) throw new Error("use after close");
    return this.#descriptor;
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    release(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** A file that was read ahead and is closed already. `open` opens it once more, for what is more than its content. */
export class ReadFile implements OpenFile {
  readonly #ahead: ReadAhead;
  readonly #open: () => OpenFile;
  #isClosed = false;

  constructor(ahead: ReadAhead, open: () => OpenFile) {
    this.#ahead = ahead;
    this.#open = open;
  }

  get size(): number {
    return this.#ahead.bytes.length;
  }

  get status(): FileStatus {
    const file = this.#open();
    try {
      return file.status;
    } finally {
      file.close();
    }
  }

  *blocks(fromByte = 0): Generator<Uint8Array, void> {
    // A copy: who has the block may have it for longer.
    const block = Buffer.from(this.#ahead.bytes.subarray(fromByte));
    this.close();
    if (block.length > 0) yield block;
  }

  readAt(into: Uint8Array, position: number): number {
    if (this.#isClosed) throw new Error("use after close");
    return this.#ahead.bytes.copy(into, 0, position);
  }

  close(): void {
    if (!this.#isClosed) this.#ahead.release();
    this.#isClosed = true;
  }
}

const NOTHING = new Uint8Array(0);
