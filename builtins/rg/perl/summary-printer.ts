/** Counts and paths, and nothing (-c, --count-matches, -l, --files-without-match, -q; crates/printer/src/summary.rs of ripgrep). */
import { toBytes } from "../../../src/io/text.ts";
import type { Span } from "../../../src/regex/text-pattern.ts";
import { matchesIn } from "./found-matches.ts";
import type { Lines, PerlSettings, Sink } from "./settings.ts";
import { lineCount, type Printed } from "./standard-printer.ts";
import type { Statistics } from "./statistics.ts";
import type { Written } from "./written.ts";

export class SummaryPrinter implements Sink {
  readonly #settings: PerlSettings;
  readonly #written: Written;
  readonly #statistics: Statistics;
  readonly #input: Printed;
  #matchCount = 0;

  constructor(
    settings: PerlSettings,
    { input, written, statistics }: { readonly input: Printed; readonly written: Written; readonly statistics: Statistics },
  ) {
    this.#settings = settings;
    this.#written = written;
    this.#statistics = statistics;
    this.#input = input;
  }

  get hasMatch(): boolean {
    return (this.#settings.output === "paths-without") === (this.#matchCount === 0);
  }

  matched(lines: Lines, seen: Span): boolean {
    const { multiline, output, quiet, stats } = this.#settings;
    const hasStatistics = stats || (output === "count-matches" && !quiet);
    const count = hasStatistics || multiline ? this.#matchesIn(lines, seen) : 1;
    this.#matchCount += multiline ? count : 1;
    if (!hasStatistics) return !(output === "paths" || (quiet && output !== "paths-without"));
    this.#statistics.matches += count;
    this.#statistics.matchedLines += lineCount(this.#input.bytes, lines);
    return true;
  }

  /** Only where the matches of a line are looked for again, there may be none. */
  #matchesIn(lines: Lines, seen: Span): number {
    const { bytes, matches } = this.#input;
    let count = 0;
    for (const _ of matchesIn(matches, bytes, { lines, seen, multiline: this.#settings.multiline })) count++;
    return Math.max(1, count);
  }

  context(): boolean {
    return true;
  }

  contextBreak(): void {}

  binaryData(): void {}

  finish(byteCount: number, zeroAt: number | undefined): void {
    this.#statistics.finish(this.#matchCount > 0, byteCount, this.#written.count);
    if (zeroAt !== undefined && this.#input.zeroRule === "quit") this.#matchCount = 0;
    else if (!this.#settings.quiet) this.#print();
  }

  #print(): void {
    const { output, includeZero } = this.#settings;
    if (output === "paths" || output === "paths-without") {
      if (this.hasMatch) this.#printPath("\n");
    } else if (this.#matchCount > 0 || includeZero) {
      this.#printPath(":");
      this.#written.addText(`${output === "count-matches" ? this.#statistics.matches : this.#matchCount}\n`);
    }
  }

  #printPath(end: string): void {
    const { path } = this.#input;
    if (path === undefined) return;
    this.#written.add(toBytes(path));
    this.#written.addText(this.#settings.nullAfterPath ? "\0" : end);
  }
}
