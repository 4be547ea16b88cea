/** Finds the places in a block where a pattern's required text stands: byte search where it can be, else a short RegExp. */
import { findPairs, MOST_GAP, PAIR_BLOCK, type BytePair } from "./byte-pairs.ts";
import { findTriples, TRIPLE_BLOCK, tripleTable, type Triple, type TripleTable } from "./byte-triples.ts";
import { byteRun, literalsOf, windowSource, type ByteRun, type RequiredText } from "../regex/required-text.ts";

export interface Candidates {
  /** True if a candidate is the required text itself, not only a part of it. */
  readonly isExact: boolean;
  /** A new block: `bytes` up to `to` stays as it is until the next call. */
  load(bytes: Buffer, from: number, to: number): void;
  /** The first candidate at or after `from`, or -1. Until the next `load`, `from` only grows. */
  next(from: number): number;
}

export function candidatesFor({ windows }: RequiredText): Candidates {
  const runs = windows.map(byteRun);
  const pairs = runs.map((run) => run && pairOf(run));
  if (windows.length <= MAX_BYTE_SEARCHES && pairs.every((pair) => pair !== undefined)) {
    const literals = literalsOf(windows);
    const parts = pairs.map((pair, index) => {
      const byPairs = new PairCandidates(runs[index] as ByteRun, pair);
      const literal = literals?.[index];
      return literal === undefined ? byPairs : new LiteralCandidates(literal, byPairs);
    });
    return parts.length === 1 ? (parts[0] as Candidates) : new SeveralCandidates(parts);
  }
  const whole = runs.filter((run) => run !== undefined);
  return whole.length === windows.length ? new TripleCandidates(whole) : new WindowCandidates(windowSource(windows));
}

/** A test of whether bytes may hold the required text, and with it a match; undefined if any bytes may. */
export function mayHold(required: RequiredText | undefined): ((bytes: Buffer, from: number, to: number) => boolean) | undefined {
  if (required === undefined) return undefined;
  const literals = literalsOf(required.windows);
  const [literal] = literals ?? [];
  if (literals?.length === 1 && literal !== undefined) return (bytes, from, to) => bytes.subarray(from, to).includes(literal);
  const candidates = candidatesFor(required);
  return (bytes, from, to) => {
    candidates.load(bytes, from, to);
    return candidates.next(from) >= 0;
  };
}

/** With more texts than this, one pass for all is quicker than a byte search for each. */
const MAX_BYTE_SEARCHES = 3;

/** Candidates of one text. If it was frequent in the block before, one pass for all places is cheaper than a call for each. */
class LiteralCandidates implements Candidates {
  readonly isExact = true;
  readonly #literal: Buffer;
  readonly #pairs: PairCandidates;
  #isOften = false;
  #found = 0;
  #block: Buffer = Buffer.alloc(0);

  constructor(literal: Buffer, pairs: PairCandidates) {
    this.#literal = literal;
    this.#pairs = pairs;
  }

  load(bytes: Buffer, from: number, to: number): void {
    this.#isOften ||= this.#found * OFTEN_BYTES > this.#block.length;
    this.#found = 0;
    if (this.#isOften) this.#pairs.load(bytes, from, to);
    else this.#block = bytes.subarray(0, to);
  }

  next(from: number): number {
    if (this.#isOften) return this.#pairs.next(from);
    this.#found++;
    return this.#block.indexOf(this.#literal, from);
  }
}

/** More often than once in this many bytes is often. */
const OFTEN_BYTES = 2048;

/** Bytes examined by one vector search. */
const PART_BYTES = Math.min(PAIR_BLOCK, TRIPLE_BLOCK);

/** Candidates from a vector search, which reads the block part by part and finds likely places; each of them is then compared. */
abstract class LikelyCandidates implements Candidates {
  abstract readonly isExact: boolean;
  protected bytes: Buffer = Buffer.alloc(0);
  protected to = 0;
  /** Distance from a candidate to the place that the search finds for it. */
  readonly #offset: number;
  readonly #places = new Int32Array(PART_BYTES);
  #count = 0;
  #index = 0;
  /** Start of the part that `#places` counts from. */
  #partFrom = 0;
  #partTo = 0;

  constructor(offset: number) {
    this.#offset = offset;
  }

  /** The likely places from `from` to `to`, as offsets from `from`, in order, into `into`; returns how many. */
  protected abstract find(from: number, to: number, into: Int32Array): number;
  /** Tells whether a candidate stands there. */
  protected abstract isAt(candidate: number): boolean;

  load(bytes: Buffer, from: number, to: number): void {
    this.bytes = bytes;
    this.to = to;
    this.#count = this.#index = 0;
    this.#partFrom = this.#partTo = from;
  }

  next(from: number): number {
    for (;;) {
      for (; this.#index < this.#count; this.#index++) {
        const candidate = (this.#places[this.#index] as number) + this.#partFrom - this.#offset;
        if (candidate >= from && this.isAt(candidate)) return candidate;
      }
      const start = Math.max(from, this.#partTo);
      if (start >= this.to) return -1;
      this.#partFrom = start;
      this.#partTo = Math.min(start + PART_BYTES, this.to);
      this.#count = this.find(start, this.#partTo, this.#places);
      this.#index = 0;
    }
  }
}

/** Candidates of one text, found by its two rarest bytes. */
class PairCandidates extends LikelyCandidates {
  readonly isExact: boolean;
  readonly #run: ByteRun;
  readonly #pair: BytePair;

  constructor(run: ByteRun, { offset, ...pair }: BytePair & { readonly offset: number }) {
    super(offset);
    this.isExact = run.isWhole;
    this.#run = run;
    this.#pair = pair;
  }

  protected find(from: number, to: number, into: Int32Array): number {
    return findPairs(this.bytes, from, to, this.#pair, into);
  }

  protected isAt(place: number): boolean {
    const { length, members } = this.#run;
    if (place + length > this.to) return false;
    for (let index = 0; index < length; index++) if (members[index * 256 + (this.bytes[place + index] as number)] === 0) return false;
    return true;
  }
}

/** The two rarest positions of a run that have one value or two; `offset`: where the first of them stands in it. */
function pairOf(run: ByteRun): (BytePair & { readonly offset: number }) | undefined {
  const usable: { readonly at: number; readonly values: readonly number[] }[] = [];
  for (let at = 0; at < Math.min(run.length, MOST_GAP); at++) {
    const values: number[] = [];
    for (let byte = 0; byte < 256; byte++) if (run.members[at * 256 + byte] === 1) values.push(byte);
    if (values.length <= 2) usable.push({ at, values });
  }
  usable.sort((a, b) => (run.bits[b.at] as number) - (run.bits[a.at] as number));
  const [one, other = one] = usable;
  if (one === undefined || other === undefined) return undefined;
  const [first, second] = one.at <= other.at ? [one, other] : [other, one];
  const [firstByte = 0, firstOr = firstByte] = first.values;
  const [secondByte = 0, secondOr = secondByte] = second.values;
  return { offset: first.at, gap: second.at - first.at, first: firstByte, firstOr, second: secondByte, secondOr };
}

class SeveralCandidates implements Candidates {
  readonly isExact: boolean;
  readonly #parts: readonly Candidates[];
  /** For each part, its next place at or after the last `from`; Infinity: no further place. */
  readonly #places: number[];

  constructor(parts: readonly Candidates[]) {
    this.isExact = parts.every(({ isExact }) => isExact);
    this.#parts = parts;
    this.#places = parts.map(() => -1);
  }

  load(bytes: Buffer, from: number, to: number): void {
    for (const part of this.#parts) part.load(bytes, from, to);
    this.#places.fill(-1);
  }

  next(from: number): number {
    let first = Infinity;
    for (let index = 0; index < this.#parts.length; index++) {
      let place = this.#places[index] as number;
      if (place < from) {
        place = (this.#parts[index] as Candidates).next(from);
        if (place < 0) place = Infinity;
        this.#places[index] = place;
      }
      if (place < first) first = place;
    }
    return first === Infinity ? -1 : first;
  }
}

/** Candidates of several texts, found by the three rarest neighbouring bytes of each. */
class TripleCandidates extends LikelyCandidates {
  readonly isExact: boolean;
  /** Texts by the first of the three bytes. */
  readonly #byFirst: readonly (readonly TripleText[])[];
  readonly #table: TripleTable;

  constructor(runs: readonly ByteRun[]) {
    super(0);
    this.isExact = runs.every(({ isWhole }) => isWhole);
    const texts = runs.map(tripleOf).sort((a, b) => a.first - b.first);
    this.#byFirst = Array.from({ length: 256 }, (_, byte) => texts.filter((text) => text.has(0, byte)));
    this.#table = tripleTable(texts);
  }

  protected find(from: number, to: number, into: Int32Array): number {
    return findTriples(this.bytes, from, to, this.#table, into);
  }

  /** `place` is that of the three bytes, which lie in the text: it need not begin there. */
  protected isAt(place: number): boolean {
    const bytes = this.bytes;
    for (const { run, offset } of this.#byFirst[bytes[place] as number] as readonly TripleText[]) {
      const start = place - offset;
      if (start < 0 || start + run.length > this.to) continue;
      let index = 0;
      while (index < run.length && run.members[index * 256 + (bytes[start + index] as number)] === 1) index++;
      if (index === run.length) return true;
    }
    return false;
  }
}

interface TripleText extends Triple {
  readonly run: ByteRun;
  /** Place of the three bytes in the run, and the least byte that may be the first of them. */
  readonly offset: number;
  readonly first: number;
}

/** Past the end of a run any byte may follow. */
function tripleOf(run: ByteRun): TripleText {
  let offset = 0;
  let most = -1;
  for (let at = 0; at === 0 || at + 3 <= run.length; at++) {
    const bits = [0, 1, 2].reduce((sum, place) => sum + (run.bits[at + place] ?? 0), 0);
    if (bits > most) [most, offset] = [bits, at];
  }
  const has = (place: number, byte: number): boolean => offset + place >= run.length || run.members[(offset + place) * 256 + byte] === 1;
  return { run, offset, first: run.members.subarray(offset * 256, offset * 256 + 256).indexOf(1), has };
}

class WindowCandidates implements Candidates {
  readonly isExact = true;
  readonly #window: RegExp;
  #text = "";
  #textFrom = 0;

  constructor(source: string) {
    this.#window = new RegExp(source, "g");
  }

  load(bytes: Buffer, from: number, to: number): void {
    this.#text = bytes.toString("latin1", from, to);
    this.#textFrom = from;
  }

  next(from: number): number {
    this.#window.lastIndex = from - this.#textFrom;
    return this.#window.test(this.#text) ? this.#textFrom + this.#window.lastIndex - 1 : -1;
  }
}
