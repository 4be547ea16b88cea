/**
 * The part of a search that is the same for every strategy: lines of context, their numbers, zero bytes, the limit on matches
 * (crates/searcher/src/searcher/core.rs of ripgrep). Places are offsets in the input.
 */
import { countByte } from "../../../src/io/count-byte.ts";
import type { Span, TextMatches } from "../../../src/regex/text-pattern.ts";
import { lineEnd, startOfPreceding, withoutNewline } from "./line-ranges.ts";
import type { PerlSettings, Sink } from "./settings.ts";

const NEWLINE = 10;

/** ripgrep's treatment of zero bytes: they end the search ("quit"), or what is printed of it ("convert"). */
export type ZeroRule = "quit" | "convert" | "none";

export class SearchCore {
  readonly bytes: Buffer;
  readonly settings: PerlSettings;
  readonly sink: Sink;
  readonly matches: TextMatches;
  readonly #zeroRule: ZeroRule;
  /** Zero bytes are looked for in what is reported, as ripgrep does where the whole input is in memory. */
  readonly #looksForZeros: boolean;
  /** The part of the input that ripgrep's buffer holds. */
  seen: { start: number; end: number };
  position = 0;
  zeroAt: number | undefined;
  afterLeft = 0;
  hasMatched = false;
  #lineNumber = 1;
  #counted = 0;
  #visited = 0;
  #hasSunk = false;
  #count = 0;

  constructor(
    bytes: Buffer,
    given: {
      readonly settings: PerlSettings;
      readonly sink: Sink;
      readonly matches: TextMatches;
      readonly zeroRule: ZeroRule;
      readonly looksForZeros: boolean;
    },
  ) {
    this.bytes = bytes;
    this.settings = given.settings;
    this.sink = given.sink;
    this.#zeroRule = given.zeroRule;
    this.#looksForZeros = given.looksForZeros;
    this.matches = given.matches;
    this.seen = { start: 0, end: bytes.length };
  }

  get isFull(): boolean {
    return this.#count >= this.settings.maxCount;
  }

  countMatch(): void {
    this.#count++;
  }

  /** Tells whether a line has a match. */
  lineMatches(line: Span): boolean {
    const { start, end } = withoutNewline(this.bytes, line);
    return this.matches.find(start, start, end) !== undefined;
  }

  /** Forgets of the lines seen what ripgrep's buffer forgets. */
  roll(): void {
    const { before, after } = this.settings;
    const keep =
      before + after === 0 ? this.seen.end : Math.max(startOfPreceding(this.bytes, this.seen, before), this.#visited, this.seen.start);
    this.#countTo(keep);
    this.#visited = keep;
    this.position = this.seen.end;
    this.seen.start = keep;
  }

  /** Looks for zero bytes. True: the search ends. */
  detectZero({ start, end }: Span): boolean {
    if (this.zeroAt !== undefined) return this.#zeroRule === "quit";
    if (this.#zeroRule === "none") return false;
    const place = this.bytes.subarray(start, end).indexOf(0);
    if (place < 0) return false;
    this.zeroAt = start + place;
    this.sink.binaryData(this.zeroAt);
    return this.#zeroRule === "quit";
  }

  contextBefore(upTo: number): boolean {
    const { before } = this.settings;
    if (before === 0 || this.#visited >= upTo) return true;
    const range = { start: this.#visited, end: upTo };
    for (let at = startOfPreceding(this.bytes, range, before - 1); at < upTo; ) {
      const end = lineEnd(this.bytes, at, upTo);
      this.#breakContext(at);
      if (!this.context({ start: at, end })) return false;
      at = end;
    }
    return true;
  }

  contextAfter(upTo: number): boolean {
    if (this.afterLeft === 0) return true;
    const { isFull } = this;
    for (let at = this.#visited; at < upTo && this.afterLeft > 0; ) {
      const line = { start: at, end: lineEnd(this.bytes, at, upTo) };
      if (isFull && this.lineMatches(line) !== this.settings.invert) {
        const left = this.afterLeft;
        this.position = line.end;
        if (!this.matched(line)) return false;
        this.afterLeft = left - 1;
      } else if (!this.lineAfter(line)) return false;
      at = line.end;
    }
    return true;
  }

  /** A line of context behind a match. */
  lineAfter(line: Span): boolean {
    if (!this.context(line)) return false;
    this.afterLeft--;
    return true;
  }

  otherLines(upTo: number): boolean {
    for (let at = this.#visited; at < upTo; ) {
      const end = lineEnd(this.bytes, at, upTo);
      if (!this.context({ start: at, end })) return false;
      at = end;
    }
    return true;
  }

  /** Reports lines with a match. False: the search ends. */
  matched(lines: Span): boolean {
    if (this.#looksForZeros && this.detectZero(lines)) return false;
    this.#breakContext(lines.start);
    this.#countTo(lines.start);
    if (!this.sink.matched({ ...lines, lineNumber: this.#lineNumber }, this.seen)) return false;
    this.#visited = lines.end;
    this.afterLeft = this.settings.after;
    this.#hasSunk = true;
    return true;
  }

  /** Reports a line without one. False: the search ends. */
  context(line: Span): boolean {
    if (this.#looksForZeros && this.detectZero(line)) return false;
    this.#countTo(line.start);
    if (!this.sink.context({ ...line, lineNumber: this.#lineNumber })) return false;
    this.#visited = line.end;
    this.#hasSunk = true;
    return true;
  }

  #breakContext(at: number): void {
    const { before, after } = this.settings;
    if (before + after > 0 && this.#hasSunk && this.#visited < at) this.sink.contextBreak();
  }

  #countTo(upTo: number): void {
    if (!this.settings.lineNumber || this.#counted >= upTo) return;
    this.#lineNumber += countByte(this.bytes.subarray(this.#counted, upTo), NEWLINE);
    this.#counted = upTo;
  }
}
