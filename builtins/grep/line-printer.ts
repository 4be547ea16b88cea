/** Prints lines as GNU grep does: name, line number, byte offset, separators, colours (grep manual, chapters 2 and 4). */
import { isUtf8 } from "node:buffer";
import { colourSequence } from "../../src/display/colour.ts";
import type { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";
import type { LineMatcher } from "../../src/regex/posix-matcher.ts";
import type { Settings } from "./settings.ts";

/** Marks selected lines (`:`) and lines of context (`-`). */
export const SELECTED = ":";
export const CONTEXT = "-";
export type Separator = typeof SELECTED | typeof CONTEXT;

/** The default GREP_COLORS. */
const COLORS = { match: "01;31", name: "35", lineNumber: "32", byteOffset: "32", separator: "36" };

export class LinePrinter {
  readonly #output: BlockBuilder;
  readonly #settings: Settings;
  readonly #matcher: LineMatcher;
  #name: string | undefined;
  /** `#name`, once it is printed: in most files nothing is. */
  #nameBytes: Uint8Array | undefined;
  /** Width of numbers with -T. */
  #numberWidth = 0;
  /** Set where a line could not be printed because it is not text. */
  metBinary = false;
  /** The bytes at hand, until it is known whether all of them are valid UTF-8, so that no line need be looked at. */
  #block: Buffer | undefined;
  #blockTo = 0;
  #isText = false;

  constructor(output: BlockBuilder, settings: Settings, matcher: LineMatcher) {
    this.#output = output;
    this.#settings = settings;
    this.#matcher = matcher;
  }

  /** A new file. `name`: shown before each line, if at all. `size`: undefined where it is not known. */
  startFile(name: string | undefined, size: number | undefined): void {
    this.#name = name;
    this.#nameBytes = undefined;
    this.metBinary = false;
    if (!this.#settings.initialTab) return;
    this.#numberWidth = size === undefined ? "9223372036854775807".length : String(size + (this.#settings.lineNumber ? 1 : 0)).length;
  }

  /** New bytes: lines printed until the next call lie before `to`. */
  startBlock(bytes: Buffer, to: number): void {
    this.#block = bytes;
    this.#blockTo = to;
  }

  get #blockIsText(): boolean {
    if (this.#block !== undefined) {
      const { binaryFiles, everyByteIsText } = this.#settings;
      this.#isText = binaryFiles === "text" || everyByteIsText || isUtf8(this.#block.subarray(0, this.#blockTo));
    }
    this.#block = undefined;
    return this.#isText;
  }

  /** True if a run of selected lines may be printed as it stands. */
  get printsPlainLines(): boolean {
    const { color, onlyMatching, lineNumber, byteOffset } = this.#settings;
    return this.#blockIsText && this.#name === undefined && !color && !onlyMatching && !lineNumber && !byteOffset;
  }

  /**
   * Prints one line, `to` being just after its line end. `lineNumber` and `byteOffset` are those of `from`.
   * Returns false where the line is not text and was not printed.
   */
  line(bytes: Buffer, from: number, to: number, separator: Separator, lineNumber: number, byteOffset: number): boolean {
    const { onlyMatching, color, invert } = this.#settings;
    const output = this.#output;
    if (!onlyMatching && !this.#head(bytes, from, to - 1, separator, lineNumber, byteOffset)) return false;
    let rest = from;
    const matching = (separator === SELECTED) !== invert;
    if (matching && (onlyMatching || color)) {
      const after = this.#matches(bytes, from, to, lineNumber, byteOffset);
      if (after < 0) return false;
      rest = after;
    }
    if (!onlyMatching && rest < to) output.add(bytes, rest, to);
    return true;
  }

  /** Prints a run of selected lines as it stands: only where `printsPlainLines`. */
  run(bytes: Buffer, from: number, to: number): void {
    this.#output.add(bytes, from, to);
  }

  groupSeparator(text: string): void {
    this.#colored(COLORS.separator, toBytes(text));
    this.#output.addByte(10);
  }

  /** Name and count, or name alone. */
  count(count: number): void {
    if (this.#name !== undefined) {
      this.#nameBytes ??= toBytes(this.#name);
      this.#fileName(this.#nameBytes);
      if (this.#settings.nullAfterName) this.#output.addByte(0);
      else this.#separator(SELECTED);
    }
    this.#output.addLatin1(`${count}\n`);
  }

  fileName(name: string): void {
    this.#fileName(toBytes(name));
    this.#output.addByte(this.#settings.nullAfterName ? 0 : 10);
  }

  #head(bytes: Buffer, from: number, to: number, separator: Separator, lineNumber: number, byteOffset: number): boolean {
    if (!this.#blockIsText && !isUtf8(bytes.subarray(from, to))) {
      this.metBinary = true;
      return false;
    }
    const { lineNumber: withLineNumber, byteOffset: withByteOffset, nullAfterName, initialTab } = this.#settings;
    if (this.#name !== undefined) {
      this.#nameBytes ??= toBytes(this.#name);
      this.#fileName(this.#nameBytes);
      if (nullAfterName) this.#output.addByte(0);
      else this.#separator(separator);
    }
    if (withLineNumber) this.#number(lineNumber, COLORS.lineNumber, separator);
    if (withByteOffset) this.#number(byteOffset, COLORS.byteOffset, separator);
    if (initialTab && to > from && (this.#name !== undefined || withLineNumber || withByteOffset)) this.#output.addByte(9);
    return true;
  }

  /** The matches of a line: alone (-o) or in colour. Returns where the rest of the line begins, or -1. */
  #matches(bytes: Buffer, from: number, to: number, lineNumber: number, byteOffset: number): number {
    const { onlyMatching, invert, color, lineEnd } = this.#settings;
    const matches = this.#matcher.matchesIn(bytes, from, to - 1);
    let at = from;
    let printed = from;
    while (at < to - 1 && matches.find(at)) {
      const { start, end } = matches;
      if (start >= to - 1) break;
      if (end === start) {
        at = start + 1;
        continue;
      }
      if (onlyMatching) {
        const separator = invert ? CONTEXT : SELECTED;
        if (!this.#head(bytes, start, end, separator, lineNumber, byteOffset + (start - from))) return -1;
      } else {
        this.#output.add(bytes, printed, start);
      }
      if (color) this.#colored(COLORS.match, bytes, start, end);
      else this.#output.add(bytes, start, end);
      if (onlyMatching) this.#output.addByte(lineEnd);
      at = end;
      printed = end;
    }
    return onlyMatching ? to : printed;
  }

  #fileName(name: Uint8Array): void {
    if (this.#settings.color) this.#colored(COLORS.name, name);
    else this.#output.add(name);
  }

  #separator(separator: Separator): void {
    if (this.#settings.color) this.#colored(COLORS.separator, Buffer.from(separator));
    else this.#output.addByte(separator === SELECTED ? 0x3a : 0x2d);
  }

  #number(value: number, color: string, separator: Separator): void {
    if (this.#numberWidth === 0 && !this.#settings.color) {
      addDecimal(this.#output, value);
      this.#separator(separator);
      return;
    }
    const text = String(value).padStart(this.#numberWidth);
    if (this.#settings.color) this.#colored(color, Buffer.from(text));
    else this.#output.addLatin1(text);
    this.#separator(separator);
  }

  #colored(color: string, bytes: Uint8Array, from = 0, to = bytes.length): void {
    if (!this.#settings.color) {
      this.#output.add(bytes, from, to);
      return;
    }
    const { colorMark } = this.#settings;
    // GNU grep's, against a terminal that fills the rest of a line with the colour at hand.
    const clear = colorMark === "" ? "\x1b[K" : "";
    this.#output.addLatin1(`${colourSequence(colorMark, color)}${clear}`);
    this.#output.add(bytes, from, to);
    this.#output.addLatin1(`${colourSequence(colorMark, "")}${clear}`);
  }
}

/** Decimal digits, straight into the block: a line number is printed for every line. */
function addDecimal(output: BlockBuilder, value: number): void {
  let unit = 1;
  while (unit * 10 <= value) unit *= 10;
  for (let rest = value; unit >= 1; unit /= 10) {
    const digit = Math.floor(rest / unit);
    output.addByte(0x30 + digit);
    rest -= digit * unit;
  }
}
