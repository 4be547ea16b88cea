/** The numbering itself. Its state goes on from file to file. */
import { endOfLine, NEWLINE } from "../../src/io/lines.ts";
import type { BlockBuilder } from "../../src/io/output.ts";
import type { Style } from "./style.ts";

export type Section = "header" | "body" | "footer";

export interface NumberingOptions {
  readonly styles: Readonly<Record<Section, Style>>;
  readonly start: bigint;
  readonly step: bigint;
  /** Whether each page begins with `start` again. */
  readonly renumbers: boolean;
  readonly joinedBlankLines: bigint;
  readonly separator: Uint8Array;
  readonly width: number;
  readonly format: "ln" | "rn" | "rz";
  /** Three of it alone on a line begin a header, two a body, one a footer; empty: no sections. */
  readonly delimiter: Uint8Array;
}

/** The number would pass what an intmax_t holds. What was printed before it stands. */
export class LineNumberOverflow extends Error {
  override readonly name = "LineNumberOverflow";
}

export class Numbering {
  readonly #options: NumberingOptions;
  readonly #noNumber: Buffer;
  #style: Style;
  #number: bigint | number;
  readonly #step: bigint | number;
  #blankLines = 0n;
  #digits = Buffer.alloc(32);

  constructor(options: NumberingOptions) {
    this.#options = options;
    this.#style = options.styles.body;
    this.#number = plain(options.start);
    this.#step = plain(options.step);
    this.#noNumber = Buffer.alloc(options.width + options.separator.length, " ");
  }

  /** Appends the lines of `block`, numbered. A last line without a newline gets one. Throws LineNumberOverflow. */
  add(block: Buffer, output: BlockBuilder): void {
    for (let start = 0; start < block.length; ) {
      const end = endOfLine(block, start);
      const section = this.#sectionBegun(block, start, end);
      if (section === undefined) {
        if (this.#numbers(block, start, end)) this.#addNumber(output);
        else output.add(this.#noNumber);
        output.add(block, start, end);
      } else {
        this.#style = this.#options.styles[section];
        if (this.#options.renumbers) this.#number = plain(this.#options.start);
      }
      output.addByte(NEWLINE);
      start = end + 1;
    }
  }

  #sectionBegun(block: Buffer, start: number, end: number): Section | undefined {
    const { delimiter } = this.#options;
    const length = end - start;
    if (length < 2 || delimiter.length === 0 || length % delimiter.length !== 0 || length > 3 * delimiter.length) return undefined;
    for (let at = start; at < end; at++) if (block[at] !== delimiter[(at - start) % delimiter.length]) return undefined;
    return (["footer", "body", "header"] as const)[length / delimiter.length - 1];
  }

  #numbers(block: Buffer, start: number, end: number): boolean {
    switch (this.#style.kind) {
      case "none":
        return false;
      case "nonempty":
        return end > start;
      case "matching":
        return this.#style.matcher.test(block, start, end);
      case "all":
        if (end === start && ++this.#blankLines < this.#options.joinedBlankLines) return false;
        this.#blankLines = 0n;
        return true;
    }
  }

  #addNumber(output: BlockBuilder): void {
    const number = this.#number;
    if (number > INTMAX_MAX || number < INTMAX_MIN) throw new LineNumberOverflow();
    const text = this.#shown(number);
    const digits = this.#digits.length < text.length ? (this.#digits = Buffer.alloc(text.length)) : this.#digits;
    // A loop: the native write costs more than these few digits.
    for (let at = 0; at < text.length; at++) digits[at] = text.charCodeAt(at);
    output.add(digits, 0, text.length);
    output.add(this.#options.separator);
    this.#number =
      typeof number === "number" && typeof this.#step === "number" ? plain(number + this.#step) : BigInt(number) + BigInt(this.#step);
  }

  #shown(number: bigint | number): string {
    const { format, width } = this.#options;
    const text = String(number);
    if (format === "rn") return text.padStart(width);
    if (format === "ln") return text.padEnd(width);
    return number < 0 ? `-${text.slice(1).padStart(width - 1, "0")}` : text.padStart(width, "0");
  }
}

/** A number, which is fast, where that is exact. */
function plain(value: bigint | number): bigint | number {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : BigInt(value);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER) ? Number(value) : value;
}

const INTMAX_MAX = (1n << 63n) - 1n;
const INTMAX_MIN = -(1n << 63n);
