/**
 * The deterministic automaton of a pattern, built state by state as input asks for them: time linear in the input
 * whatever the pattern. States are dropped and built anew past a fixed amount of memory.
 *
 * A state has not yet settled what depends on the symbol after it (`$`, `\>`), so a match is known one symbol late:
 * the transition on the symbol after a match is negative, and the line end counts as a symbol.
 */
import { ASSERTIONS, ASSERT, assertionHolds, EDGE, MATCH, OTHER_SIDE, SPLIT, STEP, WORD_SIDE, type Automaton } from "./automaton.ts";
import { packedSymbolAt, packedSymbolBefore } from "./utf8-step.ts";

/** Transition entries kept before all states are dropped: 4 MiB. */
const MAX_ENTRIES = 1 << 20;
const UNKNOWN = 0;

export class LazyDfa {
  readonly #automaton: Automaton;
  /** Column by byte. */
  readonly #columns = new Uint8Array(256);
  readonly #stride: number;
  /** A match may begin anywhere, not only where the reading begins. */
  readonly #floating: boolean;
  /** Floating, and a match may begin elsewhere than at the start of a line. */
  readonly #startsAnywhere: boolean;
  /** Entry: 0 unknown, else the offset of the next state; negative where a match ended before the symbol. */
  #next: Int32Array;
  #stateCount = 0;
  #kernels: Int32Array[] = [];
  #sides: number[] = [];
  #offsetByKey = new Map<string, number>();
  #starts: [number, number, number] = [0, 0, 0];
  readonly #seen: Int32Array;
  readonly #kept: Int32Array;
  #stamp = 0;
  readonly #stack: number[] = [];
  /** The place to which the last `longest` has read: the end, or the place from which on nothing could match. */
  readTo = 0;

  constructor(automaton: Automaton, options: { readonly floating: boolean }) {
    this.#automaton = automaton;
    // One column more than there are classes: bytes past ASCII stand in it, and its entries stay unknown.
    this.#stride = automaton.classes.count + 1;
    this.#columns.fill(automaton.classes.count);
    this.#columns.set(automaton.classes.ascii);
    this.#floating = options.floating;
    this.#startsAnywhere = options.floating && startsWithinLine(automaton);
    this.#next = new Int32Array(64 * this.#stride);
    this.#seen = new Int32Array(automaton.stateCount);
    this.#kept = new Int32Array(automaton.stateCount);
    this.#reset();
  }

  /**
   * Reads whole lines from `from` (a line's start) to `to` (just after a line end): the first place where a match is
   * known to have ended, or -1. Where that is a line end, it is the end of the matching line.
   */
  scan(bytes: Uint8Array, from: number, to: number, lineEnd: number): number {
    const columns = this.#columns;
    const dead = this.#stride;
    const live = 2 * dead;
    let state = this.#startFor(EDGE);
    let next = this.#next;
    let at = from;
    for (;;) {
      // Four bytes a turn while nothing happens; nothing is anything but going on in a known state.
      const unrolledEnd = to - 3;
      while (at < unrolledEnd) {
        let target = next[state + (columns[bytes[at] as number] as number)] as number;
        if (target < live) break;
        state = target;
        target = next[state + (columns[bytes[at + 1] as number] as number)] as number;
        if (target < live) {
          at++;
          break;
        }
        state = target;
        target = next[state + (columns[bytes[at + 2] as number] as number)] as number;
        if (target < live) {
          at += 2;
          break;
        }
        state = target;
        target = next[state + (columns[bytes[at + 3] as number] as number)] as number;
        if (target < live) {
          at += 3;
          break;
        }
        state = target;
        at += 4;
      }
      if (at >= to) return -1;
      const byte = bytes[at] as number;
      let width = 1;
      let column = columns[byte] as number;
      if (byte >= 0x80) {
        const packed = packedSymbolAt(bytes, at, to);
        width = packed & 7;
        column = this.#automaton.classes.of(packed >> 3);
      }
      let target = next[state + column] as number;
      if (target === UNKNOWN) {
        target = this.#compute(state, column);
        next = this.#next;
      }
      if (target < 0) return at;
      if (target === dead) {
        at = bytes.indexOf(lineEnd, at);
        if (at < 0 || at >= to) return -1;
        at++;
        state = this.#startFor(EDGE);
        next = this.#next;
        continue;
      }
      state = target;
      at += width;
    }
  }

  /**
   * Builds every state there is, as long as they are at most `most`: from then on a byte takes one step, whatever the input.
   * False where they are more; some are built then.
   */
  complete(most: number): boolean {
    for (const side of [EDGE, WORD_SIDE, OTHER_SIDE]) this.#startFor(side);
    for (let number = 1; number < this.#stateCount; number++) {
      for (let column = 0; column < this.#stride - 1; column++) {
        if (this.#stateCount > most || (this.#stateCount + 1) * this.#stride >= MAX_ENTRIES) return false;
        const state = number * this.#stride;
        if (this.#next[state + column] === UNKNOWN) this.#compute(state, column);
      }
    }
    return true;
  }

  /** Tells whether the line from `from` to `to` (its end not included) has a match. */
  test(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#run(bytes, from, to, EDGE, true) >= 0;
  }

  /** End of the longest match that begins at `at`, or -1. `before` is the side before `at`: EDGE, WORD_SIDE or OTHER_SIDE. */
  longest(bytes: Uint8Array, at: number, to: number, before: number): number {
    return this.#run(bytes, at, to, before, false);
  }

  #run(bytes: Uint8Array, from: number, to: number, before: number, anyWillDo: boolean): number {
    const columns = this.#columns;
    const dead = this.#stride;
    const live = 2 * dead;
    let state = this.#startFor(before);
    let next = this.#next;
    let end = -1;
    let at = from;
    while (at < to) {
      let target = next[state + (columns[bytes[at] as number] as number)] as number;
      if (target >= live) {
        state = target;
        at++;
        continue;
      }
      const byte = bytes[at] as number;
      let width = 1;
      let column = columns[byte] as number;
      if (byte >= 0x80) {
        const packed = packedSymbolAt(bytes, at, to);
        width = packed & 7;
        column = this.#automaton.classes.of(packed >> 3);
        target = next[state + column] as number;
      }
      if (target === UNKNOWN) {
        target = this.#compute(state, column);
        next = this.#next;
      }
      if (target < 0) {
        end = at;
        if (anyWillDo) return end;
        target = -target;
      }
      if (target === dead) {
        this.readTo = at;
        return end;
      }
      state = target;
      at += width;
    }
    this.readTo = at;
    const { lineEnd } = this.#automaton.classes;
    let target = next[state + lineEnd] as number;
    if (target === UNKNOWN) target = this.#compute(state, lineEnd);
    return target < 0 ? to : end;
  }

  /**
   * Reads the line backwards (the automaton is of the pattern reversed) and sets `marks[p - from]` to 1 for every
   * place `p` where a match begins, from `from` to `to` inclusive.
   */
  markBackwards(bytes: Uint8Array, from: number, to: number, marks: Uint8Array): void {
    let state = this.#startFor(EDGE);
    let at = to;
    while (at > from) {
      const packed = packedSymbolBefore(bytes, at, from);
      const symbol = packed >> 3;
      const column = symbol < 0x80 ? (this.#columns[symbol] as number) : this.#automaton.classes.of(symbol);
      let target = this.#next[state + column] as number;
      if (target === UNKNOWN) target = this.#compute(state, column);
      if (target < 0) {
        marks[at - from] = 1;
        target = -target;
      }
      if (target === this.#stride) return;
      state = target;
      at -= packed & 7;
    }
    let target = this.#next[state + this.#automaton.classes.lineEnd] as number;
    if (target === UNKNOWN) target = this.#compute(state, this.#automaton.classes.lineEnd);
    if (target < 0) marks[0] = 1;
  }

  #startFor(before: number): number {
    const known = this.#starts[before] as number;
    if (known !== 0) return known;
    const offset = this.#intern(Int32Array.of(this.#automaton.start), before);
    this.#starts[before] = offset;
    return offset;
  }

  #reset(): void {
    this.#next.fill(UNKNOWN);
    this.#kernels = [];
    this.#sides = [];
    this.#offsetByKey.clear();
    this.#starts = [0, 0, 0];
    this.#stateCount = 0;
    // Number 0 would be "unknown"; number 1 is the state from which nothing matches any more.
    this.#addState(new Int32Array(0), EDGE);
    this.#addState(new Int32Array(0), EDGE);
  }

  #addState(kernel: Int32Array, side: number): number {
    const offset = this.#stateCount * this.#stride;
    if (offset + this.#stride > this.#next.length) {
      const grown = new Int32Array(this.#next.length * 2);
      grown.set(this.#next);
      this.#next = grown;
    }
    this.#kernels.push(kernel);
    this.#sides.push(side);
    this.#stateCount++;
    return offset;
  }

  #intern(kernel: Int32Array, side: number): number {
    if (kernel.length === 0 && !this.#startsAnywhere) return this.#stride;
    const key = `${side}:${kernel.join()}`;
    const known = this.#offsetByKey.get(key);
    if (known !== undefined) return known;
    const offset = this.#addState(kernel, side);
    this.#offsetByKey.set(key, offset);
    return offset;
  }

  /** Works out one transition and stores it. */
  #compute(state: number, column: number): number {
    const { start, kinds, next, detail, classes, membership } = this.#automaton;
    const number = state / this.#stride;
    const before = this.#sides[number] as number;
    const after = classes.sides[column] as number;
    const stamp = ++this.#stamp;
    const stack = this.#stack;
    stack.push(...(this.#kernels[number] as Int32Array));
    if (this.#floating && (this.#startsAnywhere || before === EDGE)) stack.push(start);
    let matched = false;
    const reached: number[] = [];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (this.#seen[at] === stamp) continue;
      this.#seen[at] = stamp;
      switch (kinds[at]) {
        case STEP: {
          const target = next[at] as number;
          if (membership[(detail[at] as number) * classes.count + column] === 1 && this.#kept[target] !== stamp) {
            this.#kept[target] = stamp;
            reached.push(target);
          }
          break;
        }
        case SPLIT:
          stack.push(detail[at] as number, next[at] as number);
          break;
        case ASSERT:
          if (assertionHolds(detail[at] as number, before, after)) stack.push(next[at] as number);
          break;
        case MATCH:
          matched = true;
          break;
      }
    }
    if (this.#stateCount * this.#stride >= MAX_ENTRIES) {
      // The caller goes on from the state that is interned below; `state` itself is gone, and so nothing is stored.
      this.#reset();
      state = -1;
    }
    let offset: number;
    if (column === classes.lineEnd) offset = this.#startFor(EDGE);
    else {
      reached.sort((a, b) => a - b);
      offset = this.#intern(Int32Array.from(reached), after);
    }
    const entry = matched ? -offset : offset;
    if (state >= 0) this.#next[state + column] = entry;
    return entry;
  }
}

/** Tells whether a match can begin after some symbol of a line, and not only at its start. */
function startsWithinLine({ start, kinds, next, detail }: Automaton): boolean {
  const seen = new Set<number>();
  const stack = [start];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const kind = kinds[at];
    if (kind === STEP || kind === MATCH) return true;
    if (kind === SPLIT) stack.push(next[at] as number, detail[at] as number);
    else if (ASSERTIONS[detail[at] as number] !== "line-start") stack.push(next[at] as number);
  }
  return false;
}
