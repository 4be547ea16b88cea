/** A patch as lines, read one after the other; the place can be put back. */
import { NEWLINE } from "../../src/io/lines.ts";

/** Place between two lines: bytes, and lines before it. */
export interface PatchPlace {
  readonly at: number;
  readonly lineNumber: number;
}

/** The manner in which a patch was bent on its way: indented in a message, or with the line ends of another system. */
export interface PatchForm {
  readonly indent: number;
  readonly stripsReturns: boolean;
}

export const PLAIN_FORM: PatchForm = { indent: 0, stripsReturns: false };

export class PatchLines {
  readonly bytes: Buffer;
  form: PatchForm = PLAIN_FORM;
  /** Called where the last line has no end, which GNU patch takes for the end of the patch. */
  onUnended: () => void = () => {};
  #at = 0;
  #lineNumber = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get place(): PatchPlace {
    return { at: this.#at, lineNumber: this.#lineNumber };
  }

  set place({ at, lineNumber }: PatchPlace) {
    this.#at = at;
    this.#lineNumber = lineNumber;
  }

  get lineNumber(): number {
    return this.#lineNumber;
  }

  /** The next line with its end, and without lines that begin with `#`; undefined at the end. */
  next(): Buffer | undefined {
    for (;;) {
      const start = this.#at;
      if (start >= this.bytes.length) return undefined;
      const found = this.bytes.indexOf(NEWLINE, start);
      const end = found < 0 ? this.bytes.length : found + 1;
      this.#at = end;
      this.#lineNumber++;
      if (found < 0) {
        this.onUnended();
        return undefined;
      }
      let line = this.#unindented(this.bytes.subarray(start, end));
      if (this.form.stripsReturns && line.at(-2) === RETURN) line = Buffer.concat([line.subarray(0, -2), LINE_END]);
      if (line[0] !== HASH) return line;
    }
  }

  /** Passes over a `\ No newline at end of file`; true where there was one. */
  skipsIncomplete(): boolean {
    const { place } = this;
    if (this.#at >= this.bytes.length || this.#unindented(this.bytes.subarray(this.#at, this.#at + 1024))[0] !== BACKSLASH) return false;
    const end = this.bytes.indexOf(NEWLINE, place.at);
    this.place = { at: end < 0 ? this.bytes.length : end + 1, lineNumber: place.lineNumber };
    return true;
  }

  #unindented(line: Buffer): Buffer {
    const { indent } = this.form;
    let at = 0;
    for (let column = 0; column < indent; at++) {
      const byte = line[at];
      if (byte === SPACE || byte === LETTER_X) column++;
      else if (byte === TAB) column = (column + 8) & ~7;
      else break;
    }
    return line.subarray(at);
  }
}

const LINE_END = Buffer.from("\n");
const [RETURN, HASH, BACKSLASH, SPACE, LETTER_X, TAB] = [0x0d, 0x23, 0x5c, 0x20, 0x58, 0x09];
