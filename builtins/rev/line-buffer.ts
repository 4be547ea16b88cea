/**
 * A line as the real rev reads it: in pieces of so many characters, for which its buffer is made twice as long each time.
 * Of a piece it drops what follows a NUL; where that was the end of the line, the next line is one more piece.
 */
import type { BlockBuilder } from "../../src/io/output.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { sequenceLength } from "../../src/io/text.ts";

/** A byte that is no text: nothing more is read. */
export class NotText extends Error {}

/** In characters, with the NUL that ends them: glibc's BUFSIZ. */
const FIRST_SIZE = 8192;
const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);

export class LineBuffer {
  #size = FIRST_SIZE;
  #kept = EMPTY;

  /** Whether a line has begun and not ended. */
  get isPending(): boolean {
    return this.#kept.length > 0;
  }

  /** What there is of a line belongs to another file; the size stays. */
  forget(): void {
    this.#kept = EMPTY;
  }

  /** A whole line, with its newline unless it is the last, that is text without NUL. */
  addPlain(line: Uint8Array, output: BlockBuilder): void {
    if (line.length >= this.#size) this.#growFor(line);
    addReversed(line, output);
  }

  /** A whole line of any kind. Whether it was ended and put out. Throws NotText, LimitReached. */
  add(line: Uint8Array, output: BlockBuilder, lineBytes: number): boolean {
    let hasEnded = false;
    for (let at = 0; at < line.length; ) {
      const end = pieceEnd(line, at, this.#size - 1);
      if (this.isPending) this.#size *= 2;
      const piece = line.subarray(at, end.at);
      const nul = piece.indexOf(0);
      const part = nul < 0 ? piece : piece.subarray(0, nul);
      if (!end.isText) {
        // What was read before it is printed all the same, this piece as it stands.
        if (this.isPending) {
          addReversed(this.#kept, output);
          output.add(part, 0, part.length);
        }
        this.#kept = EMPTY;
        throw new NotText();
      }
      if (this.#kept.length + part.length > lineBytes) throw new LimitReached("line", lineBytes, "bytes");
      this.#kept = Buffer.concat([this.#kept, part]);
      at = end.at;
      hasEnded = this.#kept.at(-1) === NEWLINE;
      if (hasEnded) this.finish(output);
    }
    return hasEnded;
  }

  /** The end of the file. */
  finish(output: BlockBuilder): void {
    addReversed(this.#kept, output);
    this.#kept = EMPTY;
  }

  #growFor(line: Uint8Array): void {
    for (let at = pieceEnd(line, 0, this.#size - 1).at; at < line.length; ) {
      at = pieceEnd(line, at, this.#size - 1).at;
      this.#size *= 2;
    }
  }
}

/** Where a piece of at most `most` characters ends, or the text does. */
function pieceEnd(line: Uint8Array, from: number, most: number): { readonly at: number; readonly isText: boolean } {
  let at = from;
  for (let left = most; left > 0 && at < line.length; left--) {
    const width = sequenceLength(line, at);
    if (width === 0) return { at, isText: false };
    at += width;
  }
  return { at, isText: true };
}

/** `line` is text; a newline stays at its end. */
function addReversed(line: Uint8Array, output: BlockBuilder): void {
  const hasEnd = line.at(-1) === NEWLINE;
  for (let at = hasEnd ? line.length - 1 : line.length; at > 0; ) {
    let from = at - 1;
    while (from > 0 && ((line[from] as number) & 0xc0) === 0x80) from--;
    output.add(line, from, at);
    at = from;
  }
  if (hasEnd) output.addByte(NEWLINE);
}
