/** Lines as ripgrep prints them, with every flag that says what of them and around them (crates/printer/src/standard.rs). */
import { toBytes } from "../../../src/io/text.ts";
import type { Span, TextMatches } from "../../../src/regex/text-pattern.ts";
import type { ZeroRule } from "./core.ts";
import { matchesIn } from "./found-matches.ts";
import { lineEnd, withoutNewline } from "./line-ranges.ts";
import { omittedEnd, previewEnd } from "./long-lines.ts";
import type { Replacement } from "./replacement.ts";
import { fileSeparator } from "./separators.ts";
import type { Lines, PerlSettings, Sink } from "./settings.ts";
import type { Statistics } from "./statistics.ts";
import type { Written } from "./written.ts";

/** The input that is printed of. */
export interface Printed {
  readonly bytes: Buffer;
  readonly matches: TextMatches;
  /** Undefined where paths are not shown. */
  readonly path: string | undefined;
  readonly zeroRule: ZeroRule;
}

/** Lines to be printed: as they are, or with their matches replaced. Places are offsets in `bytes`. */
interface Shown {
  readonly bytes: Buffer;
  readonly places: readonly Span[];
  /** Number of matches before any was replaced. */
  readonly matchCount: number;
  readonly offset: number;
  readonly lineNumber: number;
  readonly isContext: boolean;
}

const NEWLINE = Buffer.from("\n");

export class StandardPrinter implements Sink {
  readonly #settings: PerlSettings;
  readonly #replacement: Replacement | undefined;
  readonly #written: Written;
  readonly #statistics: Statistics;
  readonly #input: Printed;
  readonly #asksForMatches: boolean;
  readonly #separator: Buffer | undefined;
  #matchCount = 0;
  #zeroAt: number | undefined;

  constructor(
    settings: PerlSettings,
    replacement: Replacement | undefined,
    given: { readonly input: Printed; readonly written: Written; readonly statistics: Statistics; readonly isSerial: boolean },
  ) {
    this.#settings = settings;
    this.#replacement = replacement;
    this.#written = given.written;
    this.#statistics = given.statistics;
    this.#input = given.input;
    // ripgrep's printer itself separates files only where one thread searches them all.
    this.#separator = given.isSerial ? fileSeparator(settings) : undefined;
    this.#asksForMatches = settings.column || replacement !== undefined || settings.perMatch || settings.onlyMatching || settings.stats;
  }

  get hasMatch(): boolean {
    return this.#matchCount > 0;
  }

  matched(lines: Lines, seen: Span): boolean {
    this.#matchCount++;
    const shown = this.#shown(lines, seen, false);
    this.#statistics.matches += shown.matchCount;
    this.#statistics.matchedLines += lineCount(this.#input.bytes, lines);
    if (this.#isOver) return false;
    this.#print(shown);
    return true;
  }

  context(lines: Lines): boolean {
    const shown = this.#shown(lines, this.#settings.invert ? lines : undefined, true);
    if (this.#isOver) return false;
    this.#print(shown);
    return true;
  }

  contextBreak(): void {
    const { contextSeparator } = this.#settings;
    if (contextSeparator === undefined) return;
    this.#written.add(contextSeparator);
    this.#written.add(NEWLINE);
  }

  binaryData(offset: number): void {
    this.#zeroAt = offset;
  }

  finish(byteCount: number): void {
    if (this.#zeroAt !== undefined && this.hasMatch) this.#printBinary(this.#zeroAt);
    this.#statistics.finish(this.hasMatch, byteCount, this.#written.count);
  }

  /** A zero byte was met, and its file is one that nothing is printed of. */
  get #isOver(): boolean {
    return this.#input.zeroRule === "convert" && this.#zeroAt !== undefined;
  }

  /** `seen`: undefined where the lines have no matches. */
  #shown(lines: Lines, seen: Span | undefined, isContext: boolean): Shown {
    const { bytes, matches } = this.#input;
    const { multiline } = this.#settings;
    const { start, end, lineNumber } = lines;
    const common = { offset: start, lineNumber, isContext };
    const range = seen && { lines, seen, multiline };
    const found = range === undefined || !this.#asksForMatches ? [] : [...matchesIn(matches, bytes, range)];
    if (this.#replacement !== undefined && range !== undefined) {
      const replaced = this.#replacement.of(matches, bytes, range);
      if (replaced.places.length > 0) return { ...common, ...replaced, matchCount: found.length };
    }
    const places = found.map((span) => ({ start: span.start - start, end: span.end - start }));
    return { ...common, bytes: bytes.subarray(start, end), places, matchCount: found.length };
  }

  #print(shown: Shown): void {
    this.#printPrelude();
    const isOverLines = this.#settings.multiline && !shown.isContext;
    if (shown.places.length === 0) {
      if (isOverLines) this.#printEachLine(shown);
      else this.#printLine(shown, undefined, shown.bytes);
    } else if (isOverLines) this.#printMatchesOverLines(shown);
    else this.#printMatchesOfLine(shown);
  }

  /** Before the first line of an input. */
  #printPrelude(): void {
    const { heading, nullAfterPath } = this.#settings;
    if (this.#written.count > 0) return;
    if (this.#separator !== undefined && this.#written.hasPrinted) this.#written.add(this.#separator);
    if (!heading || this.#input.path === undefined) return;
    this.#written.add(toBytes(this.#input.path));
    this.#written.add(nullAfterPath ? ZERO : NEWLINE);
  }

  #printEachLine(shown: Shown): void {
    const { bytes } = shown;
    let index = 0;
    for (let at = 0; at < bytes.length; index++) {
      const end = lineEnd(bytes, at, bytes.length);
      this.#printFields(shown, { offset: shown.offset + at, lineNumber: shown.lineNumber + index, column: undefined });
      this.#printText(shown, bytes.subarray(at, end));
      at = end;
    }
  }

  #printLine(shown: Shown, place: Span | undefined, text: Buffer): void {
    const start = place?.start ?? 0;
    this.#printFields(shown, { offset: shown.offset + start, lineNumber: shown.lineNumber, column: place && start + 1 });
    this.#printText(shown, text);
  }

  #printMatchesOfLine(shown: Shown): void {
    const { bytes, places } = shown;
    const { onlyMatching, perMatch } = this.#settings;
    if (onlyMatching) for (const place of places) this.#printLine(shown, place, bytes.subarray(place.start, place.end));
    else if (perMatch) for (const place of places) this.#printLine(shown, place, bytes);
    else {
      const column = (places[0] as Span).start + 1;
      this.#printFields(shown, { offset: shown.offset, lineNumber: shown.lineNumber, column });
      this.#printText(shown, bytes);
    }
  }

  #printMatchesOverLines(shown: Shown): void {
    const { onlyMatching, perMatch } = this.#settings;
    if (onlyMatching) this.#printPartsOfMatches(shown);
    else if (perMatch) for (const place of shown.places) this.#printFirstLineOf(shown, place);
    else {
      const { bytes, places } = shown;
      const column = (places[0] as Span).start + 1;
      let index = 0;
      for (let at = 0; at < bytes.length; index++) {
        const end = lineEnd(bytes, at, bytes.length);
        this.#printFields(shown, { offset: shown.offset + at, lineNumber: shown.lineNumber + index, column });
        this.#printPart(shown, this.#trimmed(bytes, { start: at, end }), places);
        at = end;
      }
    }
  }

  /** The matches, each line that one goes over on a line of its own. */
  #printPartsOfMatches(shown: Shown): void {
    const { bytes, places } = shown;
    let which = 0;
    let index = 0;
    for (let at = 0; at < bytes.length; index++) {
      const end = lineEnd(bytes, at, bytes.length);
      let { start, end: stop } = this.#trimmed(bytes, withoutNewline(bytes, { start: at, end }));
      while (start < stop) {
        const place = places[which] as Span;
        if (place.end <= start) {
          if (which + 1 === places.length) break;
          which++;
        } else if (start < place.start) start = Math.min(stop, place.start);
        else {
          const upTo = Math.min(stop, place.end);
          const column = place.start + 1;
          this.#printFields(shown, { offset: shown.offset + place.start, lineNumber: shown.lineNumber + index, column });
          this.#printPart(shown, { start, end: upTo }, places);
          start = upTo;
        }
      }
      at = end;
    }
  }

  /** --vimgrep: the line in which a match begins. */
  #printFirstLineOf(shown: Shown, place: Span): void {
    const { bytes } = shown;
    let index = 0;
    for (let at = 0; at < bytes.length; index++) {
      const end = lineEnd(bytes, at, bytes.length);
      if (at >= place.end) return;
      if (end > place.start) {
        const column = Math.max(0, place.start - at) + 1;
        this.#printFields(shown, { offset: shown.offset + at, lineNumber: shown.lineNumber + index, column });
        const line = this.#trimmed(bytes, withoutNewline(bytes, { start: at, end }));
        const isLong = this.#isLong(line.end - line.start);
        this.#printPart(shown, line, [place]);
        // Only the first line, except where ripgrep passes one that is too long.
        if (!isLong) return;
      }
      at = end;
    }
  }

  /** A part of the lines, with a newline. */
  #printPart(shown: Shown, part: Span, places: readonly Span[]): void {
    if (this.#isLong(part.end - part.start)) {
      this.#printLong(shown, part, places);
      return;
    }
    const { start, end } = withoutNewline(shown.bytes, part);
    this.#written.add(shown.bytes, start, end);
    this.#written.add(NEWLINE);
  }

  /** A whole line, or a match, that may have its newline. */
  #printText(shown: Shown, whole: Buffer): void {
    const { start } = this.#trimmed(whole, { start: 0, end: whole.length });
    const text = whole.subarray(start);
    if (this.#isLong(text.length)) {
      this.#printLong({ ...shown, bytes: text }, { start: 0, end: text.length }, shown.places);
      return;
    }
    this.#written.add(text);
    if (text.at(-1) !== 10) this.#written.add(NEWLINE);
  }

  #printLong(shown: Shown, part: Span, places: readonly Span[]): void {
    const { maxColumns = 0, maxColumnsPreview, onlyMatching } = this.#settings;
    if (maxColumnsPreview) {
      const end = previewEnd(shown.bytes, part, maxColumns);
      const preview = withoutNewline(shown.bytes, { start: part.start, end });
      this.#written.add(shown.bytes, preview.start, preview.end);
      this.#written.addText(omittedEnd(places, { start: end, end: part.end }));
    } else if (shown.matchCount === 0 || onlyMatching)
      this.#written.addText(shown.isContext ? "[Omitted long context line]" : "[Omitted long matching line]");
    else this.#written.addText(`[Omitted long line with ${shown.matchCount} matches]`);
    this.#written.add(NEWLINE);
  }

  #isLong(length: number): boolean {
    const { maxColumns } = this.#settings;
    return maxColumns !== undefined && length > maxColumns;
  }

  /** --trim: without the blanks at its front. */
  #trimmed(bytes: Buffer, { start, end }: Span): Span {
    if (!this.#settings.trim) return { start, end };
    let from = start;
    while (from < end && BLANKS.includes(bytes[from] as number)) from++;
    return { start: from, end };
  }

  #printFields(
    { isContext }: Shown,
    { offset, lineNumber, column }: { readonly offset: number; readonly lineNumber: number; readonly column: number | undefined },
  ): void {
    const settings = this.#settings;
    const separator = isContext ? settings.fieldContextSeparator : settings.fieldMatchSeparator;
    if (this.#input.path !== undefined && !settings.heading) {
      this.#written.add(toBytes(this.#input.path));
      this.#written.add(settings.nullAfterPath ? ZERO : separator);
    }
    const field = (value: number): void => {
      this.#written.addText(String(value));
      this.#written.add(separator);
    };
    if (settings.lineNumber) field(lineNumber);
    if (settings.column && column !== undefined) field(column);
    if (settings.byteOffset) field(offset);
  }

  #printBinary(offset: number): void {
    if (this.#input.path !== undefined) {
      this.#written.add(toBytes(this.#input.path));
      this.#written.addText(": ");
    }
    const what = this.#input.zeroRule === "quit" ? "WARNING: stopped searching binary file after match" : "binary file matches";
    this.#written.addText(`${what} (found "\\0" byte around offset ${offset})\n`);
  }
}

/** Number of lines in a range. */
export function lineCount(bytes: Buffer, { start, end }: Span): number {
  let count = 0;
  for (let at = start; at < end; count++) at = lineEnd(bytes, at, end);
  return count;
}

const ZERO = Buffer.alloc(1);
/** ASCII blanks but the newline. */
const BLANKS: readonly number[] = [9, 11, 12, 13, 32];
