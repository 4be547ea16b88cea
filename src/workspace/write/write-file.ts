/**
 * A regular file held open for writing or reading back. Every method throws FileError, which names `label`.
 *
 * What must survive a loss of power is written through a descriptor opened with O_SYNC (write-directory.ts): in the
 * executor Node's permission model forbids fsync, fchmod and fchown, which act on a descriptor. One call to `write` is
 * then one wait for the disk.
 */
import { closeSync, constants, copyFileSync, fstatSync, readSync, writeSync } from "node:fs";
import { BLOCK_BYTES } from "../../io/output.ts";
import { changeOwner, changePermissions, descriptorsCanBeInherited, type OpenEntry, ofHandle, statusOfHandle } from "../walk/descriptor.ts";
import { fileErrorFrom } from "../system-error.ts";
import type { FileStatus } from "../file-status.ts";

const COPY_BYTES = 4 * BLOCK_BYTES;
/** Enough that a disk is waited for once in an ordinary write, and 256 times in the largest. */
const GATHER_BYTES = 4 * 1024 * 1024;

export class WritableFile {
  readonly #descriptor: number;
  readonly #label: string;
  readonly #entry: Omit<OpenEntry, "descriptor"> | undefined;
  #open = true;

  /** Takes over `descriptor`. `entry`: where it was opened, of a file whose mode is to be changed while its directory is held. */
  constructor(descriptor: number, label: string, entry?: Omit<OpenEntry, "descriptor">) {
    this.#descriptor = descriptor;
    this.#label = label;
    this.#entry = entry;
  }

  get status(): FileStatus {
    return this.#attempt(() => statusOfHandle(this.#descriptor));
  }

  /** Bytes. */
  get size(): number {
    return this.#attempt(() => fstatSync(this.#descriptor).size);
  }

  /** Writes all of `bytes` where the file's offset is, or at its end if it was opened for appending. */
  write(bytes: Uint8Array): void {
    this.#attempt(() => {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at, bytes.length - at);
    });
  }

  /** Writes `pieces` in as few calls as their size allows. */
  writeAll(pieces: Iterable<Uint8Array>): void {
    let gathered: Uint8Array[] = [];
    let bytes = 0;
    const flush = (): void => {
      const [only] = gathered;
      if (only !== undefined) this.write(gathered.length === 1 ? only : Buffer.concat(gathered));
      gathered = [];
      bytes = 0;
    };
    for (const piece of pieces) {
      if (piece.length === 0) continue;
      gathered.push(piece);
      bytes += piece.length;
      if (bytes >= GATHER_BYTES) flush();
    }
    flush();
  }

  /** Writes `blocks` from `offset` on in a new file, whose bytes before are zeros that take no room where the file system has holes. */
  writeAfterHole(offset: number, blocks: Iterable<Uint8Array>): void {
    let position = offset;
    this.#attempt(() => {
      for (const block of blocks) {
        for (let at = 0; at < block.length; ) at += writeSync(this.#descriptor, block, at, block.length - at, position + at);
        position += block.length;
      }
    });
  }

  /** Gives this file, which is empty, the bytes of `source`: shared with it where the file system can. */
  takeContent(source: WritableFile): void {
    if (!descriptorsCanBeInherited) {
      for (const block of source.blocks(0, Number.MAX_SAFE_INTEGER)) this.write(block);
      return;
    }
    this.#attempt(() => copyFileSync(ofHandle(source.#descriptor), ofHandle(this.#descriptor), constants.COPYFILE_FICLONE));
  }

  /** The bytes from `from` inclusive to `to` exclusive, in blocks; ends early where the file does. */
  *blocks(from: number, to: number): Generator<Uint8Array, void> {
    for (let position = from; position < to; ) {
      const block = Buffer.allocUnsafe(Math.min(COPY_BYTES, to - position));
      const count = this.#attempt(() => readSync(this.#descriptor, block, 0, block.length, position));
      if (count === 0) return;
      position += count;
      yield block.subarray(0, count);
    }
  }

  /** The bytes of `blocks` in one piece. */
  bytes(from: number, to: number): Buffer {
    return Buffer.concat([...this.blocks(from, to)]);
  }

  /**
   * Gives the file the owner and the permission bits of `like`, as far as we may. Set-user-ID and set-group-ID are
   * dropped: the kernel drops them too when somebody writes to a file.
   */
  takeModeFrom(like: FileStatus): void {
    if (this.#entry === undefined) throw new Error("a file of which only the descriptor is known");
    const entry = { descriptor: this.#descriptor, ...this.#entry };
    const own = this.status;
    if (own.userId !== like.userId || own.groupId !== like.groupId) {
      try {
        changeOwner(entry, like.userId, like.groupId);
      } catch (thrown) {
        if (fileErrorFrom(thrown, this.#label).code !== "EPERM") throw fileErrorFrom(thrown, this.#label);
      }
    }
    this.#attempt(() => changePermissions(entry, like.permissions & 0o1777));
  }

  /** Harmless when repeated. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#descriptor);
  }

  #attempt<T>(action: () => T): T {
    try {
      return action();
    } catch (thrown) {
      throw fileErrorFrom(thrown, this.#label);
    }
  }
}
