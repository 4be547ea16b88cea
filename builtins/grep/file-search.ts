/**
 * Searches one input at a time: reads it into its own buffer, selects lines, prints them with their context, and
 * counts. The order of things where input is binary follows GNU grep, which looks at 96 KiB at a time.
 */
import type { StageLimits } from "../../src/builtin/definition.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { withRoom } from "../../src/io/buffer-room.ts";
import { countByte } from "../../src/io/count-byte.ts";
import type { BlockBuilder } from "../../src/io/output.ts";
import { LineSearch } from "../../src/search/line-search.ts";
import type { LineMatcher } from "../../src/regex/posix-matcher.ts";
import { CONTEXT, LinePrinter, SELECTED } from "./line-printer.ts";
import { printsNoLines, stopsAtFirst, type Settings } from "./settings.ts";

/** Size of GNU grep's read: decides which lines are printed before a later 0 byte makes the file binary. */
const GNU_READ_BYTES = 96 * 1024;
/** Size of our own read. */
const READ_BYTES = 4 * GNU_READ_BYTES;
/** Size of the smallest. */
const LEAST_BYTES = 4096;

export class FileSearch {
  readonly printer: LinePrinter;
  readonly #settings: Settings;
  readonly #search: LineSearch;
  readonly #limits: StageLimits;
  /** Context lines kept, then an unfinished line, then what was read last. One more byte than used is always free. */
  #buffer: Buffer = Buffer.alloc(0);
  /** Begin of the unfinished line, at which the next search begins too. */
  #lineStart = 0;
  #filled = 0;
  /** Offset of the buffer's first byte in the input, and number of lines before `#counted`. */
  #baseOffset = 0;
  #lineNumber = 0;
  #counted = 0;
  /** End of the last line printed, or -1. */
  #lastPrinted = -1;
  /** Lines of trailing context still to print. */
  #pending = 0;
  /** Number of lines that may still be selected. */
  #left = 0;
  #selected = 0;
  /** Number of lines that had been selected when a 0 byte was met; -1 before. */
  #selectedBeforeNull = -1;
  #quiet = false;
  #stopsAtFirst = false;
  /** True if any group of lines was printed, of any file: the separator stands between groups. */
  #groupPrinted = false;
  /** No more input is needed. */
  done = false;

  constructor(matcher: LineMatcher, settings: Settings, output: BlockBuilder, limits: StageLimits) {
    this.#settings = settings;
    this.#search = new LineSearch(matcher, settings.lineEnd);
    this.#limits = limits;
    this.printer = new LinePrinter(output, settings, matcher);
  }

  /** A new input. `shownName`: printed before its lines. `size` in bytes: undefined where it is not known. */
  start(shownName: string | undefined, size: number | undefined): void {
    this.#lineStart = 0;
    this.#filled = 0;
    this.#baseOffset = 0;
    this.#lineNumber = 0;
    this.#counted = 0;
    this.#lastPrinted = -1;
    this.#pending = 0;
    this.#left = this.#settings.maxCount;
    this.#selected = 0;
    this.#selectedBeforeNull = -1;
    this.#quiet = printsNoLines(this.#settings);
    this.#stopsAtFirst = stopsAtFirst(this.#settings);
    this.done = false;
    this.printer.startFile(shownName, size);
  }

  /** Room for the next bytes, `most` of them at most if nothing changes: call `read` with the number that came. */
  room(most: number): Buffer {
    const bytes = Math.min(Math.max(most, LEAST_BYTES), READ_BYTES);
    this.#buffer = withRoom(this.#buffer, this.#filled, bytes);
    return this.#buffer.subarray(this.#filled, this.#filled + bytes);
  }

  /** `count` bytes came into what `room` gave. */
  read(count: number): void {
    const { binaryFiles, lineEnd } = this.#settings;
    const whole = count <= GNU_READ_BYTES || binaryFiles === "text" || lineEnd === 0;
    if (whole || !this.#buffer.subarray(this.#filled, this.#filled + count).includes(0)) {
      this.#take(count);
      return;
    }
    // Binary input goes in the portions in which GNU grep sees it. The rest moves up behind what each portion leaves.
    const rest = Buffer.from(this.#buffer.subarray(this.#filled, this.#filled + count));
    for (let from = 0; from < count && !this.done; from += GNU_READ_BYTES) {
      const portion = rest.subarray(from, from + GNU_READ_BYTES);
      this.room(portion.length).set(portion);
      this.#take(portion.length);
    }
  }

  #take(count: number): void {
    const from = this.#filled;
    this.#filled += count;
    this.#lookForNull(from);
    if (this.done) return;
    const { lineEnd } = this.#settings;
    const isWhole = this.#buffer[this.#filled - 1] === lineEnd;
    const lastEnd = isWhole ? this.#filled - 1 : from + this.#buffer.subarray(from, this.#filled).lastIndexOf(lineEnd);
    if (lastEnd < from) {
      if (this.#filled - this.#lineStart > this.#limits.lineBytes) throw new LimitReached("line", this.#limits.lineBytes, "bytes");
      return;
    }
    this.#searchLines(lastEnd + 1);
    if (!this.done) this.#keepContext(lastEnd + 1);
  }

  /** The input has ended: a last line without its line end gets one. Returns how many lines were selected. */
  finish(): number {
    if (!this.done && this.#filled > this.#lineStart) {
      this.#buffer[this.#filled++] = this.#settings.lineEnd;
      this.#searchLines(this.#filled);
    }
    this.done = true;
    return this.#selected;
  }

  /** True if selected lines were left out because the input is binary, and that is reported. */
  get leftOutBinary(): boolean {
    if (this.#settings.binaryFiles !== "binary" || printsNoLines(this.#settings)) return false;
    return this.printer.metBinary || (this.#selectedBeforeNull >= 0 && this.#selectedBeforeNull < this.#selected);
  }

  /** A 0 byte makes the input binary: from here on lines are only counted, and 0 bytes end lines too. */
  #lookForNull(from: number): void {
    const { binaryFiles, lineEnd, count } = this.#settings;
    if (binaryFiles === "text" || lineEnd === 0) return;
    let place = this.#nullFrom(from);
    if (place < 0) return;
    if (this.#selectedBeforeNull < 0) {
      if (binaryFiles === "without-match") {
        this.#selected = 0;
        this.done = true;
        return;
      }
      if (!count) {
        this.#quiet = true;
        this.#stopsAtFirst = true;
      }
      this.#selectedBeforeNull = this.#selected;
    }
    for (; place >= 0; place = this.#nullFrom(place + 1)) this.#buffer[place] = lineEnd;
  }

  #nullFrom(at: number): number {
    const place = at >= this.#filled ? -1 : this.#buffer.subarray(0, this.#filled).indexOf(0, at);
    return place;
  }

  /** Whole lines from `#lineStart` to `to`. */
  #searchLines(to: number): void {
    const from = this.#lineStart;
    const buffer = this.#buffer;
    if (!this.#quiet) this.printer.startBlock(buffer, to);
    if (this.#left > 0 && !this.#stopped) {
      this.#search.load(buffer, from, to);
      if (this.#settings.invert) this.#selectOthers(from, to);
      else this.#selectMatching(from, to);
    }
    if (this.#pending > 0) this.#printPending(to);
    if ((this.#left <= 0 && this.#pending <= 0) || this.#stopped) this.done = true;
  }

  /** True once the answer is known: after the first selected line. */
  get #stopped(): boolean {
    return this.#stopsAtFirst && Math.max(0, this.#selectedBeforeNull) < this.#selected;
  }

  #selectMatching(from: number, to: number): void {
    const search = this.#search;
    for (let at = from; at < to && search.next(at); at = search.lineEnd + 1) {
      if (this.#quiet) {
        this.#pending = 0;
        this.#selected++;
        this.#left--;
      } else this.#select(search.lineStart, search.lineEnd + 1);
      if (this.#left <= 0 || this.#stopsAtFirst) return;
    }
  }

  #selectOthers(from: number, to: number): void {
    const search = this.#search;
    if (this.#quiet && this.#settings.count && this.#left === Infinity && !this.#stopsAtFirst) {
      let others = this.#countLines(from, to);
      for (let at = from; at < to && search.next(at); at = search.lineEnd + 1) others--;
      if (others > 0) this.#pending = 0;
      this.#selected += others;
      return;
    }
    for (let at = from; at < to; ) {
      const found = search.next(at);
      const end = found ? search.lineStart : to;
      if (end > at) {
        this.#selectRun(at, end);
        if (this.#left <= 0 || this.#stopsAtFirst) return;
      }
      at = found ? search.lineEnd + 1 : to;
    }
  }

  /** One selected line, with its leading context. */
  #select(from: number, to: number): void {
    this.#leadIn(from);
    this.#print(from, to, SELECTED);
    this.#selected++;
    this.#left--;
    this.#pending = Math.max(0, this.#settings.after);
  }

  /** Selected lines without a gap, as many as are still wanted. */
  #selectRun(from: number, to: number): void {
    if (!this.#quiet) this.#leadIn(from);
    if (!this.#quiet && this.#left === Infinity && this.printer.printsPlainLines) {
      this.printer.run(this.#buffer, from, to);
      this.#lastPrinted = to;
      this.#selected++;
    } else if (this.#quiet && this.#left === Infinity) {
      this.#selected += this.#settings.count ? this.#countLines(from, to) : 1;
    } else {
      for (let at = from; at < to && this.#left > 0; this.#left--) {
        const end = this.#buffer.indexOf(this.#settings.lineEnd, at) + 1;
        if (!this.#quiet) this.#print(at, end, SELECTED);
        at = end;
        this.#selected++;
      }
    }
    this.#pending = this.#quiet ? 0 : Math.max(0, this.#settings.after);
  }

  /** Before a selected line at `at`: trailing context still due, the group separator, leading context. */
  #leadIn(at: number): void {
    const { before, after, groupSeparator, lineEnd } = this.#settings;
    if (this.#pending > 0) this.#printPending(at);
    if (before < 0 && after < 0) {
      this.#groupPrinted = true;
      return;
    }
    const floor = Math.max(0, this.#lastPrinted);
    let start = at;
    for (let line = 0; line < before && start > floor; line++) {
      start = start - 2 < 0 ? 0 : this.#buffer.lastIndexOf(lineEnd, start - 2) + 1;
    }
    if (this.#groupPrinted && start !== this.#lastPrinted && groupSeparator !== undefined) {
      this.printer.groupSeparator(groupSeparator);
    }
    this.#groupPrinted = true;
    while (start < at) {
      const end = this.#buffer.indexOf(lineEnd, start) + 1;
      this.#print(start, end, CONTEXT);
      start = end;
    }
  }

  /** Trailing context up to `to`. A line that is not text is not printed, and holds up those after it, as in GNU grep. */
  #printPending(to: number): void {
    if (this.#quiet) return;
    if (this.#lastPrinted < 0) this.#lastPrinted = 0;
    for (; this.#pending > 0 && this.#lastPrinted < to; this.#pending--) {
      const end = this.#buffer.indexOf(this.#settings.lineEnd, this.#lastPrinted) + 1;
      this.#print(this.#lastPrinted, end, CONTEXT);
    }
  }

  #print(from: number, to: number, separator: typeof SELECTED | typeof CONTEXT): void {
    if (this.#settings.lineNumber) {
      this.#lineNumber += this.#countLines(this.#counted, from);
      this.#counted = from;
    }
    if (!this.printer.line(this.#buffer, from, to, separator, this.#lineNumber + 1, this.#baseOffset + from)) return;
    this.#lastPrinted = to;
    this.#lineNumber++;
    this.#counted = to;
  }

  /** Counts the line ends between `from` and `to`. */
  #countLines(from: number, to: number): number {
    if (to <= from) return from - to === 0 ? 0 : -countByte(this.#buffer.subarray(to, from), this.#settings.lineEnd);
    return countByte(this.#buffer.subarray(from, to), this.#settings.lineEnd);
  }

  /** Moves what must stay to the front: lines that may yet be leading context, and the unfinished line. */
  #keepContext(to: number): void {
    const { before, lineEnd, lineNumber } = this.#settings;
    let keep = to;
    for (let line = 0; line < before && keep > 0 && keep !== this.#lastPrinted && !this.#quiet; line++) {
      keep = keep - 2 < 0 ? 0 : this.#buffer.lastIndexOf(lineEnd, keep - 2) + 1;
    }
    if (lineNumber && !this.#quiet) {
      this.#lineNumber += this.#countLines(this.#counted, keep);
      this.#counted = keep;
    }
    this.#lastPrinted = keep === this.#lastPrinted ? 0 : -1;
    if (keep < this.#filled) this.#buffer.copyWithin(0, keep, this.#filled);
    this.#baseOffset += keep;
    this.#filled -= keep;
    this.#lineStart = to - keep;
    this.#counted = 0;
  }
}
