/**
 * The last lines or bytes of an input, for head's `-n -5` and tail's `-n 5`: by reading a file backwards, or by
 * holding the end of what comes through a pipe.
 */
import { LimitReached } from "../../src/io/limit-reached.ts";
import { countByte, indexAfter, indexAfterFromEnd } from "../../src/io/count-byte.ts";
import { BLOCK_BYTES } from "../../src/io/output.ts";
import type { OpenFile } from "../../src/workspace/contract.ts";

/**
 * The byte where the last `lines` lines of `file`, or of its first `endByte` bytes, begin. A last line without its separator is one too. Throws
 * LimitReached("line") past `lineBytes` without a separator: a sparse file is as long as it says it is.
 */
export function lastLinesStart(file: OpenFile, lines: number, separator: number, lineBytes: number, endByte = file.status.size): number {
  let end = endByte;
  if (lines === 0 || end === 0) return end;
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let left = lines;
  let isLast = true;
  let lineEnd = end;
  while (end > 0) {
    const from = Math.max(0, end - block.length);
    const part = block.subarray(0, readFully(file, block.subarray(0, end - from), from));
    if (isLast && part[part.length - 1] === separator) left++;
    isLast = false;
    const count = countByte(part, separator);
    if (count >= left) return from + indexAfterFromEnd(part, separator, left);
    left -= count;
    end = from;
    if (count > 0) lineEnd = from;
    else if (lineEnd - from > lineBytes) throw new LimitReached("line", lineBytes, "bytes");
  }
  return 0;
}

/** Fills `into` from byte `from` on, as far as the file goes; returns how many bytes. */
function readFully(file: OpenFile, into: Uint8Array, from: number): number {
  let filled = 0;
  while (filled < into.length) {
    const count = file.readAt(into.subarray(filled), from + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** What a held end of input comes apart into. */
export interface SplitEnd {
  readonly before: readonly Uint8Array[];
  readonly last: readonly Uint8Array[];
}

/** Holds the last lines (or bytes) of a stream and gives back what cannot be among them any more. */
export interface HeldEnd {
  /** Takes a block; returns what is certainly before the last ones. Throws LimitReached("held"). */
  add(block: Uint8Array): readonly Uint8Array[];
  /** At the end of the stream: what is held, split. */
  end(): SplitEnd;
}

export function holdLastLines(lines: number, separator: number, heldBytes: number): HeldEnd {
  return new HeldLines(lines, separator, heldBytes);
}

export function holdLastBytes(bytes: number, heldBytes: number): HeldEnd {
  return new HeldBytes(bytes, heldBytes);
}

interface Chunk {
  /** The memory; `length` bytes of it are used. */
  bytes: Buffer;
  length: number;
  /** Separators in it. */
  count: number;
}

class HeldLines implements HeldEnd {
  readonly #lines: number;
  readonly #separator: number;
  readonly #heldBytes: number;
  readonly #chunks: Chunk[] = [];
  #held = 0;
  #count = 0;

  constructor(lines: number, separator: number, heldBytes: number) {
    this.#lines = lines;
    this.#separator = separator;
    this.#heldBytes = heldBytes;
  }

  add(block: Uint8Array): readonly Uint8Array[] {
    const count = countByte(block, this.#separator);
    append(this.#chunks, block, count);
    this.#held += block.length;
    this.#count += count;
    const released: Uint8Array[] = [];
    // One separator more than lines: a last line may turn out to lack its own.
    for (let first = this.#chunks[0]; first !== undefined && this.#count - first.count > this.#lines; first = this.#chunks[0]) {
      released.push(used(first));
      this.#held -= first.length;
      this.#count -= first.count;
      this.#chunks.shift();
    }
    if (this.#held > this.#heldBytes) throw new LimitReached("held", this.#heldBytes, "bytes");
    return released;
  }

  end(): SplitEnd {
    const final = this.#chunks.at(-1);
    const isOpen = final !== undefined && final.bytes[final.length - 1] !== this.#separator;
    let skip = Math.max(0, this.#count + (isOpen ? 1 : 0) - this.#lines);
    const before: Uint8Array[] = [];
    const last: Uint8Array[] = [];
    for (const chunk of this.#chunks) {
      const bytes = used(chunk);
      const at = skip === 0 ? 0 : indexAfter(bytes, this.#separator, skip);
      skip = Math.max(0, skip - chunk.count);
      if (at > 0) before.push(bytes.subarray(0, at));
      if (at < bytes.length) last.push(bytes.subarray(at));
    }
    return { before, last };
  }
}

class HeldBytes implements HeldEnd {
  readonly #bytes: number;
  readonly #heldBytes: number;
  readonly #chunks: Chunk[] = [];
  #held = 0;

  constructor(bytes: number, heldBytes: number) {
    this.#bytes = bytes;
    this.#heldBytes = heldBytes;
  }

  add(block: Uint8Array): readonly Uint8Array[] {
    append(this.#chunks, block, 0);
    this.#held += block.length;
    const released: Uint8Array[] = [];
    for (let first = this.#chunks[0]; first !== undefined && this.#held - first.length >= this.#bytes; first = this.#chunks[0]) {
      released.push(used(first));
      this.#held -= first.length;
      this.#chunks.shift();
    }
    if (this.#held > this.#heldBytes) throw new LimitReached("held", this.#heldBytes, "bytes");
    return released;
  }

  end(): SplitEnd {
    const first = this.#chunks[0];
    if (first === undefined) return { before: [], last: [] };
    const cut = Math.max(0, this.#held - this.#bytes);
    const bytes = used(first);
    return {
      before: [bytes.subarray(0, cut)],
      last: [bytes.subarray(cut), ...this.#chunks.slice(1).map(used)],
    };
  }
}

const used = (chunk: Chunk): Buffer => chunk.bytes.subarray(0, chunk.length);

/** Copies, because a producer may use its memory again. Small blocks share a chunk, so that many of them stay cheap. */
function append(chunks: Chunk[], block: Uint8Array, count: number): void {
  if (block.length >= SMALL) {
    chunks.push({ bytes: Buffer.from(block), length: block.length, count });
    return;
  }
  let chunk = chunks.at(-1);
  if (chunk === undefined || chunk.bytes.length - chunk.length < block.length || chunk.bytes.length !== BLOCK_BYTES) {
    chunk = { bytes: Buffer.allocUnsafeSlow(BLOCK_BYTES), length: 0, count: 0 };
    chunks.push(chunk);
  }
  chunk.bytes.set(block, chunk.length);
  chunk.length += block.length;
  chunk.count += count;
}

/** In bytes. */
const SMALL = 4096;
