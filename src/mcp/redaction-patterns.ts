/** Where the configuration's own redaction patterns match. Read in slices, so that nothing else waits for them. */
import { boundedMatcher } from "../search/bounded-matcher.ts";
import type { LinearMatcher } from "../search/posix-matcher.ts";

export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** What is looked at of a line, in bytes; the rest of a longer one counts as a match. No line of a file that people read is as long. */
const MOST_LINE_BYTES = 256 << 10;
/** Steps that looking for the ends of matches may take in a line, by its length: past that, the rest of the line is one match. */
const STEPS_A_BYTE = 4;
const FREE_STEPS = 4 << 10;
/** Matches in a line: past that, the rest of it is one. */
const MOST_IN_LINE = 1000;
/** After so long without a pause, in milliseconds, there is one. */
const SLICE_MS = 20;
const NEWLINE = 10;

export class RedactionPatterns {
  readonly #patterns: readonly { readonly name: string; readonly matcher: LinearMatcher }[];

  /** Throws PatternError for a pattern that the engine cannot hold; a configuration with one is not read. */
  constructor(patterns: readonly { readonly name: string; readonly regex: string }[]) {
    this.#patterns = patterns.map(({ name, regex }) => ({ name, matcher: boundedMatcher(regex) }));
  }

  async *matches(bytes: Buffer): AsyncGenerator<PatternMatch, void> {
    let pausedAtMs = performance.now();
    for (let start = 0; start < bytes.length; ) {
      const newline = bytes.indexOf(NEWLINE, start);
      const lineEnd = newline < 0 ? bytes.length : newline;
      const end = Math.min(lineEnd, start + MOST_LINE_BYTES);
      if (end < lineEnd) yield { start: end, end: lineEnd, name: "long-line" };
      for (const { name, matcher } of this.#patterns) {
        if (matcher.test(bytes, start, end)) yield* matchesIn(matcher, name, bytes, start, end);
        if (performance.now() - pausedAtMs < SLICE_MS) continue;
        await new Promise((resolve) => setImmediate(resolve));
        pausedAtMs = performance.now();
      }
      start = lineEnd + 1;
    }
  }
}

/** Leftmost and longest; those that touch are one. */
function matchesIn(matcher: LinearMatcher, name: string, bytes: Buffer, from: number, to: number): readonly PatternMatch[] {
  const found: { start: number; end: number; name: string }[] = [];
  const matches = matcher.matchesIn(bytes, from, to);
  let steps = STEPS_A_BYTE * (to - from) + FREE_STEPS;
  for (let at = from; matches.find(at); at = matches.end) {
    const { start } = matches;
    steps -= matcher.readTo - start;
    const end = steps < 0 || found.length === MOST_IN_LINE ? to : matches.end;
    const last = found.at(-1);
    if (last?.end === start) last.end = end;
    else found.push({ start, end, name });
    if (end === to) break;
  }
  return found;
}
