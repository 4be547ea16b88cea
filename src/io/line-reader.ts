/**
 * Lines pulled one at a time, for tools that read several inputs side by side (comm, join, paste). No await per line:
 *
 *     const line = reader.take() ?? (await reader.next());
 *
 * and no object per line where there are many of them:
 *
 *     if (reader.step() || (await reader.fill())) … reader.block[reader.start..reader.end) …
 */
import { endOfLine, lineBlocks, NEWLINE } from "./lines.ts";

export class LineReader {
  /** Where the line that `step` moved to stands; what is in a block stays as it is. */
  block: Buffer = Buffer.alloc(0);
  start = 0;
  end = 0;
  readonly #separator: number;
  readonly #blocks: AsyncGenerator<Buffer, void>;
  #at = 0;

  constructor(source: AsyncIterable<Uint8Array>, lineBytes: number, separator: number = NEWLINE) {
    this.#separator = separator;
    this.#blocks = lineBlocks(source, lineBytes, separator);
  }

  /** Moves to the next line of the block at hand; false where `fill` must be asked. */
  step(): boolean {
    const at = this.#at;
    if (at >= this.block.length) return false;
    const end = endOfLine(this.block, at, this.#separator);
    this.start = at;
    this.end = end;
    this.#at = end + 1;
    return true;
  }

  /** Moves to the first line of the next block; false at the end. Throws what the source throws, and LimitReached("line"). */
  async fill(): Promise<boolean> {
    const { done, value } = await this.#blocks.next();
    if (done === true) return false;
    // Copied, for the producer may use its memory again while lines of it are still compared.
    this.block = Buffer.from(value);
    this.#at = 0;
    return this.step();
  }

  /** The next line of the block at hand, without its separator; undefined where `next` must be asked. */
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
    await this.#blocks.return();
  }
}
