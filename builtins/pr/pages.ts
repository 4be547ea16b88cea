/**
 * The pages of pr: one file in columns down or across, or several side by side. One piece, whose state is that of POSIX pr as GNU has
 * it: what was not printed yet (blanks, separators, padding, a header, a form feed) is remembered until something follows it.
 */
import { textWidth } from "../../src/display/character-width.ts";
import type { BlockBuilder } from "../../src/io/output.ts";
import { toBytes } from "../../src/io/text.ts";

export interface PageSettings {
  firstPage: bigint;
  lastPage: bigint;
  columns: number;
  hasColumns: boolean;
  isAcross: boolean;
  isParallel: boolean;
  /** False with -t and -T. */
  hasExtremities: boolean;
  keepsFormFeeds: boolean;
  usesFormFeed: boolean;
  linesPerPage: number;
  width: number;
  truncates: boolean;
  joins: boolean;
  expandsTabs: boolean;
  inputTab: number;
  inputTabColumns: number;
  makesTabs: boolean;
  outputTab: number;
  outputTabColumns: number;
  margin: number;
  isNumbered: boolean;
  numberSeparator: number;
  numberColumns: number;
  countsSkipped: boolean;
  firstNumber: number;
  escapes: "none" | "octal" | "caret";
  isDoubleSpaced: boolean;
  hasSeparator: boolean;
  separator: Uint8Array;
}

/** The bytes of a file, read one at a time. */
export class PageSource {
  readonly name: string;
  /** For the header; undefined for the present time. */
  readonly modified: bigint | undefined;
  /** Complaint once its end is reached, which is an error. */
  readonly failure: string | undefined;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(name: string, bytes: Uint8Array, modified?: bigint, failure?: string) {
    this.name = name;
    this.modified = modified;
    this.failure = failure;
    this.#bytes = bytes;
  }

  next(): number {
    return this.#bytes[this.#at++] ?? END;
  }

  back(): void {
    this.#at--;
  }
}

/** Thrown where a file cannot be read, or a page has no room: ends pr. */
export class PageFailure extends Error {
  override readonly name = "PageFailure";
}

interface Column {
  readonly source: PageSource;
  status: "open" | "form-feed" | "held" | "closed";
  isStored: boolean;
  currentLine: number;
  stored: number;
  toPrint: number;
  start: number;
  isNumbered: boolean;
  hadFullPage: boolean;
}

const END = -1;
const NEWLINE = 0x0a;
const FORM_FEED = 0x0c;
const SPACE = 0x20;
const TAB = 0x09;
const BACKSPACE = 0x08;
const HEADER_LINES = 5;
const FOOTER_LINES = 5;
const ANYWHERE = 0;

const isPrintable = (byte: number): boolean => byte >= 0x20 && byte <= 0x7e;
const afterTab = (columns: number, position: number): number => position + columns - (position % columns);

export class Pages {
  readonly #s: PageSettings;
  readonly #output: BlockBuilder;
  readonly #warn: (message: string) => void;
  readonly #dateOf: (nanoseconds: bigint | undefined) => string;
  readonly #header: string | undefined;
  #isStoring: boolean;
  #balances: boolean;
  #linesPerBody = 0;
  #columnWidth = 0;
  #numberWidth = 0;
  #columns: Column[] = [];
  #ready = 0;
  #page = 1n;
  #line = 1;
  #lineCount = 1;
  #stored: number[][] = [];
  #ends: number[] = [];
  #building: number[] = [];
  #spaces = 0;
  #outputAt = 0;
  #inputAt = 0;
  #separators = 0;
  #padding = 0;
  #padsDown = false;
  #owesHeader = false;
  #owesFormFeed = false;
  #alignsEmpty = false;
  #isEmptyLine = false;
  #hasFormFeedOnly = false;
  #isLastLine = false;
  #dateText = "";
  #fileText = "";

  constructor(
    settings: PageSettings,
    to: {
      readonly output: BlockBuilder;
      /** Called after what is in `output` was given out. */
      readonly warn: (message: string) => void;
      readonly dateOf: (nanoseconds: bigint | undefined) => string;
      readonly header: string | undefined;
      readonly balances: boolean;
    },
  ) {
    this.#s = settings;
    this.#output = to.output;
    this.#warn = to.warn;
    this.#dateOf = to.dateOf;
    this.#header = to.header;
    this.#balances = to.balances;
    this.#isStoring = !settings.isAcross && !settings.isParallel;
  }

  /** Settings for so many files. `hasOperands`: none is standard input alone. Throws PageFailure. */
  prepare(files: number, hasOperands: boolean): void {
    const s = this.#s;
    this.#linesPerBody = s.linesPerPage - HEADER_LINES - FOOTER_LINES;
    if (this.#linesPerBody <= 0) {
      s.hasExtremities = false;
      s.keepsFormFeeds = true;
    }
    if (!s.hasExtremities) this.#linesPerBody = s.linesPerPage;
    if (s.isDoubleSpaced) this.#linesPerBody = Math.trunc(this.#linesPerBody / 2);
    if (!hasOperands) s.isParallel = false;
    if (s.isParallel) s.columns = files;
    if (this.#isStoring) this.#balances = true;
    if (s.columns > 1) this.#prepareColumns();
    else this.#isStoring = false;
    if (s.joins) s.truncates = false;
    let used = 0;
    if (s.isNumbered) {
      this.#lineCount = s.firstNumber;
      this.#numberWidth = s.numberSeparator === TAB ? afterTab(8, s.numberColumns) : s.numberColumns + 1;
      if (s.isParallel) used = this.#numberWidth;
    }
    this.#columnWidth = Math.trunc((s.width - used - (s.columns - 1) * s.separator.length) / s.columns);
    if (this.#columnWidth < 1) throw new PageFailure("page width too narrow");
  }

  #prepareColumns(): void {
    const s = this.#s;
    const isTab = (): boolean => s.separator.length === 1 && s.separator[0] === TAB;
    if (!s.hasSeparator) {
      s.separator = Uint8Array.of(s.joins ? TAB : SPACE);
      s.hasSeparator = true;
    } else if (!s.joins && isTab()) s.separator = Uint8Array.of(SPACE);
    s.truncates = true;
    if (!isTab()) s.expandsTabs = true;
    s.makesTabs = true;
  }

  /** Prints the files, a page at a time; pauses after each. Throws PageFailure. */
  *print(sources: readonly PageSource[]): Generator<void, void> {
    const s = this.#s;
    const only = sources[0] as PageSource;
    if (s.isParallel) s.columns = sources.length;
    const used = s.isParallel ? sources : Array.from({ length: s.columns }, () => only);
    this.#columns = used.map((source) => ({
      source,
      status: "open",
      isStored: false,
      currentLine: 0,
      stored: 0,
      toPrint: 0,
      start: 0,
      isNumbered: false,
      hadFullPage: false,
    }));
    this.#ready = s.isParallel ? sources.length : 1;
    const modified = s.isParallel ? undefined : only.modified;
    this.#dateText = this.#dateOf(modified);
    this.#fileText = this.#header ?? (modified === undefined ? "" : only.name);
    if (s.firstPage > 1n && !(yield* this.#skipTo(s.firstPage))) return;
    this.#page = s.firstPage > 1n ? s.firstPage : 1n;
    this.#placeColumns();
    this.#line = this.#lineCount;
    while (this.#printPage()) yield;
  }

  #placeColumns(): void {
    const s = this.#s;
    let start = s.margin;
    let next = ANYWHERE;
    if (s.truncates) next = start + this.#columnWidth + (s.isParallel && s.isNumbered ? this.#numberWidth : 0);
    start += s.separator.length;
    for (const [at, column] of this.#columns.entries()) {
      const isLast = at === this.#columns.length - 1;
      column.isStored = this.#isStoring && (!isLast || this.#balances);
      column.isNumbered = s.isNumbered && (!s.isParallel || at === 0);
      column.start = start;
      if (s.truncates) {
        start = next + s.separator.length;
        next = start + this.#columnWidth;
      } else start = next = ANYWHERE;
    }
  }

  get #readyColumns(): number {
    return this.#columns.filter(
      ({ status, stored, toPrint }) => status === "open" || status === "form-feed" || (this.#isStoring && stored > 0 && toPrint > 0),
    ).length;
  }

  // Files

  #close(column: Column): void {
    if (column.status === "closed") return;
    if (column.source.failure !== undefined) throw new PageFailure(column.source.failure);
    if (this.#s.isParallel) {
      column.status = "closed";
      column.toPrint = 0;
    } else {
      for (const each of this.#columns) {
        each.status = "closed";
        if (each.stored === 0) each.toPrint = 0;
      }
    }
    this.#ready--;
  }

  #hold(column: Column): void {
    if (this.#s.isParallel) column.status = "held";
    else for (const each of this.#columns) each.status = this.#isStoring ? "form-feed" : "held";
    column.toPrint = 0;
    this.#ready--;
  }

  #reset(): void {
    for (const column of this.#columns) {
      if (column.status !== "held") continue;
      column.status = "open";
      this.#ready++;
    }
    if (this.#isStoring) this.#ready = this.#columns[0]?.status === "closed" ? 0 : 1;
  }

  /** A newline behind a form feed belongs to it. */
  #afterFormFeed(source: PageSource): void {
    if (source.next() !== NEWLINE) source.back();
  }

  // Skipping

  *#skipTo(page: bigint): Generator<void, boolean> {
    for (let at = 1n; at < page; at++) {
      for (let line = 1; line < this.#linesPerBody; line++) this.#skipLine();
      this.#isLastLine = true;
      this.#skipLine();
      if (this.#isStoring) for (const column of this.#columns) if (column.status !== "closed") column.status = "held";
      this.#reset();
      this.#isLastLine = false;
      if (this.#ready < 1) {
        this.#warn(`starting page number ${page} exceeds page count ${at}`);
        break;
      }
      yield;
    }
    return this.#ready > 0;
  }

  #skipLine(): void {
    for (const [at, column] of this.#columns.entries()) if (column.status === "open") this.#skipRead(column, at === 0);
  }

  #skipRead(column: Column, isFirst: boolean): void {
    const { source } = column;
    let byte = source.next();
    if (byte === FORM_FEED && column.hadFullPage) {
      byte = source.next();
      if (byte === NEWLINE) byte = source.next();
    }
    const isAlone = byte === FORM_FEED;
    column.hadFullPage = this.#isLastLine;
    for (; byte !== NEWLINE; byte = source.next()) {
      if (byte === FORM_FEED) {
        if (this.#isLastLine) for (const each of this.#s.isParallel ? [column] : this.#columns) each.hadFullPage = false;
        this.#afterFormFeed(source);
        this.#hold(column);
        break;
      }
      if (byte === END) {
        this.#close(column);
        break;
      }
    }
    if (this.#s.countsSkipped && (!this.#s.isParallel || isFirst) && !isAlone) this.#lineCount++;
  }

  // Pages

  /** False where it was the last. */
  #printPage(): boolean {
    const s = this.#s;
    this.#beginPage();
    if (this.#readyColumns === 0) return false;
    if (s.hasExtremities) this.#owesHeader = true;
    this.#padsDown = false;
    let hasPrinted = false;
    let left = this.#linesPerBody * (s.isDoubleSpaced ? 2 : 1);
    while (left > 0 && this.#readyColumns > 0) {
      hasPrinted = this.#printLine(hasPrinted);
      if (this.#padsDown) {
        this.#output.addByte(NEWLINE);
        left--;
      }
      if (this.#readyColumns === 0 && !s.hasExtremities) break;
      if (s.isDoubleSpaced && hasPrinted) {
        this.#output.addByte(NEWLINE);
        left--;
      }
    }
    if (left === 0) for (const column of this.#columns) if (column.status === "open") column.hadFullPage = true;
    this.#padsDown = hasPrinted;
    if (hasPrinted && s.hasExtremities) {
      if (s.usesFormFeed) this.#output.addByte(FORM_FEED);
      else for (let lines = left + FOOTER_LINES; lines > 0; lines--) this.#output.addByte(NEWLINE);
    } else if (s.keepsFormFeeds && this.#owesFormFeed) {
      this.#output.addByte(FORM_FEED);
      this.#owesFormFeed = false;
    }
    if (s.lastPage < ++this.#page) return false;
    this.#reset();
    return true;
  }

  #beginPage(): void {
    if (!this.#isStoring) {
      for (const column of this.#columns) column.toPrint = column.status === "open" ? this.#linesPerBody : 0;
      return;
    }
    this.#storeColumns();
    for (const column of this.#columns) column.toPrint = column.stored;
  }

  #printLine(hadPrinted: boolean): boolean {
    const s = this.#s;
    let hasPrinted = hadPrinted;
    this.#outputAt = 0;
    this.#spaces = 0;
    this.#separators = 0;
    this.#padsDown = false;
    this.#alignsEmpty = false;
    this.#isEmptyLine = true;
    for (const column of this.#columns) {
      this.#inputAt = 0;
      if (column.toPrint > 0 || column.status === "form-feed") {
        this.#hasFormFeedOnly = false;
        this.#padding = column.start;
        if (column.isStored) this.#printStored(column);
        else if (!this.#readLine(column, false)) this.#readRest(column);
        hasPrinted ||= this.#padsDown;
        if (--column.toPrint <= 0 && this.#readyColumns === 0) break;
        if (s.isParallel && column.status !== "open") {
          if (this.#isEmptyLine) this.#alignsEmpty = true;
          else if (column.status === "closed" || (column.status === "held" && this.#hasFormFeedOnly)) this.#align(column);
        }
      } else if (s.isParallel) {
        if (this.#isEmptyLine) this.#alignsEmpty = true;
        else this.#align(column);
      }
      if (s.hasSeparator) this.#separators++;
    }
    return hasPrinted;
  }

  /** Puts separators where a column has nothing. */
  #align(column: Column): void {
    this.#padding = column.start;
    this.#beforeText();
    if (column.isNumbered) this.#addNumber(false);
  }

  #beforeText(): void {
    const { separator, hasSeparator } = this.#s;
    if (separator.length < this.#padding) {
      this.#padTo(this.#padding - separator.length);
      this.#padding = ANYWHERE;
    }
    if (hasSeparator) this.#printSeparators();
  }

  #storeColumns(): void {
    this.#stored = [];
    this.#ends = [];
    this.#building = [];
    for (const column of this.#columns) column.stored = 0;
    for (const column of this.#columns) {
      if (this.#ready === 0) break;
      column.currentLine = this.#stored.length;
      for (let left = this.#linesPerBody; left > 0 && this.#ready > 0; left--) {
        if (column.status !== "open") continue;
        this.#inputAt = 0;
        if (!this.#readLine(column, true)) this.#readRest(column);
        if ((column.status as Column["status"]) !== "open" && this.#building.length === 0) continue;
        this.#stored.push(this.#building);
        this.#ends.push(this.#inputAt);
        this.#building = [];
      }
    }
    const total = this.#stored.length;
    let first = 0;
    for (const [at, column] of this.#columns.entries()) {
      column.stored = Math.trunc(total / this.#columns.length) + (at < total % this.#columns.length ? 1 : 0);
      column.currentLine = first;
      first += column.stored;
    }
  }

  #printStored(column: Column): void {
    const line = column.currentLine++;
    this.#padsDown = true;
    if (this.#owesHeader) this.#printHeader();
    if (column.status === "form-feed") {
      for (const each of this.#columns) each.status = "held";
      if ((this.#columns[0] as Column).toPrint <= 0) {
        if (!this.#s.hasExtremities) this.#padsDown = false;
        return;
      }
    }
    this.#beforeText();
    for (const byte of this.#stored[line] ?? []) this.#print(byte);
    if (this.#spaces !== 0) return;
    this.#outputAt = column.start + (this.#ends[line] ?? 0);
    if (column.start - this.#s.separator.length === this.#s.margin) this.#outputAt -= this.#s.separator.length;
  }

  // Lines

  #put(byte: number, stores: boolean): void {
    if (stores) this.#building.push(byte);
    else this.#print(byte);
  }

  /** False for a line that is longer than its column. */
  #readLine(column: Column, stores: boolean): boolean {
    const { source } = column;
    let byte = source.next();
    let before = this.#inputAt;
    if (byte === FORM_FEED && column.hadFullPage) {
      byte = source.next();
      if (byte === NEWLINE) byte = source.next();
    }
    column.hadFullPage = false;
    if (byte === FORM_FEED) {
      this.#afterFormFeed(source);
      this.#hasFormFeedOnly = true;
      if (this.#owesHeader && !this.#isStoring) {
        this.#padsDown = true;
        this.#printHeader();
      } else if (this.#s.keepsFormFeeds) this.#owesFormFeed = true;
      this.#hold(column);
      return true;
    }
    if (byte === END) {
      this.#close(column);
      return true;
    }
    let clump = byte === NEWLINE ? [] : this.#clump(byte);
    const isTooLong = (): boolean => {
      if (!this.#s.truncates || this.#inputAt <= this.#columnWidth) return false;
      this.#inputAt = before;
      return true;
    };
    if (isTooLong()) return false;
    if (!stores) this.#beginText(column);
    if (column.isNumbered) this.#addNumber(stores);
    this.#isEmptyLine = false;
    if (byte === NEWLINE) return true;
    for (;;) {
      for (const each of clump) this.#put(each, stores);
      byte = source.next();
      if (byte === NEWLINE) return true;
      if (byte === FORM_FEED) {
        this.#afterFormFeed(source);
        if (this.#s.keepsFormFeeds) this.#owesFormFeed = true;
        this.#hold(column);
        return true;
      }
      if (byte === END) {
        this.#close(column);
        return true;
      }
      before = this.#inputAt;
      clump = this.#clump(byte);
      if (isTooLong()) return false;
    }
  }

  #beginText(column: Column): void {
    this.#padsDown = true;
    if (this.#owesHeader && !this.#isStoring) this.#printHeader();
    if (this.#s.isParallel && this.#alignsEmpty) {
      const count = this.#separators;
      this.#separators = 0;
      for (const each of this.#columns.slice(0, count)) {
        this.#align(each);
        this.#separators++;
      }
      this.#padding = column.start;
      this.#spaces = this.#s.truncates ? this.#columnWidth : 0;
      this.#alignsEmpty = false;
    }
    this.#beforeText();
  }

  #readRest(column: Column): void {
    for (let byte = column.source.next(); byte !== NEWLINE; byte = column.source.next()) {
      if (byte === FORM_FEED) {
        this.#afterFormFeed(column.source);
        if (this.#s.keepsFormFeeds) this.#owesFormFeed = true;
        this.#hold(column);
        return;
      }
      if (byte === END) {
        this.#close(column);
        return;
      }
    }
  }

  /** The bytes that stand for one; moves on by their width. */
  #clump(byte: number): number[] {
    const s = this.#s;
    let width = 1;
    let clump = [byte];
    if (byte === s.inputTab || byte === TAB) {
      const columns = byte === s.inputTab ? s.inputTabColumns : 8;
      width = columns - (this.#inputAt % columns);
      if (s.expandsTabs) clump = new Array<number>(width).fill(SPACE);
    } else if (!isPrintable(byte)) {
      const text =
        s.escapes === "none" ? undefined : s.escapes === "caret" && byte < 0x80 ? `^${String.fromCharCode(byte ^ 0x40)}` : octal(byte);
      width = text?.length ?? (byte === BACKSPACE ? -1 : 0);
      if (text !== undefined) clump = [...Buffer.from(text, "latin1")];
    }
    if (width < 0 && this.#inputAt === 0) return [];
    this.#inputAt = Math.max(0, this.#inputAt + width);
    return clump;
  }

  #addNumber(stores: boolean): void {
    const s = this.#s;
    const digits = String(this.#line++)
      .padStart(s.numberColumns)
      .slice(-s.numberColumns);
    for (let at = 0; at < digits.length; at++) this.#put(digits.charCodeAt(at), stores);
    if (s.columns > 1 && s.numberSeparator === TAB) {
      for (let left = this.#numberWidth - s.numberColumns; left > 0; left--) this.#put(SPACE, stores);
    } else {
      this.#put(s.numberSeparator, stores);
      if (s.columns <= 1 && s.numberSeparator === TAB) this.#outputAt = afterTab(s.outputTabColumns, this.#outputAt);
    }
    if (s.truncates && !s.isParallel) this.#inputAt += this.#numberWidth;
  }

  // Output

  #print(byte: number): void {
    if (this.#s.makesTabs) {
      if (byte === SPACE) {
        this.#spaces++;
        return;
      }
      if (this.#spaces > 0) this.#printSpaces();
      if (isPrintable(byte)) this.#outputAt++;
      else if (byte === BACKSPACE) this.#outputAt--;
    }
    this.#output.addByte(byte);
  }

  #printSpaces(): void {
    let at = this.#outputAt;
    const goal = at + this.#spaces;
    for (let next = afterTab(this.#s.outputTabColumns, at); goal - at > 1 && next <= goal; next = afterTab(this.#s.outputTabColumns, at)) {
      this.#output.addByte(this.#s.outputTab);
      at = next;
    }
    for (; at < goal; at++) this.#output.addByte(SPACE);
    this.#outputAt = goal;
    this.#spaces = 0;
  }

  #padTo(position: number): void {
    if (this.#s.makesTabs) {
      this.#spaces = position - this.#outputAt;
      return;
    }
    for (let at = this.#outputAt; at < position; at++) this.#output.addByte(SPACE);
    this.#outputAt = position;
  }

  #printSeparators(): void {
    if (this.#separators <= 0) {
      if (this.#spaces > 0) this.#printSpaces();
      return;
    }
    // The bytes are there for the first of them; the others are empty.
    let bytes = this.#s.separator;
    for (; this.#separators > 0; this.#separators--) {
      for (const byte of bytes) {
        if (byte === SPACE) {
          this.#spaces++;
          continue;
        }
        if (this.#spaces > 0) this.#printSpaces();
        this.#output.addByte(byte);
        this.#outputAt++;
      }
      if (this.#spaces > 0) this.#printSpaces();
      bytes = bytes.subarray(0, 0);
    }
  }

  #printHeader(): void {
    this.#outputAt = 0;
    this.#padTo(this.#s.margin);
    this.#printSpaces();
    const page = `Page ${this.#page}`;
    const room = Math.max(0, this.#s.width - textWidth(this.#dateText) - textWidth(this.#fileText) - page.length);
    const left = room >> 1;
    const margin = " ".repeat(this.#s.margin);
    const text = `\n\n${margin}${this.#dateText}${" ".repeat(Math.max(1, left))}${this.#fileText}${" ".repeat(Math.max(1, room - left))}${page}\n\n\n`;
    this.#output.add(toBytes(text));
    this.#owesHeader = false;
    this.#outputAt = 0;
  }
}

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, "0")}`;
