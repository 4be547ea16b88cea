/** Settings of our own search of lines (own-plan.ts). */
import type { LineMatcher } from "../../src/regex/posix-matcher.ts";

export interface OwnSettings {
  readonly matcher: LineMatcher;
  readonly invert: boolean;
  /** "first": nothing is printed, and one match is enough (-q). */
  readonly output: "lines" | "matches" | "count" | "paths" | "paths-without" | "first";
  /** With "count": the matches, not the lines. */
  readonly countsMatches: boolean;
  readonly lineNumber: boolean;
  readonly before: number;
  readonly after: number;
  /** Lines to select in each input; Infinity: all. */
  readonly maxCount: number;
  readonly heading: boolean;
  /** A 0 byte after paths. */
  readonly nullAfterPath: boolean;
  /** Zero bytes are text (-a). */
  readonly isText: boolean;
}

/**
 * ripgrep's treatment of zero bytes. A file that was named, or an input: lines are printed up to a word that it is binary. A file
 * that a walk found: it ends where a zero byte was read. Of a mapped file the first 64 KiB are looked at beforehand, then only
 * the lines printed; of any other, all that is read. "text": they are like any other byte.
 */
export type BinaryRule = "named" | "named-mapped" | "found" | "found-mapped" | "text";
