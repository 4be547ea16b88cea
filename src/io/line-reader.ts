/**
 * Lines pulled one at a time, for tools that read several inputs side by side (comm, join, paste). No await per line:
 *
 *     const line = reader.take() ?? (await reader.next());
 *
 * and no object per line where there are many of them:
 *
 *     if (reader.step() || (await reader.fill())) … reader.block[reader.start..reader.end) …
 */
import { bytePlaces, PLACES_BYTES } from "./byte-places.ts";
import { lineBlocks, NEWLINE } from "./lines.ts";

export class LineReader {
  /** Block of the line that `step` moved to, which is `block[start..end)`; a block's bytes never change. */
  block: Buffer = Buffer.alloc(0);
  /** View of `block` for reads of whole words. */
  words: DataView = new DataView(new ArrayBuffer(0));
  start = 0;
  end = 0;
  readonly #separator: number;
  readonly #blocks: AsyncGenerator<Buffer, void>;
  /** Index in `block` at which the next line begins. */
  #at = 0;
  /** Ends of `#count` lines, as distances from `#from`; those before `#next` have been passed. */
  #ends = new Int32Array(1024);
  #from = 0;
  #count = 0;
  #next = 0;
  /** Index in `block` up to which line ends have been sought. */
  #searched = 0;

  constructor(source: AsyncIterable<Uint8Array>, lineBytes: number, separator: number = NEWLINE) {
    this.#separator = separator;
    this.#blocks = lineBlocks(source, lineBytes, separator);
  }

  /** Moves to the next line of the current block; false at its end, where `fill` must be called. */
  step(): boolean {
    if (this.#next >= this.#count && !this.#search()) return false;
    this.start = this.#at;
    this.end = this.#from + (this.#ends[this.#next++] as number);
    this.#at = this.end + 1;
    return true;
  }

  /** Finds the ends of the next lines; false at the end of the block. */
  #search(): boolean {
    const { length } = this.block;
    if (this.#at >= length) return false;
    this.#count = 0;
    this.#next = 0;
    while (this.#count === 0 && this.#searched < length) {
      const to = Math.min(length, this.#searched + PLACES_BYTES);
      const places = bytePlaces(this.block, this.#separator, this.#searched, to);
      if (places.length > this.#ends.length) this.#ends = new Int32Array(places.length * 2);
      this.#ends.set(places);
      this.#count = places.length;
      this.#from = this.#searched;
      this.#searched = to;
    }
    // The input's last line may lack its separator.
    if (this.#count === 0) {
      this.#from = length;
      this.#ends[0] = 0;
      this.#count = 1;
    }
    return true;
  }

  /** Moves to the first line of the next block; false at the end. Throws what the source throws, and LimitReached("line"). */
  async fill(): Promise<boolean> {
    const { done, value } = await this.#blocks.next();
    if (done === true) return false;
    // Copied, for the producer may use its memory again while lines of it are still compared.
    this.block = Buffer.from(value);
    this.words = new DataView(this.block.buffer, this.block.byteOffset, this.block.length);
    this.#at = 0;
    this.#searched = 0;
    this.#count = 0;
    this.#next = 0;
    return this.step();
  }

  /** The next line of the current block, without its separator; undefined at its end, where `next` must be called. */
  take(): Buffer | undefined {
    return this.step() ? this.block.subarray(this.start, this.end) : undefined;
  }

  /** The next line, or undefined at the end. Throws as `fill` does. */
  async next(): Promise<Buffer | undefined> {
    return this.step() || (await this.fill()) ? this.block.subarray(this.start, this.end) : undefined;
  }

  /** Stops the source. */
  async close(): Promise<void> {
    this.block = Buffer.alloc(0);
    this.#count = 0;
    await this.#blocks.return();
  }
}
