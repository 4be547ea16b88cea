/**
 * Lines pulled one at a time, for tools that read several inputs side by side (comm, join, paste). No await per line:
 *
 *     const line = reader.take() ?? (await reader.next());
 */
import { endOfLine, lineBlocks, NEWLINE } from "./lines.ts";

export class LineReader {
  /** Whether the line that was given last ended in its separator: only the very last may not. */
  endedInSeparator = true;
  readonly #separator: number;
  readonly #blocks: AsyncGenerator<Buffer, void>;
  #block: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(source: AsyncIterable<Uint8Array>, lineBytes: number, separator: number = NEWLINE) {
    this.#separator = separator;
    this.#blocks = lineBlocks(source, lineBytes, separator);
  }

  /** The next line of the block at hand, without its separator; undefined where `next` must be asked. It stays as it is. */
  take(): Buffer | undefined {
    const block = this.#block;
    const start = this.#at;
    if (start >= block.length) return undefined;
    const end = endOfLine(block, start, this.#separator);
    this.endedInSeparator = end < block.length;
    this.#at = end + 1;
    return block.subarray(start, end);
  }

  /** The next line, or undefined at the end. Throws what the source throws, and LimitReached("line"). */
  async next(): Promise<Buffer | undefined> {
    const line = this.take();
    if (line !== undefined) return line;
    const { done, value } = await this.#blocks.next();
    if (done === true) return undefined;
    // Copied, for the producer may use its memory again while lines of it are still compared.
    this.#block = Buffer.from(value);
    this.#at = 0;
    return this.take();
  }

  /** Stops the source. */
  async close(): Promise<void> {
    this.#block = Buffer.alloc(0);
    await this.#blocks.return();
  }
}
