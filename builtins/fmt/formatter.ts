/**
 * The paragraphs of a file, read byte by byte. Lines of a paragraph have the same indentation, and the same prefix if there is one;
 * the rest is copied. The limits on words and bytes held at once are those of GNU fmt: they show in what becomes of long paragraphs.
 */
import { NEWLINE } from "../../src/io/lines.ts";
import type { BlockBuilder } from "../../src/io/output.ts";
import { bestBreaks, type Breaks, type Word } from "./line-breaks.ts";

export interface Layout {
  /** The lines that are one paragraph: each ("split"), those below the first with one indentation of their own ("crown", "tagged"). */
  readonly kind: "plain" | "split" | "crown" | "tagged";
  readonly isUniform: boolean;
  readonly width: number;
  readonly goal: number;
  /** Without blanks before and after it. */
  readonly prefix: Uint8Array;
  /** Blanks before it, and its length with those after it. */
  readonly prefixLead: number;
  readonly prefixFull: number;
}

const END = -1;
const SPACE = 0x20;
const TAB = 0x09;
const TAB_COLUMNS = 8;
const MOST_WORDS = 998;
const MOST_BYTES = 5000;
/** Secondary indentation of a tagged paragraph of one line. */
const TAG_INDENT = 3;

const isSpace = (byte: number): boolean => byte === SPACE || (byte >= 0x09 && byte <= 0x0d);

export class Formatter {
  readonly #layout: Layout;
  readonly #output: BlockBuilder;
  /** Wants one byte, or END, at a time. */
  readonly #reader: Generator<void, void, number>;
  #column = 0;
  #outColumn = 0;
  #hasTabs = false;
  #nextPrefixIndent = 0;
  #prefixIndent = 0;
  #firstIndent = 0;
  #otherIndent = 0;
  #lastLength = 0;
  #words: Word[] = [];
  /** The word being read, and the bytes of the paragraph. */
  #word: number[] = [];
  #bytes = 0;

  constructor(layout: Layout, output: BlockBuilder) {
    this.#layout = layout;
    this.#output = output;
    this.#reader = this.#read();
    this.#reader.next();
  }

  add(byte: number): void {
    this.#reader.next(byte);
  }

  end(): void {
    // A byte is asked for again at the end of a file.
    while (this.#reader.next(END).done !== true);
  }

  *#read(): Generator<void, void, number> {
    let next = yield* this.#linePrefix();
    for (;;) {
      this.#lastLength = 0;
      while (next === NEWLINE || next === END || this.#lacksPrefix()) {
        const end = yield* this.#copyRest(next);
        if (end === END) return;
        this.#output.addByte(NEWLINE);
        next = yield* this.#linePrefix();
      }
      next = yield* this.#paragraph(next);
      this.#putParagraph(bestBreaks(this.#words, this.#settings()), this.#words.length);
    }
  }

  #settings() {
    const { width, goal } = this.#layout;
    return { width, goal, first: this.#firstIndent, other: this.#otherIndent, lastLength: this.#lastLength };
  }

  #lacksPrefix(): boolean {
    return this.#nextPrefixIndent < this.#layout.prefixLead || this.#column < this.#nextPrefixIndent + this.#layout.prefixFull;
  }

  // Reading

  /** Gives the byte after the prefix and the blanks behind it, or the first that is not the prefix's. */
  *#linePrefix(): Generator<void, number, number> {
    const { prefix, prefixLead } = this.#layout;
    this.#column = 0;
    let byte = yield* this.#blanks(yield);
    if (prefix.length === 0) {
      this.#nextPrefixIndent = Math.min(prefixLead, this.#column);
      return byte;
    }
    this.#nextPrefixIndent = this.#column;
    for (const wanted of prefix) {
      if (byte !== wanted) return byte;
      this.#column++;
      byte = yield;
    }
    return yield* this.#blanks(byte);
  }

  *#blanks(first: number): Generator<void, number, number> {
    for (let byte = first; ; byte = yield) {
      if (byte === SPACE) this.#column++;
      else if (byte === TAB) {
        this.#hasTabs = true;
        this.#column = (Math.floor(this.#column / TAB_COLUMNS) + 1) * TAB_COLUMNS;
      } else return byte;
    }
  }

  /** Copies a line that is of no paragraph; gives the newline or END. */
  *#copyRest(first: number): Generator<void, number, number> {
    const { prefix } = this.#layout;
    this.#outColumn = 0;
    let byte = first;
    if (this.#column > this.#nextPrefixIndent || (byte !== NEWLINE && byte !== END)) {
      this.#putSpace(this.#nextPrefixIndent);
      for (let at = 0; this.#outColumn !== this.#column && at < prefix.length; at++, this.#outColumn++) {
        this.#output.addByte(prefix[at] as number);
      }
      if (byte !== END && byte !== NEWLINE) this.#putSpace(this.#column - this.#outColumn);
      if (byte === END && this.#column >= this.#nextPrefixIndent + prefix.length) this.#output.addByte(NEWLINE);
    }
    while (byte !== NEWLINE && byte !== END) {
      this.#output.addByte(byte);
      byte = yield;
    }
    return byte;
  }

  *#paragraph(first: number): Generator<void, number, number> {
    const { kind } = this.#layout;
    this.#prefixIndent = this.#nextPrefixIndent;
    this.#firstIndent = this.#column;
    this.#words = [];
    this.#bytes = 0;
    let next = yield* this.#line(first);
    this.#setOtherIndent(this.#isSameParagraph(next));
    const goesOn = kind === "crown" ? true : kind === "tagged" ? this.#column !== this.#firstIndent : this.#column === this.#otherIndent;
    if (kind !== "split" && goesOn && this.#isSameParagraph(next)) {
      do next = yield* this.#line(next);
      while (this.#isSameParagraph(next) && this.#column === this.#otherIndent);
    }
    const last = this.#words.at(-1);
    if (last !== undefined) last.isPeriod = last.isFinal = true;
    return next;
  }

  #isSameParagraph(next: number): boolean {
    const hasPrefix = this.#nextPrefixIndent === this.#prefixIndent && this.#column >= this.#nextPrefixIndent + this.#layout.prefixFull;
    return hasPrefix && next !== NEWLINE && next !== END;
  }

  #setOtherIndent(isSame: boolean): void {
    const { kind } = this.#layout;
    if (kind === "crown") this.#otherIndent = isSame ? this.#column : this.#firstIndent;
    else if (kind === "tagged") {
      if (isSame && this.#column !== this.#firstIndent) this.#otherIndent = this.#column;
      else if (this.#otherIndent === this.#firstIndent) this.#otherIndent = this.#firstIndent === 0 ? TAG_INDENT : 0;
    } else this.#otherIndent = this.#firstIndent;
  }

  /** Reads the words of a line; gives the first byte after the next line's prefix. */
  *#line(first: number): Generator<void, number, number> {
    let byte = first;
    do {
      this.#word = [];
      do {
        if (this.#bytes === MOST_BYTES) this.#flush();
        this.#word.push(byte);
        this.#bytes++;
        byte = yield;
      } while (byte !== END && !isSpace(byte));
      this.#column += this.#word.length;
      const word = wordOf(this.#word);
      const start = this.#column;
      byte = yield* this.#blanks(byte);
      word.space = this.#column - start;
      word.isFinal = byte === END || (word.isPeriod && (byte === NEWLINE || word.space > 1));
      if (byte === NEWLINE || byte === END || this.#layout.isUniform) word.space = word.isFinal ? 2 : 1;
      if (this.#words.length === MOST_WORDS) this.#flush(word);
      this.#words.push(word);
    } while (byte !== NEWLINE && byte !== END);
    return yield* this.#linePrefix();
  }

  /** Prints a part of a paragraph that is too long to be held: as far as there is a good break near its end. */
  #flush(unfinished?: Word): void {
    this.#setOtherIndent(true);
    const { length } = this.#words;
    if (length === 0) {
      this.#output.add(Uint8Array.from(this.#word));
      this.#word = [];
      this.#bytes = 0;
      return;
    }
    const breaks = bestBreaks(this.#words, this.#settings());
    const costAt = (at: number): number => (at === length ? 0 : (breaks.cost[at] as number));
    let split = length;
    let best = Infinity;
    for (let at = breaks.next[0] as number; at !== length; at = breaks.next[at] as number) {
      const cost = costAt(at) - costAt(breaks.next[at] as number);
      if (cost < best) [split, best] = [at, cost];
      best += LINE_CREDIT;
    }
    this.#putParagraph(breaks, split);
    this.#words = this.#words.slice(split);
    const held = this.#words.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.#bytes = held + (unfinished?.bytes.length ?? this.#word.length);
  }

  // Writing

  #putParagraph({ next }: Breaks, end: number): void {
    for (let at = 0; at !== end; at = next[at] as number)
      this.#putLine(at, next[at] as number, at === 0 ? this.#firstIndent : this.#otherIndent);
  }

  #putLine(from: number, to: number, indent: number): void {
    const { prefix } = this.#layout;
    this.#outColumn = 0;
    this.#putSpace(this.#prefixIndent);
    this.#output.add(prefix);
    this.#outColumn += prefix.length;
    this.#putSpace(indent - this.#outColumn);
    for (let at = from; at < to; at++) {
      const { bytes, space } = this.#words[at] as Word;
      this.#output.add(bytes);
      this.#outColumn += bytes.length;
      if (at < to - 1) this.#putSpace(space);
    }
    this.#lastLength = this.#outColumn;
    this.#output.addByte(NEWLINE);
  }

  #putSpace(space: number): void {
    const target = this.#outColumn + space;
    if (this.#hasTabs) {
      const tabTarget = Math.trunc(target / TAB_COLUMNS) * TAB_COLUMNS;
      if (this.#outColumn + 1 < tabTarget) {
        while (this.#outColumn < tabTarget) {
          this.#output.addByte(TAB);
          this.#outColumn = (Math.floor(this.#outColumn / TAB_COLUMNS) + 1) * TAB_COLUMNS;
        }
      }
    }
    for (; this.#outColumn < target; this.#outColumn++) this.#output.addByte(SPACE);
  }
}

const LINE_CREDIT = 9;

function wordOf(bytes: readonly number[]): Word {
  const has = (set: string, byte: number | undefined): boolean => byte !== undefined && set.includes(String.fromCharCode(byte));
  let last = bytes.length - 1;
  // The terminating NUL of these lists counts as one of them for strchr(3).
  while (last > 0 && has(")]'\"\0", bytes[last])) last--;
  return {
    bytes: Uint8Array.from(bytes),
    space: 0,
    isParenthesis: has("(['`\"\0", bytes[0]),
    isPeriod: has(".?!\0", bytes[last]),
    isPunctuation: isPunctuation(bytes.at(-1) ?? 0),
    isFinal: false,
  };
}

const isPunctuation = (byte: number): boolean =>
  (byte >= 0x21 && byte <= 0x2f) || (byte >= 0x3a && byte <= 0x40) || (byte >= 0x5b && byte <= 0x60) || (byte >= 0x7b && byte <= 0x7e);
