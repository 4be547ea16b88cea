/** Lines of the journal's file as bytes, from an offset forward or from the end backward. */
import { createHash, type Hash } from "node:crypto";
import type { WritableFile } from "../workspace/write/write-file.ts";

export const NEWLINE = 0x0a;
export const MOST_LINE_BYTES = 1 << 20;
/** First and last size of a chunk read backward: the last lines are mostly enough, and a longer search doubles the chunk. */
const FIRST_CHUNK_BYTES = 8 * 1024;
export const LAST_CHUNK_BYTES = 1024 * 1024;

/** Stands for a line that is longer than any of ours. */
export const TOO_LONG = Buffer.alloc(0);

/** A line of a file as its bytes. Hashed only where somebody asks. */
export class RawLine {
  readonly bytes: Buffer;
  /** Offset behind its newline, in bytes; where it has none yet, behind the newline before it. */
  readonly end: number;
  readonly #sha256: string | undefined;

  constructor(bytes: Buffer, end: number, hash?: string) {
    this.bytes = bytes;
    this.end = end;
    this.#sha256 = hash;
  }

  get sha256(): string {
    return this.#sha256 ?? sha256(this.bytes);
  }
}

/**
 * The lines of a file from an offset with their SHA-256. A line longer than MOST_LINE_BYTES is not held; TOO_LONG stands for it. With
 * `having`, lines without these bytes may be left out: a block is then searched as a whole.
 */
export function* rawLines(file: WritableFile, from = 0, having?: Buffer): Generator<RawLine, void> {
  for (const line of rawLinesOfBlocks(file, from, having)) if (line !== BLOCK_END) yield line;
}

/** Stands behind the lines that end in one block of the file. */
export const BLOCK_END = "block end";

/** `rawLines` with BLOCK_END behind each block: a block may hold no line at all, and whoever reads in slices ends one there. */
export function* rawLinesOfBlocks(file: WritableFile, from = 0, having?: Buffer): Generator<RawLine | typeof BLOCK_END, void> {
  let carried: Buffer = Buffer.alloc(0);
  /** Hash of a line that is too long to be held, up to here. */
  let passed: Hash | undefined;
  let position = from;
  let behindLine = from;
  for (const block of file.blocks(from, file.size)) {
    const whole = Buffer.from(block.buffer, block.byteOffset, block.length);
    let start = 0;
    for (let end = block.indexOf(NEWLINE); end >= 0; end = block.indexOf(NEWLINE, start)) {
      const piece = Buffer.from(block.buffer, block.byteOffset + start, end - start);
      behindLine = position + end + 1;
      if (passed !== undefined) yield new RawLine(TOO_LONG, behindLine, passed.update(piece).digest("hex"));
      else yield new RawLine(carried.length === 0 ? piece : Buffer.concat([carried, piece]), behindLine);
      carried = Buffer.alloc(0);
      passed = undefined;
      start = end + 1;
      if (having === undefined) continue;
      // On to the next line that holds it, or to the one that crosses the end of the block.
      const place = whole.indexOf(having, start);
      start = Math.max(start, whole.lastIndexOf(NEWLINE, place < 0 ? whole.length : place) + 1);
      behindLine = position + start;
    }
    position += block.length;
    const rest = block.subarray(start);
    if (passed !== undefined) passed.update(rest);
    else if (carried.length + rest.length <= MOST_LINE_BYTES) carried = Buffer.concat([carried, rest]);
    else {
      passed = createHash("sha256").update(carried).update(rest);
      carried = Buffer.alloc(0);
    }
    yield BLOCK_END;
  }
  if (passed !== undefined) yield new RawLine(TOO_LONG, behindLine, passed.digest("hex"));
  else if (carried.length > 0) yield new RawLine(carried, behindLine);
}

/**
 * The pieces between newlines, from the end of the file; TOO_LONG for a piece longer than any line of ours. The first piece
 * is empty where the file ends in a newline.
 */
export function* rawLinesBackward(file: WritableFile): Generator<Buffer, void> {
  let carried: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  let chunkBytes = FIRST_CHUNK_BYTES;
  for (let position = file.size; position > 0; chunkBytes = Math.min(chunkBytes * 2, LAST_CHUNK_BYTES)) {
    const from = Math.max(0, position - chunkBytes);
    const bytes: Buffer = Buffer.concat([file.bytes(from, position), carried]);
    position = from;
    let end = bytes.length;
    while (end > 0) {
      const newline = bytes.lastIndexOf(NEWLINE, end - 1);
      if (newline < 0) break;
      yield isTooLong ? TOO_LONG : bytes.subarray(newline + 1, end);
      isTooLong = false;
      end = newline;
    }
    if (end > MOST_LINE_BYTES) isTooLong = true;
    carried = isTooLong ? TOO_LONG : bytes.subarray(0, end);
  }
  yield isTooLong ? TOO_LONG : carried;
}

/** In hexadecimal. */
export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
