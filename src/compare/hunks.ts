/** Changes as the formats print them: alone, or several together with the lines around them. */
import type { LineMatcher } from "../regex/posix-matcher.ts";
import type { Change } from "./changes.ts";
import { isCutLine, lineEnd, type LineText } from "./line-text.ts";

/** The two texts of a comparison. */
export interface TextPair {
  readonly old: LineText;
  readonly now: LineText;
}

/** Half-open ranges of lines in both texts. */
export interface Hunk {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
  /** The changes in the hunk; empty for lines that were only left out of the comparison. */
  readonly changes: readonly Change[];
}

/** Rule for changes that do not count: all of their lines are blank (-B) or match (-I). */
export interface IgnoreRule {
  readonly blankLines: boolean;
  readonly matching: LineMatcher | undefined;
  /** Definition of a blank line: "empty": no bytes; "white": no bytes but white space. */
  readonly blankMeans: "empty" | "white";
}

export function isIgnored(change: Change, { old, now }: TextPair, rule: IgnoreRule | undefined): boolean {
  if (rule === undefined) return false;
  return allIgnored(old, change.oldFrom, change.removed, rule) && allIgnored(now, change.newFrom, change.added, rule);
}

function allIgnored(text: LineText, from: number, count: number, rule: IgnoreRule): boolean {
  for (let line = from; line < from + count; line++) if (!lineIsIgnored(text, line, rule)) return false;
  return true;
}

function lineIsIgnored(text: LineText, line: number, { blankLines, matching, blankMeans }: IgnoreRule): boolean {
  const start = text.starts[line] as number;
  const end = lineEnd(text, line);
  if (blankLines) {
    let at = start;
    if (blankMeans === "white") while (at < end && isSpace(text.bytes[at] as number)) at++;
    if (at === end) return true;
  }
  return matching?.test(text.bytes, start, end) === true;
}

const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 9 && byte <= 13);

/**
 * Changes with `context` lines around them, near ones joined into one hunk; hunks in which no change counts are left out.
 */
export function hunksAround(changes: readonly Change[], texts: TextPair, context: number, ignored: (change: Change) => boolean): Hunk[] {
  const hunks: Hunk[] = [];
  const skipped = changes.map(ignored);
  for (let first = 0; first < changes.length; ) {
    let last = first;
    for (; last + 1 < changes.length; last++) {
      const change = changes[last] as Change;
      const gap = (changes[last + 1] as Change).oldFrom - (change.oldFrom + change.removed);
      // A change that does not count is printed only close to another.
      const near = skipped[last + 1] === true ? context : 2 * context + 1;
      if (gap >= near) break;
    }
    if (skipped.slice(first, last + 1).includes(false)) hunks.push(hunkOf(changes.slice(first, last + 1), texts, context));
    first = last + 1;
  }
  return hunks;
}

function hunkOf(changes: readonly Change[], { old, now }: TextPair, context: number): Hunk {
  const first = changes[0] as Change;
  const last = changes[changes.length - 1] as Change;
  return {
    oldFrom: Math.max(0, first.oldFrom - context),
    oldTo: Math.min(old.lineCount, last.oldFrom + last.removed + context),
    newFrom: Math.max(0, first.newFrom - context),
    newTo: Math.min(now.lineCount, last.newFrom + last.added + context),
    changes,
  };
}

/** Finds the last line above a hunk that matches, for -p and -F. */
export class FunctionLines {
  readonly #matcher: LineMatcher;
  /** Lines up to here are known; the last match among them is `#found`. */
  #searched = 0;
  #found = -1;

  constructor(matcher: LineMatcher) {
    this.#matcher = matcher;
  }

  /** The number of the last matching line before `line`, or -1. Asked with growing `line`. */
  before(text: LineText, line: number): number {
    for (let at = line - 1; at >= this.#searched; at--) {
      // GNU diff takes off a last byte for the newline, even from a line without one.
      const end = isCutLine(text, at) ? lineEnd(text, at) - 1 : lineEnd(text, at);
      if (!this.#matcher.test(text.bytes, text.starts[at] as number, end)) continue;
      this.#found = at;
      break;
    }
    this.#searched = Math.max(this.#searched, line);
    return this.#found;
  }
}

/** Text after a hunk's numbers: up to 40 bytes of the line, without white space at its end. */
export function functionText(text: LineText, line: number): Buffer {
  const start = text.starts[line] as number;
  let from = start;
  const whole = lineEnd(text, line);
  while (from < whole && isSpace(text.bytes[from] as number)) from++;
  let end = Math.min(whole, from + 40);
  while (end > from && isSpace(text.bytes[end - 1] as number)) end--;
  return text.bytes.subarray(from, end);
}
