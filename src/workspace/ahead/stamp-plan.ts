/**
 * The memory of a long list of files whose stamps are wanted (stamp-reader.ts). The walk and its look-ahead thread take
 * parts of the list in turn until no part is left, and write the stamps into the same memory.
 */
import { NOT_TOLD, STAMP_WORDS } from "../file-status.ts";

/** Files of one list, and bytes of their names with what lies between those. */
export const MOST_PLANNED = 1 << 15;
export const PLAN_BYTES = 1 << 22;
/** Files of one part: some tenths of a millisecond. */
const PART_FILES = 64;

const HEADER_WORDS = 8;
/** Words of the header: which list and which of its parts is next, how many files, what holds their directory, parts that are done. */
const NEXT = 0;
const COUNT = 1;
const HANDLE = 2;
const DONE_PARTS = 3;
/** No list is open. */
const CLOSED = -1;
const PARTS_OF_ONE = 1 << 16;
const MOST_LISTS = 1 << 14;

const BOUNDS_AT = HEADER_WORDS * 4;
const STAMPS_AT = BOUNDS_AT + MOST_PLANNED * 8;
const BYTES_AT = STAMPS_AT + MOST_PLANNED * STAMP_WORDS * 8;
export const STAMP_PLAN_BYTES = BYTES_AT + PLAN_BYTES;

/** Files `from` to `to` (exclusive) of the list that is open; its number distinguishes it from the lists before. */
export interface Part {
  readonly list: number;
  readonly from: number;
  readonly to: number;
}

export class StampPlan {
  readonly #words: Int32Array;
  /** Start and end of each file's path in `bytes`. */
  readonly bounds: Uint32Array;
  readonly stamps: Float64Array;
  readonly bytes: Buffer;
  #list = 0;

  /** `at`: a multiple of 8. */
  constructor(shared: SharedArrayBuffer, at: number) {
    this.#words = new Int32Array(shared, at, HEADER_WORDS);
    this.bounds = new Uint32Array(shared, at + BOUNDS_AT, MOST_PLANNED * 2);
    this.stamps = new Float64Array(shared, at + STAMPS_AT, MOST_PLANNED * STAMP_WORDS);
    this.bytes = Buffer.from(shared, at + BYTES_AT, PLAN_BYTES) as Buffer;
    // Newly made memory has no list open; memory that was shared may have one.
    Atomics.compareExchange(this.#words, NEXT, 0, CLOSED);
  }

  /** Handle of the directory that the paths are relative to. */
  get handle(): number {
    return this.#words[HANDLE] as number;
  }

  get count(): number {
    return this.#words[COUNT] as number;
  }

  /** The walk: lets the list be taken, once its paths are there. */
  open(handle: number, count: number): void {
    this.stamps.fill(NOT_TOLD, 0, count * STAMP_WORDS);
    this.#words[HANDLE] = handle;
    Atomics.store(this.#words, COUNT, count);
    Atomics.store(this.#words, DONE_PARTS, 0);
    this.#list = (this.#list % MOST_LISTS) + 1;
    Atomics.store(this.#words, NEXT, this.#list * PARTS_OF_ONE);
  }

  /** A part that nobody else has; undefined where none is left. */
  take(): Part | undefined {
    for (;;) {
      const next = Atomics.load(this.#words, NEXT);
      const from = (next % PARTS_OF_ONE) * PART_FILES;
      const count = Atomics.load(this.#words, COUNT);
      if (next < 0 || from >= count) return undefined;
      // It also fails where the list is another one by now: then the count may be that of either.
      if (Atomics.compareExchange(this.#words, NEXT, next, next + 1) === next)
        return { list: Math.floor(next / PARTS_OF_ONE), from, to: Math.min(count, from + PART_FILES) };
    }
  }

  get hasPart(): boolean {
    const next = Atomics.load(this.#words, NEXT);
    return next >= 0 && (next % PARTS_OF_ONE) * PART_FILES < Atomics.load(this.#words, COUNT);
  }

  /** A part that was taken is done. */
  finish(): void {
    Atomics.add(this.#words, DONE_PARTS, 1);
    Atomics.notify(this.#words, DONE_PARTS);
  }

  get isOpen(): boolean {
    return Atomics.load(this.#words, NEXT) !== CLOSED;
  }

  /** The walk: nothing is taken any more; waits for what the thread has taken. False where it is not done after `mostMs`. */
  close(mostMs: number): boolean {
    const next = Atomics.exchange(this.#words, NEXT, CLOSED);
    if (next === CLOSED) return true;
    for (let look = 0; ; look++) {
      const done = Atomics.load(this.#words, DONE_PARTS);
      if (done >= next % PARTS_OF_ONE) return true;
      if (look > LOOKS && Atomics.wait(this.#words, DONE_PARTS, done, mostMs) === "timed-out") return false;
    }
  }
}

/** Going to sleep and being woken takes longer than what is left of most parts. */
const LOOKS = 4000;
