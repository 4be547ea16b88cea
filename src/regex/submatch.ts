/**
 * Finds the groups of a pattern in a match whose extent is known; and the match itself where back-references allow no linear
 * method. A backtracking machine with its own stack that tries the alternatives in the order of glibc's regexec: the first
 * alternative first, one more repetition before none.
 *
 * Without back-references a place that failed once in a state fails always, so the time is at most the length of the
 * pattern times that of the match.
 */
import { ASSERTIONS, assertionHolds, EDGE, OTHER_SIDE, WORD_SIDE } from "./automaton.ts";
import { counterpartsOf, wordSides } from "./character-class.ts";
import { PatternError, REGEX_ERRORS } from "./pattern-error.ts";
import { hasBackReference, type RegexTree } from "./regex-tree.ts";
import { holds, type SymbolSet } from "./symbol-set.ts";
import { packedSymbolAt, packedSymbolBefore } from "./utf8-step.ts";

export interface SubmatchOptions {
  readonly foldCase: boolean;
  /**
   * The byte that ends each line in a buffer of several lines; "no-word-before" and "no-word-after" then hold at those
   * lines' ends.
   */
  readonly lineSeparator?: number;
  /** What a word is made of. */
  readonly words?: () => SymbolSet;
}

const SET = 0;
const SPLIT = 1;
const JUMP = 2;
const ASSERT = 3;
const SAVE = 4;
const MARK = 5;
const PROGRESS = 6;
const REFERENCE = 7;
const MATCH = 8;
/** A symbol that is one ASCII byte: the most common step, without a set. */
const BYTE = 9;

const MAX_STEPS = 200_000;
/** Choices that may be open at once. */
const MAX_OPEN_CHOICES = 8_000_000;
/** Bits of memory for places that failed; longer matches do without. */
const MAX_MEMORY_BITS = 1 << 28;

export class SubmatchMachine {
  readonly #ops: number[] = [];
  readonly #first: number[] = [];
  readonly #second: number[] = [];
  readonly #sets: SymbolSet[] = [];
  readonly #asciiSets: Uint8Array[] = [];
  readonly #foldCase: boolean;
  readonly #lineSeparator: number;
  readonly #words: () => SymbolSet;
  readonly #remembers: boolean;
  readonly #groupSlots: number;
  #slotCount: number;
  #slots: Int32Array;
  #failed = new Uint32Array(64);
  readonly #stack: number[] = [];

  constructor(tree: RegexTree, groupCount: number, options: SubmatchOptions) {
    this.#foldCase = options.foldCase;
    this.#lineSeparator = options.lineSeparator ?? -1;
    this.#words = options.words ?? wordSides;
    this.#remembers = !hasBackReference(tree);
    this.#groupSlots = 2 * (groupCount + 1);
    this.#slotCount = this.#groupSlots;
    this.#emit(tree);
    this.#step(MATCH, 0, 0);
    this.#slots = new Int32Array(this.#slotCount);
  }

  /**
   * Matches from `at`, and ends at `end`; where that is -1, as far as possible. Fills `offsets` with start and end of
   * the match and of each group (-1: took no part), as many as it holds. False where there is no such match. With
   * `anyWillDo` the first match that is met, and not the longest.
   */
  match(bytes: Uint8Array, from: number, to: number, at: number, end: number, offsets: Int32Array, anyWillDo = false): boolean {
    const slots = this.#slots.fill(-1);
    const stack = this.#stack;
    stack.length = 0;
    const last = end < 0 ? to : end;
    const width = last - at + 1;
    const remembers = this.#remembers && this.#ops.length * width <= MAX_MEMORY_BITS;
    if (remembers) this.#forget(this.#ops.length * width);
    const failed = this.#failed;
    let longest = -1;
    stack.push(0, at);
    while (stack.length > 0) {
      let place = stack.pop() as number;
      let pc = stack.pop() as number;
      if (pc < 0) {
        slots[-1 - pc] = place;
        continue;
      }
      if (stack.length > MAX_OPEN_CHOICES) throw new PatternError("memory exhausted");
      run: for (;;) {
        const first = this.#first[pc] as number;
        switch (this.#ops[pc]) {
          case BYTE:
            if (place >= last || bytes[place] !== first) break run;
            place++;
            pc++;
            break;
          case SET: {
            if (place >= last) break run;
            const byte = bytes[place] as number;
            if (byte < 0x80) {
              if ((this.#asciiSets[first] as Uint8Array)[byte] === 0) break run;
              place++;
            } else {
              const packed = packedSymbolAt(bytes, place, to);
              if (!holds(this.#sets[first] as SymbolSet, packed >> 3)) break run;
              place += packed & 7;
            }
            pc++;
            break;
          }
          case SPLIT: {
            if (remembers) {
              const bit = pc * width + (place - at);
              const word = bit >>> 5;
              const mask = 1 << (bit & 31);
              if (((failed[word] as number) & mask) !== 0) break run;
              failed[word] = (failed[word] as number) | mask;
            }
            stack.push(this.#second[pc] as number, place);
            pc = first;
            break;
          }
          case JUMP:
            pc = first;
            break;
          case ASSERT:
            if (!this.#holds(first, bytes, from, to, place)) break run;
            pc++;
            break;
          case SAVE:
          case MARK:
            stack.push(-1 - first, slots[first] as number);
            slots[first] = place;
            pc++;
            break;
          case PROGRESS:
            if (slots[first] === place) break run;
            pc++;
            break;
          case REFERENCE: {
            const after = this.#sameText(bytes, slots[first * 2] as number, slots[first * 2 + 1] as number, place, last);
            if (after < 0) break run;
            place = after;
            pc++;
            break;
          }
          default:
            if (end >= 0 ? place === end : place > longest) {
              longest = place;
              offsets.fill(-1);
              offsets.set(slots.subarray(0, Math.min(this.#groupSlots, offsets.length)));
              offsets[0] = at;
              offsets[1] = place;
              if (anyWillDo || place === last) return true;
            }
            break run;
        }
      }
    }
    return longest >= 0;
  }

  #forget(bits: number): void {
    const words = (bits >>> 5) + 1;
    if (this.#failed.length < words) this.#failed = new Uint32Array(words * 2);
    else this.#failed.fill(0, 0, words);
  }

  #holds(assertion: number, bytes: Uint8Array, from: number, to: number, at: number): boolean {
    const name = ASSERTIONS[assertion];
    if (this.#lineSeparator >= 0) {
      if (name === "no-word-before") return at === from || bytes[at - 1] === this.#lineSeparator;
      if (name === "no-word-after") return at === to || bytes[at] === this.#lineSeparator;
    }
    if (name === "line-start") return at === from;
    if (name === "line-end") return at === to;
    return assertionHolds(assertion, sideBefore(bytes, from, at, this.#words), sideAfter(bytes, to, at, this.#words));
  }

  /** End of a second copy, at `at`, of the text from `start` to `end`; -1 if other text stands there. */
  #sameText(bytes: Uint8Array, start: number, end: number, at: number, to: number): number {
    if (start < 0 || end < 0) return -1;
    if (!this.#foldCase) {
      if (at + (end - start) > to) return -1;
      for (let there = start, here = at; there < end; there++, here++) if (bytes[there] !== bytes[here]) return -1;
      return at + (end - start);
    }
    let here = at;
    for (let there = start; there < end; ) {
      if (here >= to) return -1;
      const expected = packedSymbolAt(bytes, there, end);
      const found = packedSymbolAt(bytes, here, to);
      if (expected >> 3 !== found >> 3 && !counterpartsOf(expected >> 3).includes(found >> 3)) return -1;
      there += expected & 7;
      here += found & 7;
    }
    return here;
  }

  #step(op: number, first: number, second: number): number {
    if (this.#ops.length >= MAX_STEPS) throw new PatternError(REGEX_ERRORS.tooBig);
    this.#first.push(first);
    this.#second.push(second);
    return this.#ops.push(op) - 1;
  }

  #emit(tree: RegexTree): void {
    switch (tree.kind) {
      case "empty":
        return;
      case "set":
        this.#emitSet(tree.set);
        return;
      case "sequence":
        for (const part of tree.parts) this.#emit(part);
        return;
      case "choice":
        this.#emitChoice(tree.options);
        return;
      case "repeat":
        this.#emitRepeat(tree.body, tree.min, tree.max);
        return;
      case "assertion":
        this.#step(ASSERT, ASSERTIONS.indexOf(tree.what), 0);
        return;
      case "group":
        this.#step(SAVE, tree.index * 2, 0);
        this.#emit(tree.body);
        this.#step(SAVE, tree.index * 2 + 1, 0);
        return;
      case "back-reference":
        this.#step(REFERENCE, tree.index, 0);
        return;
    }
  }

  #emitSet(set: SymbolSet): void {
    if (set.length === 2 && set[0] === set[1] && (set[0] as number) < 0x80) {
      this.#step(BYTE, set[0] as number, 0);
      return;
    }
    let index = this.#sets.indexOf(set);
    if (index < 0) {
      index = this.#sets.push(set) - 1;
      this.#asciiSets.push(Uint8Array.from({ length: 128 }, (_, byte) => (holds(set, byte) ? 1 : 0)));
    }
    this.#step(SET, index, 0);
  }

  #emitChoice(options: readonly RegexTree[]): void {
    const ends: number[] = [];
    for (const [index, option] of options.entries()) {
      if (index === options.length - 1) {
        this.#emit(option);
        break;
      }
      const split = this.#step(SPLIT, this.#ops.length + 1, -1);
      this.#emit(option);
      ends.push(this.#step(JUMP, -1, 0));
      this.#second[split] = this.#ops.length;
    }
    for (const end of ends) this.#first[end] = this.#ops.length;
  }

  #emitRepeat(body: RegexTree, min: number, max: number): void {
    for (let copy = 0; copy < min; copy++) this.#emit(body);
    if (max === Infinity) {
      const slot = this.#slotCount++;
      const split = this.#step(SPLIT, this.#ops.length + 1, -1);
      this.#step(MARK, slot, 0);
      this.#emit(body);
      this.#step(PROGRESS, slot, 0);
      this.#step(JUMP, split, 0);
      this.#second[split] = this.#ops.length;
      return;
    }
    const splits: number[] = [];
    for (let copy = min; copy < max; copy++) {
      splits.push(this.#step(SPLIT, this.#ops.length + 1, -1));
      this.#emit(body);
    }
    for (const split of splits) this.#second[split] = this.#ops.length;
  }
}

/** What stands before `at` in the line that begins at `from`: EDGE, WORD_SIDE or OTHER_SIDE; `words`: what a word is made of. */
export function sideBefore(bytes: Uint8Array, from: number, at: number, words: () => SymbolSet): number {
  if (at <= from) return EDGE;
  return holds(words(), packedSymbolBefore(bytes, at, from) >> 3) ? WORD_SIDE : OTHER_SIDE;
}

/** What stands after `at` in the line that ends at `to`. */
export function sideAfter(bytes: Uint8Array, to: number, at: number, words: () => SymbolSet): number {
  if (at >= to) return EDGE;
  return holds(words(), packedSymbolAt(bytes, at, to) >> 3) ? WORD_SIDE : OTHER_SIDE;
}
