/**
 * Spool: holds the bytes of a write, and their hash, until all have arrived; in memory while they are few, else in a file
 * without a name, so that nothing is left of it however the process ends.
 */
import { createHash } from "node:crypto";
import { randomName } from "./random-name.ts";
import { RECORD_DIRECTORY_PERMISSIONS, STORE_PATH } from "./record-paths.ts";
import type { Digest } from "./journal-lines.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableFile } from "../workspace/write/write-file.ts";

/** Most bytes held in memory: the largest write without confirmation (recorder.ts), so ordinary writes touch no file here. */
const MEMORY_BYTES = 1 << 20;

export class Spool {
  readonly #writer: WorkspaceWriter;
  readonly #hash = createHash("sha256");
  #blocks: Uint8Array[] = [];
  #file: WritableFile | undefined;
  #bytes = 0;
  /** Block that `part` begins to search at, and the offset of its first byte. */
  #place = { index: 0, start: 0 };

  constructor(writer: WorkspaceWriter) {
    this.#writer = writer;
  }

  /** Bytes added so far. */
  get size(): number {
    return this.#bytes;
  }

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    if (this.#file === undefined && this.#bytes > MEMORY_BYTES) this.#toFile();
    if (this.#file !== undefined) this.#file.write(bytes);
    // A copy: a producer may use its block again.
    else this.#blocks.push(Uint8Array.from(bytes));
  }

  get digest(): Digest {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest("hex") };
  }

  blocks(): Iterable<Uint8Array> {
    return this.#file === undefined ? this.#blocks : this.#file.blocks(0, this.#bytes);
  }

  /** The bytes from `from` inclusive to `to` exclusive. */
  *part(from: number, to: number): Generator<Uint8Array, void> {
    if (this.#file !== undefined) {
      yield* this.#file.blocks(from, to);
      return;
    }
    // Parts are asked for in the order in which they were added, a few times each: the search goes on from the last.
    if (this.#place.start > from) this.#place = { index: 0, start: 0 };
    let { index, start } = this.#place;
    for (; start < to; index++) {
      const block = this.#blocks[index];
      if (block === undefined) return;
      const end = start + block.length;
      if (end <= from) this.#place = { index: index + 1, start: end };
      else yield block.subarray(Math.max(0, from - start), Math.min(block.length, to - start));
      start = end;
    }
  }

  close(): void {
    this.#blocks = [];
    this.#file?.close();
  }

  #toFile(): void {
    const directory = this.#writer.directory(STORE_PATH, RECORD_DIRECTORY_PERMISSIONS);
    try {
      const name = randomName("spool");
      this.#file = directory.create(name, 0o600);
      if (this.#file === undefined) throw new Error(`${name} is taken`);
      directory.remove(name);
    } finally {
      directory.close();
    }
    for (const block of this.#blocks) this.#file.write(block);
    this.#blocks = [];
  }
}
