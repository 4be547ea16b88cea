/**
 * cat's marks. The state goes on over blocks and over files: a file without a last newline and the next one make one
 * line, as in GNU cat.
 */
import { BlockBuilder } from "../../src/io/output.ts";
import { asBuffer, endOfLine, NEWLINE } from "../../src/io/lines.ts";

export interface Marks {
  readonly ends: boolean;
  readonly tabs: boolean;
  readonly nonprinting: boolean;
  readonly number: "none" | "all" | "nonblank";
  readonly squeeze: boolean;
}

export class LineMarker {
  readonly #marks: Marks;
  /** Whether nothing is marked: blocks may go through as they are. */
  readonly idle: boolean;
  readonly #spellings: Spellings | undefined;
  readonly #number = new LineNumber();
  #atLineStart = true;
  /** Empty lines seen in a row; the start of the input is not one. */
  #blankLines = 0;
  /** A carriage return at the end of a block: `^M` under -E if a newline follows, itself otherwise. */
  #pendingReturn = false;

  constructor(marks: Marks) {
    this.#marks = marks;
    this.idle = !marks.ends && !marks.tabs && !marks.nonprinting && !marks.squeeze && marks.number === "none";
    this.#spellings = marks.tabs || marks.nonprinting ? spellings(marks) : undefined;
  }

  /** `bytes` with its marks. */
  mark(bytes: Uint8Array): Uint8Array {
    const block = asBuffer(bytes);
    const output = new BlockBuilder(block.length + (block.length >> 2) + 64);
    for (let start = 0; start < block.length; ) {
      const end = endOfLine(block, start);
      if (end > start) this.#content(output, block, start, end);
      if (end < block.length) this.#newline(output);
      start = end + 1;
    }
    return output.take();
  }

  /** What is still held when the last file has ended. */
  end(): Uint8Array {
    return this.#pendingReturn ? Uint8Array.of(RETURN) : new Uint8Array(0);
  }

  #content(output: BlockBuilder, block: Buffer, start: number, end: number): void {
    if (this.#pendingReturn) {
      output.addByte(RETURN);
      this.#pendingReturn = false;
    }
    if (this.#atLineStart && this.#marks.number !== "none") this.#number.addNext(output);
    this.#atLineStart = false;
    this.#blankLines = 0;
    const marksReturn = this.#marks.ends && !this.#marks.nonprinting && block[end - 1] === RETURN;
    const until = marksReturn ? end - 1 : end;
    if (this.#spellings === undefined) output.add(block, start, until);
    else addSpelled(output, block, start, until, this.#spellings);
    if (!marksReturn) return;
    if (end < block.length) output.addLatin1("^M");
    else this.#pendingReturn = true;
  }

  #newline(output: BlockBuilder): void {
    if (this.#atLineStart) {
      this.#blankLines++;
      if (this.#blankLines >= 2 && this.#marks.squeeze) return;
      if (this.#marks.number === "all") this.#number.addNext(output);
    }
    if (this.#marks.ends) {
      if (this.#pendingReturn) {
        output.addLatin1("^M");
        this.#pendingReturn = false;
      }
      output.addByte(0x24);
    }
    output.addByte(NEWLINE);
    this.#atLineStart = true;
  }
}

interface Spellings {
  /** 1 where a byte does not stand for itself. */
  readonly isMarked: Uint8Array;
  readonly texts: readonly Uint8Array[];
}

function addSpelled(output: BlockBuilder, block: Buffer, start: number, end: number, { isMarked, texts }: Spellings): void {
  let plainFrom = start;
  for (let at = start; at < end; at++) {
    const byte = block[at] as number;
    if (isMarked[byte] === 0) continue;
    if (at > plainFrom) output.add(block, plainFrom, at);
    output.add(texts[byte] as Uint8Array);
    plainFrom = at + 1;
  }
  if (end > plainFrom) output.add(block, plainFrom, end);
}

/** How bytes are printed: under -v `^X` and `M-X`, under -T the tab. */
function spellings(marks: Marks): Spellings {
  const texts = Array.from({ length: 256 }, (_, byte) => {
    const itself = Buffer.of(byte);
    if (byte === TAB) return marks.tabs ? Buffer.from("^I") : itself;
    if (byte === NEWLINE || !marks.nonprinting || (byte >= 32 && byte < 127)) return itself;
    const low = byte & 0x7f;
    const shown = low < 32 ? `^${String.fromCharCode(low + 64)}` : low === 127 ? "^?" : String.fromCharCode(low);
    return Buffer.from(byte >= 128 ? `M-${shown}` : shown);
  });
  return { isMarked: Uint8Array.from(texts, (text, byte) => (text[0] === byte && text.length === 1 ? 0 : 1)), texts };
}

/** The line counter in print, right-aligned in six columns and followed by a tab; counted up in place. */
class LineNumber {
  #digits = Buffer.from("     0\t");

  addNext(output: BlockBuilder): void {
    const digits = this.#digits;
    let at = digits.length - 2;
    while (at >= 0 && digits[at] === 0x39) digits[at--] = 0x30;
    if (at < 0) this.#digits = Buffer.concat([Buffer.from("1"), digits]);
    else digits[at] = digits[at] === 0x20 ? 0x31 : (digits[at] as number) + 1;
    output.add(this.#digits);
  }
}

const TAB = 0x09;
const RETURN = 0x0d;
