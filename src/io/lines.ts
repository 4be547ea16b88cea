/**
 * Blocks cut at line boundaries, so that a builtin can work through a block synchronously without meeting half a line.
 *
 *     for await (const block of lineBlocks(source, limits.lineBytes)) {
 *       for (let start = 0; start < block.length; ) {
 *         const end = endOfLine(block, start);      // index of the separator, or block.length without one
 *         … block[start..end) …
 *         start = end + 1;
 *       }
 *     }
 *
 * Only the very last line can lack its separator.
 */
import { LimitReached } from "./limit-reached.ts";

export const NEWLINE = 0x0a;

/**
 * The bytes of `blocks` in blocks that end right after a separator; the last one may not. A line that crosses a
 * block boundary comes as a small block of its own, so that large blocks are not copied. No block is empty.
 * Throws LimitReached("line") for a line longer than `lineBytes`.
 */
export async function* lineBlocks(
  blocks: AsyncIterable<Uint8Array>,
  lineBytes: number,
  separator: number = NEWLINE,
): AsyncGenerator<Buffer, void> {
  const carry = new Carry(lineBytes);
  for await (const bytes of blocks) {
    const block = asBuffer(bytes);
    const last = block.lastIndexOf(separator);
    if (last < 0) {
      carry.add(block);
      continue;
    }
    let from = 0;
    if (!carry.empty) {
      from = block.indexOf(separator) + 1;
      carry.add(block.subarray(0, from));
      yield carry.take();
    }
    if (last >= from) yield from === 0 && last + 1 === block.length ? block : block.subarray(from, last + 1);
    if (last + 1 < block.length) carry.add(block.subarray(last + 1));
  }
  if (!carry.empty) yield carry.take();
}

/** The index of the separator that ends the line which begins at `start`, or `block.length` where it has none. */
export function endOfLine(block: Buffer, start: number, separator: number = NEWLINE): number {
  // Most lines are short: a few steps here are cheaper than a call into memchr.
  const near = Math.min(start + 24, block.length);
  for (let at = start; at < near; at++) if (block[at] === separator) return at;
  if (near === block.length) return near;
  const found = block.indexOf(separator, near);
  return found < 0 ? block.length : found;
}

/** The lines of one block without their separators, as views. For callers to whom an object per line does not matter. */
export function* linesOf(block: Buffer, separator: number = NEWLINE): Generator<Buffer, void> {
  for (let start = 0; start < block.length; ) {
    const end = endOfLine(block, start, separator);
    yield block.subarray(start, end);
    start = end + 1;
  }
}

/** The same bytes as a Buffer, whose indexOf and compare run natively. No copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A line that is not complete yet. Copies what it holds: the producer may reuse its memory. */
class Carry {
  readonly #lineBytes: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(lineBytes: number) {
    this.#lineBytes = lineBytes;
  }

  get empty(): boolean {
    return this.#length === 0;
  }

  add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#lineBytes + 1) throw new LimitReached("line", this.#lineBytes, "bytes");
    this.#parts.push(Buffer.from(part));
  }

  take(): Buffer {
    const line = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts, this.#length);
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}
