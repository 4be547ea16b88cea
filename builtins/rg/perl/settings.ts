/** Settings of the search that goes with every flag (perl-plan.ts), and the receiver of what it finds. */
import type { Span, TextPattern } from "../../../src/regex/text-pattern.ts";

export interface PerlSettings {
  readonly pattern: TextPattern;
  /** A match may go over several lines (-U). */
  readonly multiline: boolean;
  readonly invert: boolean;
  readonly output: "standard" | "count" | "count-matches" | "paths" | "paths-without" | "json";
  /** Nothing but statistics is printed (-q). */
  readonly quiet: boolean;
  readonly before: number;
  readonly after: number;
  readonly passthru: boolean;
  /** Infinity: all. */
  readonly maxCount: number;
  readonly stopOnNonmatch: boolean;
  readonly lineNumber: boolean;
  readonly column: boolean;
  readonly byteOffset: boolean;
  readonly onlyMatching: boolean;
  /** A line for every match (--vimgrep). */
  readonly perMatch: boolean;
  readonly heading: boolean;
  readonly nullAfterPath: boolean;
  readonly maxColumns: number | undefined;
  readonly maxColumnsPreview: boolean;
  readonly trim: boolean;
  /** -r, as it was typed. */
  readonly replacement: string | undefined;
  /** Undefined: none is printed. */
  readonly contextSeparator: Buffer | undefined;
  readonly fieldMatchSeparator: Buffer;
  readonly fieldContextSeparator: Buffer;
  readonly includeZero: boolean;
  readonly stats: boolean;
  readonly isText: boolean;
}

/** Lines of the input that is searched. */
export interface Lines extends Span {
  /** 0 where nobody asks. */
  readonly lineNumber: number;
}

/** Receives what is found in one input (crates/searcher/src/sink.rs of ripgrep). Each returns false to end the search. */
export interface Sink {
  /** `seen`: the part of the input that ripgrep's buffer holds. */
  matched(lines: Lines, seen: Span): boolean;
  context(lines: Lines): boolean;
  contextBreak(): void;
  binaryData(offset: number): void;
  finish(byteCount: number, binaryOffset: number | undefined): void;
}
