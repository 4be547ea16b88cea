/** Plans and settings of our own searches (own-plan.ts, perl/perl-plan.ts), and what such a search is to those that read for it. */
import type { LineMatcher } from "../../src/regex/posix-matcher.ts";
import type { RequiredText } from "../../src/regex/required-text.ts";
import type { ListingFlag } from "./own-options.ts";

export interface SearchPlan {
  /** -H or -I, whichever came last. */
  readonly showsPaths: boolean | undefined;
  readonly showsMessages: boolean;
  /** Files that a walk finds are searched like those that are named (--binary, -uuu). */
  readonly searchesBinary: boolean;
  /** The module would read the pattern otherwise, or not at all. */
  readonly needsOwn: boolean;
  /** -z: files are searched as their names say that they are packed. */
  readonly searchesPacked: boolean;
  /** --mmap, --no-mmap. */
  readonly maps: boolean | undefined;
  /** Flags that choose among the files of a tree, for the module to list them. */
  readonly listing: readonly ListingFlag[];
  /** Nothing is said of files without it. */
  readonly required: RequiredText | undefined;
  /** One match is enough, and nothing is printed (-q). */
  readonly quits: boolean;
}

/** Searches one input after another. */
export interface InputSearch {
  /** No more input is needed. */
  readonly done: boolean;
  /** A new input. `hasMark`: a byte order mark was taken off its front. */
  start(path: string, showsPath: boolean, rule: BinaryRule, hasMark: boolean): void;
  /** Room for the next bytes, of which `most` are left: call `read` with the number that came. */
  room(most: number): Buffer;
  read(count: number): void;
  /** The input has ended. Tells whether anything was selected; undefined: print what is there and ask again. */
  finish(): boolean | undefined;
  /** All inputs have ended. */
  end(): void;
}

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
