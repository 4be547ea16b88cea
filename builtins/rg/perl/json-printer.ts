/** Messages of --json, one a line (crates/printer/src/json.rs and jsont.rs of ripgrep). */
import { isUtf8 } from "node:buffer";
import { toBytes } from "../../../src/io/text.ts";
import type { Span } from "../../../src/regex/text-pattern.ts";
import { matchesIn } from "./found-matches.ts";
import type { Replacement } from "./replacement.ts";
import type { Lines, PerlSettings, Sink } from "./settings.ts";
import { lineCount, type Printed } from "./standard-printer.ts";
import type { Statistics } from "./statistics.ts";
import type { Written } from "./written.ts";

export class JsonPrinter implements Sink {
  readonly #settings: PerlSettings;
  readonly #replacement: Replacement | undefined;
  readonly #written: Written;
  readonly #statistics: Statistics;
  readonly #input: Printed;
  readonly #path: object;
  #matchCount = 0;
  #hasBegun = false;

  constructor(
    settings: PerlSettings,
    replacement: Replacement | undefined,
    given: { readonly input: Printed; readonly written: Written; readonly statistics: Statistics; readonly path: string },
  ) {
    this.#settings = settings;
    this.#replacement = replacement;
    this.#written = given.written;
    this.#statistics = given.statistics;
    this.#input = given.input;
    this.#path = data(toBytes(given.path));
  }

  get hasMatch(): boolean {
    return this.#matchCount > 0;
  }

  matched(lines: Lines, seen: Span): boolean {
    this.#matchCount++;
    this.#begin();
    const submatches = this.#submatches(lines, seen);
    this.#statistics.matches += submatches.length;
    this.#statistics.matchedLines += lineCount(this.#input.bytes, lines);
    this.#print("match", { ...this.#about(lines), submatches });
    return true;
  }

  context(lines: Lines): boolean {
    this.#begin();
    this.#print("context", { ...this.#about(lines), submatches: this.#settings.invert ? this.#submatches(lines, lines) : [] });
    return true;
  }

  contextBreak(): void {}

  binaryData(): void {}

  finish(byteCount: number, zeroAt: number | undefined): void {
    this.#statistics.finish(this.hasMatch, byteCount, this.#written.count);
    if (this.#hasBegun) this.#print("end", { path: this.#path, binary_offset: zeroAt ?? null, stats: this.#statistics.json });
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#print("begin", { path: this.#path });
  }

  #about({ start, end, lineNumber }: Lines): object {
    return {
      path: this.#path,
      lines: data(this.#input.bytes.subarray(start, end)),
      line_number: this.#settings.lineNumber ? lineNumber : null,
      absolute_offset: start,
    };
  }

  #submatches(lines: Lines, seen: Span): readonly object[] {
    const { bytes, matches } = this.#input;
    const range = { lines, seen, multiline: this.#settings.multiline };
    const spans = [...matchesIn(matches, bytes, range)];
    const replaced = this.#replacement?.of(matches, bytes, range);
    return spans.map(({ start, end }, index) => {
      const place = replaced?.places[index];
      const replacement = place && replaced && data(replaced.bytes.subarray(place.start, place.end));
      return {
        match: data(bytes.subarray(start, end)),
        ...(replacement === undefined ? {} : { replacement }),
        start: start - lines.start,
        end: end - lines.start,
      };
    });
  }

  #print(type: string, message: object): void {
    this.#written.addText(`${JSON.stringify({ type, data: message })}\n`);
  }
}

/** Bytes as text, or where they are none, in base 64. */
const data = (bytes: Buffer): object => (isUtf8(bytes) ? { text: bytes.toString("utf8") } : { bytes: bytes.toString("base64") });
