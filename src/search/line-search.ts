/**
 * Finds the lines of a block that match: the required text first, then the line around it, then the pattern on that
 * line only. The engine that every line-searching builtin shares (DESIGN §5a).
 */
import { candidatesFor, type Candidates } from "./candidates.ts";
import type { LineMatcher } from "../regex/posix-matcher.ts";

export class LineSearch {
  /** End of the line that `next` found; its line end is not included. */
  lineEnd = 0;
  /**
   * Start of that line, or -1 until it is computed from `#place`, a place in the line, and `#floor`, a line start at or
   * before that.
   */
  #lineStart = 0;
  #place = 0;
  #floor = 0;
  readonly #matcher: LineMatcher;
  readonly #lineEndByte: number;
  readonly #candidates: Candidates | undefined;
  readonly #suffices: boolean;
  #bytes: Buffer = Buffer.alloc(0);
  #to = 0;
  /** Candidates met in this block, and where it began: where they are dense, reading every byte is quicker. */
  #met = 0;
  #from = 0;

  constructor(matcher: LineMatcher, lineEndByte: number) {
    this.#matcher = matcher;
    this.#lineEndByte = lineEndByte;
    this.#candidates = matcher.required === undefined ? undefined : candidatesFor(matcher.required);
    this.#suffices = matcher.required?.suffices === true && this.#candidates?.isExact === true;
  }

  /** Start of the line that `next` found. */
  get lineStart(): number {
    if (this.#lineStart < 0) this.#lineStart = this.#startBefore(this.#place);
    return this.#lineStart;
  }

  /** A new block of whole lines, from a line's start to just after a line end. */
  load(bytes: Buffer, from: number, to: number): void {
    this.#bytes = bytes;
    this.#to = to;
    this.#met = 0;
    this.#from = from;
    this.#candidates?.load(bytes, from, to);
  }

  /** The first matching line at or after `from`, a line's start. */
  next(from: number): boolean {
    if (from >= this.#to) return false;
    if (this.#candidates === undefined || this.#areDense(from)) return this.#scan(from);
    return this.#suffices ? this.#nextSure(from, this.#candidates) : this.#nextLikely(from, this.#candidates);
  }

  #nextSure(from: number, candidates: Candidates): boolean {
    const place = candidates.next(from);
    if (place < 0) return false;
    this.#lineAround(place, from);
    return true;
  }

  #nextLikely(from: number, candidates: Candidates): boolean {
    for (let at = from; at < this.#to; at = this.lineEnd + 1) {
      const place = candidates.next(at);
      if (place < 0) return false;
      this.#met++;
      this.#lineAround(place, at);
      if (this.#matcher.test(this.#bytes, this.lineStart, this.lineEnd)) return true;
      if (this.#areDense(this.lineEnd)) return this.lineEnd + 1 < this.#to && this.#scan(this.lineEnd + 1);
    }
    return false;
  }

  #areDense(at: number): boolean {
    return this.#matcher.scan !== undefined && this.#met > 32 && at - this.#from < this.#met * DENSE_BYTES;
  }

  #scan(from: number): boolean {
    const scan = this.#matcher.scan;
    if (scan === undefined) return this.#eachLine(from);
    const place = scan(this.#bytes, from, this.#to);
    if (place < 0) return false;
    this.#lineAround(place, from);
    return true;
  }

  #eachLine(from: number): boolean {
    for (let at = from; at < this.#to; at = this.lineEnd + 1) {
      this.#lineStart = at;
      this.lineEnd = this.#bytes.indexOf(this.#lineEndByte, at);
      if (this.#matcher.test(this.#bytes, at, this.lineEnd)) return true;
    }
    return false;
  }

  /** `place` may be the line end itself. `from` is a line start at or before it. */
  #lineAround(place: number, from: number): void {
    const bytes = this.#bytes;
    const lineEnd = this.#lineEndByte;
    this.#lineStart = -1;
    this.#place = place;
    this.#floor = from;
    const near = Math.min(place + NEAR_BYTES, this.#to);
    let at = place;
    while (at < near && bytes[at] !== lineEnd) at++;
    this.lineEnd = at < near ? at : bytes.indexOf(lineEnd, at);
  }

  #startBefore(place: number): number {
    const bytes = this.#bytes;
    const floor = this.#floor;
    const near = Math.max(place - NEAR_BYTES, floor);
    let at = place;
    while (at > near && bytes[at - 1] !== this.#lineEndByte) at--;
    return at > near || at === floor ? at : Math.max(floor, bytes.lastIndexOf(this.#lineEndByte, at - 1) + 1);
  }
}

/** Within this distance a loop finds a line end sooner than a call of Buffer's own search. */
const NEAR_BYTES = 96;
/** Average distance between candidates below which the automaton reads on without them. */
const DENSE_BYTES = 24;
