/**
 * A matcher of a pattern in Rust's regex syntax over lines, for a caller that must never be held up by one: its automata are
 * built whole in advance, and the steps that a line may take are counted. A pattern that would need more states, or that no
 * automaton can hold (look-around, back-references), is refused.
 */
import { widened } from "./perl-tree.ts";
import { PatternError } from "./pattern-error.ts";
import { LinearMatcher } from "./posix-matcher.ts";
import { canBeEmpty, longestMatch } from "./regex-tree.ts";
import { parseRust } from "./rust-parser.ts";
import { RUST_WORD } from "./rust-tables.ts";

/** Bytes of a line that match. */
export interface MatchedSpan {
  readonly start: number;
  readonly end: number;
}

export interface BoundedMatcher {
  /** The matches of one line, leftmost and longest; those that touch are one. A line that takes too many steps has one match to its end. */
  matchesIn(bytes: Buffer, from: number, to: number): readonly MatchedSpan[];
}

/** Most states of each automaton. A credential's format takes some tens. */
const MOST_STATES = 2000;
/** Symbols of a match that is looked for at each place: that takes as many steps at each. */
const MOST_SYMBOLS = 256;
/** Matches in a line: past that, the rest of it is one. */
const MOST_IN_LINE = 1000;
const NEWLINE = 10;

/** Throws PatternError. */
export function boundedMatcher(pattern: string): BoundedMatcher {
  const tree = widened(parseRust(pattern, { foldCase: false, dotAll: false, inLines: true }).tree);
  if (canBeEmpty(tree)) throw new PatternError("it matches where there is nothing");
  const matcher = new LinearMatcher(tree, NEWLINE, () => RUST_WORD);
  if (matcher.complete(MOST_STATES)) return new FloatingMatcher(matcher);
  // Looking everywhere at once takes a state for each set of places where a match may have begun; looking at one takes few.
  if (longestMatch(tree) <= MOST_SYMBOLS && matcher.completeAnchored(MOST_STATES)) return new PlaceMatcher(matcher);
  throw new PatternError(
    "its states are too many; begin it with what stands nowhere else in it (such as \\b), or make its repetitions shorter",
  );
}

/** Steps that looking for the ends of matches may take in a line, by its length: past that, the rest of the line is one match. */
const STEPS_A_BYTE = 4;
const FREE_STEPS = 4 << 10;

/** Looks for the beginnings of all matches in one pass over the line. */
class FloatingMatcher implements BoundedMatcher {
  readonly #matcher: LinearMatcher;

  constructor(matcher: LinearMatcher) {
    this.#matcher = matcher;
  }

  matchesIn(bytes: Buffer, from: number, to: number): readonly MatchedSpan[] {
    if (!this.#matcher.test(bytes, from, to)) return NO_SPANS;
    const spans = new SpanList();
    const matches = this.#matcher.matchesIn(bytes, from, to);
    let steps = STEPS_A_BYTE * (to - from) + FREE_STEPS;
    for (let at = from; matches.find(at); at = matches.end) {
      const { start } = matches;
      steps -= this.#matcher.readTo - start;
      const end = steps < 0 || spans.isFull ? to : matches.end;
      spans.add(start, end);
      if (end === to) break;
    }
    return spans.found;
  }
}

/** Steps in a line; some 50 ms at the most. A line in which matches begin everywhere and end nowhere takes them, and no other. */
const MOST_STEPS = 4 << 20;

/** Looks for a match at each place of the line. */
class PlaceMatcher implements BoundedMatcher {
  readonly #matcher: LinearMatcher;
  /** 1 for the bytes that a match may begin with: at most places nothing needs to be read. */
  readonly #begins: Uint8Array;

  constructor(matcher: LinearMatcher) {
    this.#matcher = matcher;
    this.#begins = firstBytes(matcher);
  }

  matchesIn(bytes: Buffer, from: number, to: number): readonly MatchedSpan[] {
    const spans = new SpanList();
    let steps = MOST_STEPS;
    for (let at = from; at < to; ) {
      if (this.#begins[bytes[at] as number] === 0) {
        at++;
        continue;
      }
      const found = this.#matcher.longest(bytes, from, to, at);
      steps -= this.#matcher.readTo - at;
      const end = steps < 0 || (found >= 0 && spans.isFull) ? to : found;
      if (end >= 0) spans.add(at, end);
      at = end < 0 ? at + 1 : end;
    }
    return spans.found;
  }
}

/**
 * Bytes that may begin a match, 1 for each: of ASCII, those after which a match can go on; of the others, those that begin a
 * character.
 */
function firstBytes(matcher: LinearMatcher): Uint8Array {
  const begins = new Uint8Array(256).fill(1, 0xc0);
  // At the start of a line, after a word character, and after another.
  for (const before of ["", "a", " "]) {
    for (let byte = 0; byte < 0x80; byte++) {
      const line = Buffer.from(before + String.fromCharCode(byte));
      matcher.longest(line, 0, line.length, before.length);
      if (matcher.readTo === line.length) begins[byte] = 1;
    }
  }
  return begins;
}

class SpanList {
  readonly found: { start: number; end: number }[] = [];

  get isFull(): boolean {
    return this.found.length >= MOST_IN_LINE;
  }

  add(start: number, end: number): void {
    const last = this.found.at(-1);
    if (last?.end === start) last.end = end;
    else this.found.push({ start, end });
  }
}

const NO_SPANS: readonly MatchedSpan[] = [];
