/** --stats (crates/printer/src/stats.rs of ripgrep), in words and for --json. */
import { stopwatch } from "../../../src/io/stopwatch.ts";

export class Statistics {
  readonly #sinceStart = stopwatch();
  /** Nanoseconds spent searching. */
  elapsed = 0;
  searches = 0;
  searchesWithMatch = 0;
  bytesSearched = 0;
  bytesPrinted = 0;
  matchedLines = 0;
  matches = 0;

  add(other: Statistics): void {
    this.elapsed += other.elapsed;
    this.searches += other.searches;
    this.searchesWithMatch += other.searchesWithMatch;
    this.bytesSearched += other.bytesSearched;
    this.bytesPrinted += other.bytesPrinted;
    this.matchedLines += other.matchedLines;
    this.matches += other.matches;
  }

  /** An input was searched to its end. */
  finish(hasMatch: boolean, bytesSearched: number, bytesPrinted: number): void {
    this.elapsed += this.#sinceStart();
    this.searches++;
    if (hasMatch) this.searchesWithMatch++;
    this.bytesSearched += bytesSearched;
    this.bytesPrinted += bytesPrinted;
  }

  get words(): string {
    return [
      "",
      `${this.matches} matches`,
      `${this.matchedLines} matched lines`,
      `${this.searchesWithMatch} files contained matches`,
      `${this.searches} files searched`,
      `${this.bytesPrinted} bytes printed`,
      `${this.bytesSearched} bytes searched`,
      `${seconds(this.elapsed)} seconds spent searching`,
      `${seconds(this.#sinceStart())} seconds total`,
      "",
    ].join("\n");
  }

  /** For the end of an input. */
  get json(): object {
    return {
      elapsed: { ...wholeSeconds(this.elapsed), human: `${seconds(this.elapsed)}s` },
      searches: this.searches,
      searches_with_match: this.searchesWithMatch,
      bytes_searched: this.bytesSearched,
      bytes_printed: this.bytesPrinted,
      matched_lines: this.matchedLines,
      matches: this.matches,
    };
  }

  /** The last message of --json. */
  get summary(): string {
    const stats = {
      bytes_printed: this.bytesPrinted,
      bytes_searched: this.bytesSearched,
      elapsed: sorted(this.elapsed),
      matched_lines: this.matchedLines,
      matches: this.matches,
      searches: this.searches,
      searches_with_match: this.searchesWithMatch,
    };
    return `${JSON.stringify({ data: { elapsed_total: sorted(this.#sinceStart()), stats }, type: "summary" })}\n`;
  }
}

const SECOND = 1e9;

const seconds = (nanos: number): string => (nanos / SECOND).toFixed(6);

const wholeSeconds = (nanos: number) => ({ secs: Math.floor(nanos / SECOND), nanos: nanos % SECOND });

/** With its keys in the order of the alphabet. */
function sorted(nanos: number): object {
  const { secs, nanos: rest } = wholeSeconds(nanos);
  return { human: `${seconds(nanos)}s`, nanos: rest, secs };
}
