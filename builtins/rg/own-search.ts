/**
 * Searches one input at a time as ripgrep's line search does, down to the bytes it has read when it meets a zero byte
 * (crates/searcher of ripgrep, searcher/core.rs, searcher/glue.rs, line_buffer.rs). Linear; holds a window of the input.
 */
import type { StageLimits } from "../../src/builtin/definition.ts";
import { withRoom } from "../../src/io/buffer-room.ts";
import { countByte } from "../../src/io/count-byte.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import type { BlockBuilder } from "../../src/io/output.ts";
import { LineSearch } from "../../src/search/line-search.ts";
import { OwnPrinter } from "./own-printer.ts";
import type { BinaryRule, InputSearch, OwnSettings } from "./own-settings.ts";

const NEWLINE = 10;
/** ripgrep's buffer: also as far as it looks for zero bytes at the start of a mapped file. */
const RIPGREP_BYTES = 64 * 1024;
/** ripgrep looks for a byte order mark before it reads on. */
const MARK_BYTES = 3;
/** Sizes of our own reads: the smallest and the largest. */
const LEAST_BYTES = 4096;
const READ_BYTES = 8 * RIPGREP_BYTES;

export class OwnSearch implements InputSearch {
  readonly printer: OwnPrinter;
  readonly #settings: OwnSettings;
  readonly #search: LineSearch;
  readonly #limits: StageLimits;
  readonly #hasContext: boolean;
  /** One byte more than is used is always free, for the line end that a last line may lack. */
  #buffer: Buffer = Buffer.alloc(0);
  /** Offset in the input of the buffer's first byte. */
  #base = 0;
  /** Bytes in the buffer; those up to `#end` are what ripgrep has read, those up to `#lines` are whole lines. */
  #filled = 0;
  #end = 0;
  /** Begin of ripgrep's buffer, and its length. */
  #windowStart = 0;
  #capacity = RIPGREP_BYTES;
  #rule: BinaryRule = "text";
  /** Offset in the input of the first zero byte that counts; -1: none. */
  #zeroAt = -1;
  #lookedForZero = false;
  #hasMark = false;
  #at = 0;
  #lineNumber = 1;
  #counted = 0;
  /** After the last line that was printed. */
  #visited = 0;
  #afterLeft = 0;
  #hasPrinted = false;
  #count = 0;
  #matches = 0;
  #over = false;
  /** No more input is needed. */
  done = false;

  constructor(settings: OwnSettings, output: BlockBuilder, limits: StageLimits) {
    this.#settings = settings;
    this.#search = new LineSearch(settings.matcher, NEWLINE);
    this.#limits = limits;
    this.#hasContext = settings.before + settings.after > 0;
    this.printer = new OwnPrinter(output, settings);
  }

  /** A new input. `hasMark`: a byte order mark was taken off its front. */
  start(path: string, showsPath: boolean, rule: BinaryRule, hasMark: boolean): void {
    this.printer.start(path, showsPath);
    this.#rule = this.#settings.isText ? "text" : rule;
    this.#base = this.#filled = this.#end = this.#windowStart = this.#at = this.#counted = this.#visited = 0;
    this.#capacity = RIPGREP_BYTES;
    this.#hasMark = hasMark;
    this.#zeroAt = -1;
    this.#lookedForZero = this.#hasPrinted = this.#over = this.done = false;
    this.#lineNumber = 1;
    this.#afterLeft = this.#count = this.#matches = 0;
  }

  /** Room for the next bytes, `most` of them at most if nothing changes: call `read` with the number that came. */
  room(most: number): Buffer {
    const bytes = Math.min(Math.max(most, LEAST_BYTES), READ_BYTES);
    this.#buffer = withRoom(this.#buffer, this.#filled, bytes);
    return this.#buffer.subarray(this.#filled, this.#filled + bytes);
  }

  /** `count` bytes came into what `room` gave. */
  read(count: number): void {
    this.#filled += count;
    if (this.#seesWhole) this.#takeLines(false);
    else this.#takeFills(false);
    if (!this.done) this.#dropSearched();
  }

  /** Not in portions. */
  get #seesWhole(): boolean {
    return this.#isMapped || this.#rule === "text";
  }

  get #isMapped(): boolean {
    return this.#rule === "named-mapped" || this.#rule === "found-mapped";
  }

  get #isFound(): boolean {
    return this.#rule === "found" || this.#rule === "found-mapped";
  }

  /** The input has ended. Returns whether anything was selected. */
  finish(): boolean {
    if (!this.done) {
      if (this.#seesWhole) this.#takeLines(true);
      else this.#takeFills(true);
    }
    this.done = true;
    const { output } = this.#settings;
    const isSquashed = this.#isFound && this.#zeroAt >= 0;
    if (output === "lines" || output === "matches") {
      if (this.#zeroAt >= 0 && this.#matches > 0) this.printer.binary(this.#zeroAt, this.#isFound);
      return this.#matches > 0;
    }
    if (isSquashed) return output === "paths-without";
    if (output === "count" && this.#matches > 0) this.printer.count(this.#matches);
    if (output === "paths" && this.#matches > 0) this.printer.path();
    if (output === "paths-without" && this.#matches === 0) this.printer.path();
    return output === "paths-without" ? this.#matches === 0 : this.#matches > 0;
  }

  end(): void {}

  /** All whole lines that are there, as ripgrep sees a mapped file. */
  #takeLines(atEnd: boolean): void {
    if (this.#isMapped && !this.#lookedForZero) {
      if (this.#filled < RIPGREP_BYTES && !atEnd) return;
      const place = this.#buffer.subarray(0, Math.min(this.#filled, RIPGREP_BYTES)).indexOf(0);
      if (place >= 0) this.#zeroAt = place;
      this.#lookedForZero = true;
      if (place >= 0 && this.#isFound) {
        this.done = true;
        return;
      }
    }
    this.#end = this.#filled;
    this.#searchTo(atEnd ? this.#lastLineEnd() : this.#buffer.subarray(0, this.#filled).lastIndexOf(NEWLINE) + 1);
  }

  /** Takes the text in the portions in which ripgrep reads it: they decide how much is searched before a zero byte is met. */
  #takeFills(atEnd: boolean): void {
    if (atEnd && this.#base + this.#end === 0 && this.#filled <= RIPGREP_BYTES && !this.#holdsZero(0, this.#filled)) {
      // A small text, all of it here: the portions make no difference.
      this.#end = this.#filled;
      this.#searchTo(this.#lastLineEnd());
      return;
    }
    if (!atEnd && this.#base + this.#end === 0 && this.#filled < RIPGREP_BYTES) return;
    for (;;) {
      const isFirst = !this.#hasMark && this.#base + this.#end === 0;
      if (this.#end - this.#windowStart >= this.#capacity) this.#capacity *= 3;
      const wanted = isFirst ? MARK_BYTES : this.#capacity - (this.#end - this.#windowStart);
      const count = Math.min(wanted, this.#filled - this.#end);
      if (count < wanted && !atEnd) return;
      if (count === 0) {
        this.#searchTo(this.#lastLineEnd());
        return;
      }
      const from = this.#end;
      this.#end += count;
      if (this.#meetsZero(from)) return;
      const last = this.#buffer.subarray(from, this.#end).lastIndexOf(NEWLINE);
      if (last < 0) continue;
      this.#searchTo(from + last + 1);
      if (this.done) return;
      this.#windowStart = this.#hasContext ? this.#contextStart(from + last + 1) : from + last + 1;
    }
  }

  /** Zero bytes in what was read last: true where the input ends with them. */
  #meetsZero(from: number): boolean {
    const bytes = this.#buffer.subarray(from, this.#end);
    let place = bytes.indexOf(0);
    if (place < 0) return false;
    if (this.#zeroAt < 0) this.#zeroAt = this.#base + from + place;
    if (this.#rule === "found") {
      this.done = true;
      return true;
    }
    for (; place >= 0; place = bytes.indexOf(0, place + 1)) bytes[place] = NEWLINE;
    return false;
  }

  /** Gives the last line its end; returns where it is. */
  #lastLineEnd(): number {
    if (this.#filled > 0 && this.#buffer[this.#filled - 1] !== NEWLINE && this.#filled > this.#at) this.#buffer[this.#filled++] = NEWLINE;
    return this.#filled;
  }

  /** Whole lines from `#at` to `to`. */
  #searchTo(to: number): void {
    if (to > this.#at && !this.#selectTo(to)) this.#over = true;
    if (this.#over) this.done = true;
  }

  /** False: no more is wanted. */
  #selectTo(to: number): boolean {
    const search = this.#search;
    search.load(this.#buffer, this.#at, to);
    if (this.#countsOnly(to)) {
      let found = 0;
      for (let at = this.#at; at < to && search.next(at); at = search.lineEnd + 1) found++;
      this.#matches += this.#settings.invert ? countByte(this.#buffer.subarray(this.#at, to), NEWLINE) - found : found;
      this.#at = to;
      return true;
    }
    while (this.#at < to) {
      if (this.#settings.invert) {
        if (!this.#selectOthers(to)) break;
        continue;
      }
      if (this.#isFull || !search.next(this.#at)) break;
      const { lineStart, lineEnd } = search;
      this.#count++;
      if (this.#hasContext && !(this.#printAfter(lineStart) && this.#printBefore(lineStart))) return false;
      this.#at = lineEnd + 1;
      if (!this.#select(lineStart, lineEnd + 1)) return false;
    }
    if (!this.#printAfter(to)) return false;
    if (this.#isFull && this.#afterLeft === 0) return false;
    this.#at = to;
    return true;
  }

  /** Nothing is said of the lines up to `to`, and no zero byte in one of them ends the search. */
  #countsOnly(to: number): boolean {
    const { output, maxCount, invert, countsMatches } = this.#settings;
    return output === "count" && !countsMatches && maxCount === Infinity && (invert || !this.#isMapped || !this.#holdsZero(this.#at, to));
  }

  get #isFull(): boolean {
    return this.#count >= this.#settings.maxCount;
  }

  /** The lines before the next that matches. */
  #selectOthers(to: number): boolean {
    const from = this.#at;
    const found = !this.#isFull && this.#search.next(from);
    const end = found ? this.#search.lineStart : to;
    this.#at = found ? this.#search.lineEnd + 1 : to;
    if (end === from) return true;
    if (this.#hasContext && !(this.#printAfter(from) && this.#printBefore(from))) return false;
    if (this.#selectRun(from, end)) return true;
    for (let at = from; at < end; ) {
      const next = this.#buffer.indexOf(NEWLINE, at) + 1;
      this.#count++;
      if (!this.#select(at, next) || this.#isFull) return false;
      at = next;
    }
    return true;
  }

  /** Many lines at once, where nothing is said of each; false where they must go one by one. */
  #selectRun(from: number, to: number): boolean {
    if (this.#settings.maxCount !== Infinity || this.#hasContext) return false;
    if (!this.printer.printsPlainLines || this.#zeroAt >= 0 || (this.#isMapped && this.#holdsZero(from, to))) return false;
    this.#matches++;
    this.printer.run(this.#buffer, from, to);
    return true;
  }

  /** One selected line. False: the search ends. */
  #select(from: number, to: number): boolean {
    if (this.#endsWithZero(from, to)) return false;
    this.#matches += this.#settings.countsMatches ? this.printer.matchCount(this.#buffer, from, to) : 1;
    switch (this.#settings.output) {
      case "count":
        // Also where nothing is printed, context past the last line that was asked for is counted if it would be selected.
        this.#visited = to;
        this.#afterLeft = this.#settings.after;
        return true;
      case "paths":
      case "paths-without":
      case "first":
        return false;
      case "lines":
      case "matches":
    }
    this.#breakContext(from);
    if (this.#zeroAt >= 0 && !this.#isFound) return false;
    const lineNumber = this.#numberOf(from);
    if (this.#settings.output === "lines") this.printer.line(this.#buffer, from, to, lineNumber, false);
    else this.printer.matches(this.#buffer, from, to, lineNumber);
    this.#visited = to;
    this.#afterLeft = this.#settings.after;
    this.#hasPrinted = true;
    return true;
  }

  /** One line of context. False: the search ends. */
  #context(from: number, to: number): boolean {
    const { output } = this.#settings;
    if (output === "count") this.#visited = to;
    if (output !== "lines") return true;
    if (this.#endsWithZero(from, to)) return false;
    if (this.#zeroAt >= 0 && !this.#isFound) return false;
    this.printer.line(this.#buffer, from, to, this.#numberOf(from), true);
    this.#visited = to;
    this.#hasPrinted = true;
    return true;
  }

  /** Of a mapped file ripgrep looks at what it prints. True: the file ends here. */
  #endsWithZero(from: number, to: number): boolean {
    if (!this.#isMapped) return false;
    if (this.#zeroAt < 0) {
      const place = this.#buffer.subarray(from, to).indexOf(0);
      if (place >= 0) this.#zeroAt = this.#base + from + place;
    }
    return this.#zeroAt >= 0 && this.#isFound;
  }

  #holdsZero(from: number, to: number): boolean {
    return this.#buffer.subarray(from, to).includes(0);
  }

  #breakContext(from: number): void {
    if (this.#hasContext && this.#hasPrinted && this.#visited < from) this.printer.contextBreak();
  }

  #printBefore(upTo: number): boolean {
    const { before } = this.#settings;
    if (before === 0 || this.#visited >= upTo) return true;
    let from = upTo;
    for (let line = 0; line < before && from > this.#visited; line++) from = this.#lineStartBefore(from);
    for (let at = from; at < upTo; ) {
      const next = this.#buffer.indexOf(NEWLINE, at) + 1;
      this.#breakContext(at);
      if (!this.#context(at, next)) return false;
      at = next;
    }
    return true;
  }

  #printAfter(upTo: number): boolean {
    const isFull = this.#isFull;
    for (let at = this.#visited; this.#afterLeft > 0 && at < upTo; ) {
      const next = this.#buffer.indexOf(NEWLINE, at) + 1;
      if (isFull && this.#settings.matcher.test(this.#buffer, at, next - 1) !== this.#settings.invert) {
        // Past the last line that was asked for, context that would be selected is printed as such.
        const left = this.#afterLeft;
        this.#at = next;
        if (!this.#select(at, next)) return false;
        this.#afterLeft = left - 1;
      } else {
        if (!this.#context(at, next)) return false;
        this.#afterLeft--;
      }
      at = next;
    }
    return true;
  }

  /** The start of the line that ends just before `at`. */
  #lineStartBefore(at: number): number {
    return at < 2 ? 0 : this.#buffer.lastIndexOf(NEWLINE, at - 2) + 1;
  }

  #numberOf(from: number): number {
    if (!this.#settings.lineNumber) return 0;
    if (from > this.#counted) {
      this.#lineNumber += countByte(this.#buffer.subarray(this.#counted, from), NEWLINE);
      this.#counted = from;
    }
    return this.#lineNumber;
  }

  /** Begin of ripgrep's buffer once the lines up to `to` are searched and context is wanted. */
  #contextStart(to: number): number {
    let from = to;
    for (let line = 0; line <= this.#settings.before && from > this.#windowStart; line++) from = this.#lineStartBefore(from);
    return Math.max(from, this.#visited, this.#windowStart);
  }

  /** Moves what must stay to the front of the buffer. */
  #dropSearched(): void {
    let keep = this.#seesWhole ? this.#at : this.#windowStart;
    if (this.#isMapped && !this.#lookedForZero) keep = 0;
    if (this.#filled - this.#at > this.#limits.lineBytes) throw new LimitReached("line", this.#limits.lineBytes, "bytes");
    if (this.#hasContext) {
      for (let line = 0; line < this.#settings.before && keep > this.#visited; line++) keep = this.#lineStartBefore(keep);
      if (this.#afterLeft > 0) keep = Math.min(keep, this.#visited);
    }
    if (keep < READ_BYTES) return;
    if (this.#settings.lineNumber) this.#numberOf(keep);
    this.#buffer.copyWithin(0, keep, this.#filled);
    this.#base += keep;
    this.#filled -= keep;
    this.#end -= keep;
    this.#at -= keep;
    this.#windowStart -= keep;
    this.#visited = this.#visited < keep ? -1 : this.#visited - keep;
    this.#counted -= keep;
  }
}
