/**
 * A regular expression without back-references as a nondeterministic automaton over symbols (Thompson's construction),
 * with the symbols sorted into the few classes that it tells apart.
 */
import { PatternError, REGEX_ERRORS } from "./pattern-error.ts";
import type { Assertion, RegexTree } from "./regex-tree.ts";
import { wordSides } from "./character-class.ts";
import { FIRST_STRAY_BYTE, holds, type SymbolSet } from "./symbol-set.ts";

export interface Automaton {
  readonly start: number;
  readonly stateCount: number;
  readonly kinds: Uint8Array;
  /** STEP: where it goes. SPLIT: the first way. ASSERT: where it goes if it holds. */
  readonly next: Int32Array;
  /** SPLIT: the second way. STEP: index of its set. ASSERT: index into ASSERTIONS. */
  readonly detail: Int32Array;
  readonly classes: SymbolClasses;
  /** 1 where the set (row) holds the class (column). */
  readonly membership: Uint8Array;
  /** True if the pattern has an assertion other than line-start and line-end. */
  readonly asksForWords: boolean;
}

export const STEP = 0;
export const SPLIT = 1;
export const ASSERT = 2;
export const MATCH = 3;

export const ASSERTIONS: readonly Assertion[] = [
  "line-start",
  "line-end",
  "word-start",
  "word-end",
  "word-edge",
  "not-word-edge",
  "no-word-before",
  "no-word-after",
  "never",
];

/** One side of a place: nothing (the line's edge), a word character, or another symbol. */
export const EDGE = 0;
export const WORD_SIDE = 1;
export const OTHER_SIDE = 2;

export function assertionHolds(index: number, before: number, after: number): boolean {
  const wordBefore = before === WORD_SIDE;
  const wordAfter = after === WORD_SIDE;
  switch (index) {
    case 0:
      return before === EDGE;
    case 1:
      return after === EDGE;
    case 2:
      return !wordBefore && wordAfter;
    case 3:
      return wordBefore && !wordAfter;
    case 4:
      return wordBefore !== wordAfter;
    case 5:
      return wordBefore === wordAfter;
    case 6:
      return !wordBefore;
    case 7:
      return !wordAfter;
    default:
      return false;
  }
}

/** States an automaton may have: about 40 bytes each, before the first byte is read. */
const MAX_STATES = 400_000;

/** Builds the automaton of `tree`. Throws PatternError where counted repetitions make it too big. */
export function buildAutomaton(tree: RegexTree, lineEnd: number, words: () => SymbolSet = wordSides): Automaton {
  const builder = new AutomatonBuilder();
  const start = builder.build(tree);
  return builder.finish(start, lineEnd, words);
}

class AutomatonBuilder {
  readonly #kinds: number[] = [];
  readonly #next: number[] = [];
  readonly #detail: number[] = [];
  readonly #sets: SymbolSet[] = [];
  readonly #setIndex = new Map<SymbolSet, number>();
  #asksForWords = false;

  build(tree: RegexTree): number {
    return this.#node(tree, this.#state(MATCH, -1, 0));
  }

  finish(start: number, lineEnd: number, words: () => SymbolSet): Automaton {
    const classes = classify(this.#sets, this.#asksForWords ? words() : undefined, lineEnd);
    const membership = new Uint8Array(this.#sets.length * classes.count);
    for (const [row, set] of this.#sets.entries()) {
      for (let column = 0; column < classes.count; column++) {
        const sample = classes.samples[column] as number;
        if (sample >= 0 && holds(set, sample)) membership[row * classes.count + column] = 1;
      }
    }
    return {
      start,
      stateCount: this.#kinds.length,
      kinds: Uint8Array.from(this.#kinds),
      next: Int32Array.from(this.#next),
      detail: Int32Array.from(this.#detail),
      classes,
      membership,
      asksForWords: this.#asksForWords,
    };
  }

  #state(kind: number, next: number, detail: number): number {
    if (this.#kinds.length >= MAX_STATES) throw new PatternError(REGEX_ERRORS.tooBig);
    this.#kinds.push(kind);
    this.#next.push(next);
    this.#detail.push(detail);
    return this.#kinds.length - 1;
  }

  /** The state from which `tree` leads to `after`. Built from the end to the beginning. */
  #node(tree: RegexTree, after: number): number {
    switch (tree.kind) {
      case "empty":
        return after;
      case "set":
        return this.#state(STEP, after, this.#set(tree.set));
      case "sequence":
        return tree.parts.reduceRight((next, part) => this.#node(part, next), after);
      case "choice":
        return tree.options.map((option) => this.#node(option, after)).reduceRight((rest, option) => this.#state(SPLIT, option, rest));
      case "repeat":
        return this.#repeat(tree.body, tree.min, tree.max, after);
      case "assertion": {
        const index = ASSERTIONS.indexOf(tree.what);
        if (index > 1) this.#asksForWords = true;
        return this.#state(ASSERT, after, index);
      }
      case "group":
        return this.#node(tree.body, after);
      case "back-reference":
        throw new Error("an automaton has no back-references");
    }
  }

  #repeat(body: RegexTree, min: number, max: number, after: number): number {
    let next = after;
    if (max === Infinity) {
      // The loop's own state first, so that the body can lead back to it.
      const loop = this.#state(SPLIT, -1, after);
      const entry = this.#node(body, loop);
      this.#next[loop] = entry;
      if (min === 0) return loop;
      next = entry;
      for (let count = 1; count < min; count++) next = this.#node(body, next);
      return next;
    }
    for (let count = min; count < max; count++) next = this.#state(SPLIT, this.#node(body, next), after);
    for (let count = 0; count < min; count++) next = this.#node(body, next);
    return next;
  }

  #set(set: SymbolSet): number {
    let index = this.#setIndex.get(set);
    if (index === undefined) {
      index = this.#sets.findIndex((other) => other.length === set.length && other.every((bound, at) => bound === set[at]));
      if (index < 0) index = this.#sets.push(set) - 1;
      this.#setIndex.set(set, index);
    }
    return index;
  }
}

/** Symbols that no set of a pattern tells apart, numbered together. The last class is the line end. */
export class SymbolClasses {
  readonly count: number;
  /** A symbol of each class; -1 for the line end. */
  readonly samples: readonly number[];
  /** EDGE, WORD_SIDE or OTHER_SIDE by class. */
  readonly sides: Uint8Array;
  /** Class by ASCII byte, the line end's byte included. */
  readonly ascii = new Uint8Array(128);
  readonly lineEnd: number;
  readonly #bounds: Int32Array;
  readonly #classes: Uint16Array;

  constructor(
    bounds: readonly number[],
    classes: readonly number[],
    samples: readonly number[],
    words: SymbolSet | undefined,
    lineEnd: number,
  ) {
    this.#bounds = Int32Array.from(bounds);
    this.#classes = Uint16Array.from(classes);
    this.lineEnd = samples.length;
    this.samples = [...samples, -1];
    this.count = this.samples.length;
    this.sides = Uint8Array.from(this.samples, (sample) =>
      sample < 0 ? EDGE : words !== undefined && holds(words, sample) ? WORD_SIDE : OTHER_SIDE,
    );
    for (let byte = 0; byte < 128; byte++) this.ascii[byte] = byte === lineEnd ? this.lineEnd : this.of(byte);
  }

  /** The class of any symbol but the line end. */
  of(symbol: number): number {
    let low = 0;
    let high = this.#bounds.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#bounds[middle] as number) <= symbol) low = middle;
      else high = middle - 1;
    }
    return this.#classes[low] as number;
  }
}

/** `words`: what a word is made of, where the pattern asks for that. */
function classify(sets: readonly SymbolSet[], words: SymbolSet | undefined, lineEnd: number): SymbolClasses {
  const all = words === undefined ? sets : [...sets, words];
  const cuts = new Set<number>([0, FIRST_STRAY_BYTE]);
  for (const set of all) {
    for (let at = 0; at < set.length; at += 2) {
      cuts.add(set[at] as number);
      cuts.add((set[at + 1] as number) + 1);
    }
  }
  const bounds = [...cuts].sort((a, b) => a - b);
  const bySignature = new Map<string, number>();
  const samples: number[] = [];
  const classes: number[] = [];
  // Each set is walked once beside the bounds: `positions` holds how far.
  const positions = new Int32Array(all.length);
  for (const bound of bounds) {
    let signature = "";
    for (let index = 0; index < all.length; index++) {
      const set = all[index] as SymbolSet;
      let at = positions[index] as number;
      while (at < set.length && (set[at + 1] as number) < bound) at += 2;
      positions[index] = at;
      if (at < set.length && (set[at] as number) <= bound) signature += `${index},`;
    }
    let number = bySignature.get(signature);
    if (number === undefined) {
      number = samples.push(bound) - 1;
      bySignature.set(signature, number);
    }
    classes.push(number);
  }
  return new SymbolClasses(bounds, classes, samples, words, lineEnd);
}
