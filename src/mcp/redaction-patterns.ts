/** Matches of the configuration's own redaction patterns. Text is searched in slices, so that other calls do not wait. */
import { boundedMatcher, type BoundedMatcher } from "../regex/bounded-matcher.ts";

export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/**
 * The part of a line that is searched, in bytes; the rest of a longer line counts as a match. Lines of files that people
 * read are shorter.
 */
const MOST_LINE_BYTES = 256 << 10;
/** After so long without a pause, in milliseconds, there is one. */
const SLICE_MS = 20;
const NEWLINE = 10;

interface NamedMatcher {
  readonly name: string;
  readonly matcher: BoundedMatcher;
}

export class RedactionPatterns {
  readonly #patterns: readonly { readonly name: string; readonly regex: string }[];
  #matchers: Promise<readonly NamedMatcher[]> | undefined;

  /** A configuration with a pattern that the engine cannot hold is not read. */
  constructor(patterns: readonly { readonly name: string; readonly regex: string }[]) {
    this.#patterns = patterns;
  }

  /** Throws PatternError. */
  async *matches(bytes: Buffer): AsyncGenerator<PatternMatch, void> {
    const matchers = await (this.#matchers ??= this.#compiled());
    let pausedAtMs = performance.now();
    for (let start = 0; start < bytes.length; ) {
      const newline = bytes.indexOf(NEWLINE, start);
      const lineEnd = newline < 0 ? bytes.length : newline;
      const end = Math.min(lineEnd, start + MOST_LINE_BYTES);
      if (end < lineEnd) yield { start: end, end: lineEnd, name: "long-line" };
      for (const { name, matcher } of matchers) {
        for (const span of matcher.matchesIn(bytes, start, end)) yield { ...span, name };
        if (performance.now() - pausedAtMs < SLICE_MS) continue;
        await pause();
        pausedAtMs = performance.now();
      }
      start = lineEnd + 1;
    }
  }

  /** Each takes some tens of milliseconds. */
  async #compiled(): Promise<readonly NamedMatcher[]> {
    const matchers: NamedMatcher[] = [];
    for (const { name, regex } of this.#patterns) {
      matchers.push({ name, matcher: boundedMatcher(regex) });
      await pause();
    }
    return matchers;
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
