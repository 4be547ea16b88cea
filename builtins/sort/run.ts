/**
 * A run: lines held in memory, and their sorted order.
 *
 * Lines are ordered by columns of numbers, most significant first: a column holds for each line a double that is
 * ordered as a part of its key is (six bytes of text, a number, a month). Lines whose columns are equal are ordered
 * by the next column, or by comparing them where a double cannot tell. So most of the work is a merge sort over
 * doubles, and text that begins alike costs no comparison from its start again and again.
 */
import { LimitReached } from "../../src/io/limit-reached.ts";
import { endOfLine } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { columnsOf, wantsPlaces, type Column, type FilledColumn, type KeyPlaces } from "./columns.ts";
import { mergeSort, sortByComparison } from "./merge-sort.ts";
import { lineComparison, type LineComparison, type Order } from "./order.ts";

/** Bytes of memory a line takes besides its text: start, order and column, the last two twice, and a mark. */
const LINE_BYTES = 29;
/** And where its key begins and ends. */
const PLACE_BYTES = 8;

export class Run {
  readonly #order: Order;
  readonly #lineEnd: number;
  readonly #usualBytes: number;
  readonly #heldBytes: number;
  readonly #compare: LineComparison;
  readonly #wantsPlaces: boolean;
  #text = Buffer.allocUnsafe(1 << 16);
  #length = 0;
  #starts = new Uint32Array(1024);
  #lines = 0;
  #lineStart = 0;
  #arrays = arraysFor(0, false);

  /** `usualBytes`: past it the run is usually put aside. */
  constructor(order: Order, lineEnd: number, usualBytes: number, heldBytes: number) {
    this.#order = order;
    this.#lineEnd = lineEnd;
    this.#usualBytes = usualBytes + SMALL_BYTES;
    this.#heldBytes = heldBytes;
    this.#compare = lineComparison(order);
    this.#wantsPlaces = wantsPlaces(order);
  }

  /** Takes the next bytes of a file. Throws LimitReached where the run would grow past its bound. */
  add(block: Uint8Array): void {
    this.#reserve(block.length + 1);
    this.#text.set(block, this.#length);
    this.#length += block.length;
    const { buffer, byteOffset } = this.#text;
    const held = Buffer.from(buffer, byteOffset, this.#length);
    // What was there before holds no line end after `#lineStart`.
    let start = this.#lineStart;
    let end = held.indexOf(this.#lineEnd, this.#length - block.length);
    while (end >= 0 && end < held.length) {
      this.#addLine(start);
      start = end + 1;
      end = start === held.length ? -1 : endOfLine(held, start, this.#lineEnd);
    }
    this.#lineStart = start;
    this.#checkBound(0);
  }

  /** Bytes of memory that the run takes. */
  get weight(): number {
    return this.#length + this.#lines * (this.#wantsPlaces ? LINE_BYTES + PLACE_BYTES : LINE_BYTES);
  }

  get hasLines(): boolean {
    return this.#lines > 0;
  }

  get hasSeveralLines(): boolean {
    return this.#lines > 1;
  }

  /** Forgets its lines; what there is of one without its end stays. */
  clear(): void {
    this.#text.copyWithin(0, this.#lineStart, this.#length);
    this.#length -= this.#lineStart;
    this.#lineStart = 0;
    this.#lines = 0;
  }

  /** Ends a file: its last line gets the end it may lack. */
  endFile(): void {
    if (this.#lineStart === this.#length) return;
    this.#reserve(1);
    this.#text[this.#length++] = this.#lineEnd;
    this.#addLine(this.#lineStart);
    this.#lineStart = this.#length;
  }

  /**
   * The lines in order, by blocks of at least `bytes` bytes; with `unique` only the first of those that compare equal.
   * A block is good only until the next one is asked for.
   */
  *sorted(unique: boolean, bytes: number): Generator<Uint8Array, void> {
    const starts = this.#starts;
    starts[this.#lines] = this.#lineStart;
    const { sequence, isRepeated } = this.#ordered(unique);
    const text = this.#text;
    const output = new BlockBuilder(bytes);
    for (let at = 0; at < this.#lines; at++) {
      if (unique && isRepeated[at] === 1) continue;
      const index = sequence[at] as number;
      output.add(text, starts[index] as number, starts[index + 1] as number);
      if (output.full) yield output.take();
    }
    if (!output.empty) yield output.take();
  }

  /** The order of the lines; with `unique` also which of them compare equal to the one before. */
  #ordered(unique: boolean): Arrays {
    const count = this.#lines;
    if (this.#arrays.sequence.length < count) this.#arrays = arraysFor(this.#starts.length, this.#wantsPlaces);
    const { sequence, spareSequence, values, spareValues, isRepeated, places } = this.#arrays;
    for (let index = 0; index < count; index++) sequence[index] = index;
    if (unique) isRepeated.fill(0, 0, count);
    const compare = (a: number, b: number): number => this.#compareLines(a, b);
    const lines = { text: this.#text, starts: this.#starts, places };
    const byComparison = (from: number, to: number): void => {
      sortByComparison(sequence, spareSequence, from, to, compare);
      for (let at = from + 1; unique && at < to; at++) {
        if (compare(sequence[at - 1] as number, sequence[at] as number) === 0) isRepeated[at] = 1;
      }
    };
    const open: Group[] = [];
    /** Lines whose columns up to `column` are equal; no column: nothing is left to order them by. */
    const order = (from: number, to: number, column: Column | undefined): void => {
      if (column === undefined) isRepeated.fill(1, from + 1, to);
      else if (to - from <= FEW || column.kind === "compare") byComparison(from, to);
      else open.push({ from, to, column });
    };
    if (count > 1) order(0, count, columnsOf(this.#order));
    for (let group = open.pop(); group !== undefined; group = open.pop()) {
      const { from, to, column } = group;
      const isExact = column.fill(lines, sequence, values, from, to);
      mergeSort(values, spareValues, sequence, spareSequence, from, to);
      for (let start = from; start < to; ) {
        const value = values[start] as number;
        let end = start + 1;
        while (end < to && values[end] === value) end++;
        if (end - start > 1) order(start, end, isExact ? column.next(value) : { kind: "compare" });
        start = end;
      }
    }
    return this.#arrays;
  }

  #compareLines(a: number, b: number): number {
    const starts = this.#starts;
    const text = this.#text;
    return this.#compare(
      text,
      starts[a] as number,
      (starts[a + 1] as number) - 1,
      text,
      starts[b] as number,
      (starts[b + 1] as number) - 1,
    );
  }

  #addLine(start: number): void {
    // One more for the end of the last line.
    if (this.#lines + 2 > this.#starts.length) {
      const grown = new Uint32Array(this.#starts.length * 2);
      grown.set(this.#starts);
      this.#starts = grown;
    }
    this.#starts[this.#lines++] = start;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#text.length) return;
    this.#checkBound(more);
    const isUsual = needed > SMALL_BYTES && needed <= this.#usualBytes;
    const wanted = isUsual ? this.#usualBytes : Math.min(this.#text.length * 2, this.#heldBytes + (1 << 16));
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, wanted));
    grown.set(this.#text.subarray(0, this.#length));
    this.#text = grown;
  }

  #checkBound(more: number): void {
    if (this.weight + more > this.#heldBytes) throw new LimitReached("held", this.#heldBytes, "bytes");
  }
}

interface Group {
  readonly from: number;
  readonly to: number;
  readonly column: FilledColumn;
}

/** What sorting works with, as long as the most lines so far: kept from one run to the next. */
interface Arrays {
  readonly sequence: Uint32Array;
  readonly spareSequence: Uint32Array;
  readonly values: Float64Array;
  readonly spareValues: Float64Array;
  readonly isRepeated: Uint8Array;
  readonly places: KeyPlaces | undefined;
}

const arraysFor = (lines: number, wantsPlaces: boolean): Arrays => ({
  sequence: new Uint32Array(lines),
  spareSequence: new Uint32Array(lines),
  values: new Float64Array(lines),
  spareValues: new Float64Array(lines),
  isRepeated: new Uint8Array(lines),
  places: wantsPlaces ? { starts: new Uint32Array(lines), ends: new Uint32Array(lines) } : undefined,
});

/** Past so much text, memory for all of a run is asked for at once: what is not touched costs nothing, copies do. */
const SMALL_BYTES = 1 << 20;

/** So few lines are ordered by comparing them. */
const FEW = 6;
