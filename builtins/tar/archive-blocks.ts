/** An archive as blocks of 512 bytes, which are read or passed over in order. A part of a block at its end counts for nothing. */
import type { InputSource } from "../../src/builtin/inputs.ts";
import type { OpenFile } from "../../src/workspace/contract.ts";
import { FatalError } from "./fatal-error.ts";

export const BLOCK_SIZE = 512;
/** tar reads so many bytes at a time, and seeks by as many. */
const RECORD_BYTES = 20 * BLOCK_SIZE;
const READ_BYTES = 1 << 17;

/** Bytes in order: a stream, or a file in which parts can be passed over without reading them. */
export interface ArchiveBytes {
  /** The next bytes, good until the next call; undefined at the end. */
  read(): Promise<Uint8Array | undefined>;
  /** Passes over bytes that are not read: true if there were so many; undefined where they have to be read. */
  pass(bytes: number): boolean | undefined;
  close(): Promise<void>;
}

export class StreamBytes implements ArchiveBytes {
  readonly #source: AsyncIterator<Uint8Array>;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async read(): Promise<Uint8Array | undefined> {
    const { value, done } = await this.#source.next();
    return done === true ? undefined : value;
  }

  pass(): undefined {
    return undefined;
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

export class FileBytes implements ArchiveBytes {
  readonly #source: InputSource;
  readonly #file: OpenFile;
  readonly #memory = Buffer.allocUnsafe(READ_BYTES);
  #position = 0;

  constructor(source: InputSource, file: OpenFile) {
    this.#source = source;
    this.#file = file;
  }

  async read(): Promise<Uint8Array | undefined> {
    const count = this.#file.readAt(this.#memory, this.#position);
    this.#position += count;
    return count === 0 ? undefined : this.#memory.subarray(0, count);
  }

  pass(bytes: number): boolean {
    this.#position += bytes;
    return this.#position <= this.#file.size;
  }

  get size(): number {
    return this.#file.size;
  }

  async close(): Promise<void> {
    this.#source.close();
  }
}

export class ArchiveBlocks {
  readonly #bytes: ArchiveBytes;
  #held: Buffer = Buffer.alloc(0);
  /** Number of the next block. */
  #ordinal = 0;

  constructor(bytes: ArchiveBytes) {
    this.#bytes = bytes;
  }

  get ordinal(): number {
    return this.#ordinal;
  }

  /** The next block, which stays as it is until the next call; undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    return this.#held.length >= BLOCK_SIZE || (await this.#fill()) ? this.#take(BLOCK_SIZE) : undefined;
  }

  /** Whole blocks, at least one and no more than hold `bytes`; undefined at the end. */
  async some(bytes: number): Promise<Buffer | undefined> {
    if (this.#held.length < BLOCK_SIZE && !(await this.#fill())) return undefined;
    const most = Math.ceil(bytes / BLOCK_SIZE) * BLOCK_SIZE;
    return this.#take(Math.min(most, this.#held.length - (this.#held.length % BLOCK_SIZE)));
  }

  /** Passes over the blocks that hold `bytes`. Throws FatalError where there are fewer. */
  async pass(bytes: number): Promise<void> {
    let left = Math.ceil(bytes / BLOCK_SIZE) * BLOCK_SIZE;
    if (left > this.#held.length) this.#checkSeek(bytes);
    const held = Math.min(left, this.#held.length - (this.#held.length % BLOCK_SIZE));
    this.#take(held);
    left -= held;
    while (left > 0) {
      const passed = this.#held.length === 0 ? this.#bytes.pass(left) : undefined;
      if (passed === true) this.#ordinal += left / BLOCK_SIZE;
      if (passed === true) return;
      const taken = passed === false ? undefined : await this.some(left);
      if (taken === undefined) throw new FatalError("Unexpected EOF in archive");
      left -= taken.length;
    }
  }

  /** Reads to the end, so that what unpacks the archive sees all of it. */
  async drain(): Promise<void> {
    while ((await this.#bytes.read()) !== undefined);
  }

  close(): Promise<void> {
    return this.#bytes.close();
  }

  /** tar seeks by whole records, and stops at once where one that it has read was the last and not whole. */
  #checkSeek(bytes: number): void {
    if (!(this.#bytes instanceof FileBytes)) return;
    const position = this.#ordinal * BLOCK_SIZE;
    const recordEnd = Math.ceil(position / RECORD_BYTES) * RECORD_BYTES;
    const isBeyond = bytes - (recordEnd - position) >= RECORD_BYTES;
    const { size } = this.#bytes;
    if (isBeyond && size < recordEnd && size % RECORD_BYTES !== 0) throw new FatalError("rmtlseek not stopped at a record boundary");
  }

  #take(bytes: number): Buffer {
    const taken = this.#held.subarray(0, bytes);
    this.#held = this.#held.subarray(bytes);
    this.#ordinal += bytes / BLOCK_SIZE;
    return taken;
  }

  /** True once a whole block is held. */
  async #fill(): Promise<boolean> {
    while (this.#held.length < BLOCK_SIZE) {
      const rest = this.#held.length === 0 ? undefined : Buffer.from(this.#held);
      const more = await this.#bytes.read();
      if (more === undefined) return false;
      const bytes = Buffer.from(more.buffer, more.byteOffset, more.byteLength);
      this.#held = rest === undefined ? bytes : Buffer.concat([rest, bytes]);
    }
    return true;
  }
}
