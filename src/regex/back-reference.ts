/**
 * Patterns with back-references: a backtracking machine with its own stack. Such patterns have no linear-time matcher
 * (matching them is NP-complete); lines reach it only after a linear automaton has said that they may match.
 */
import { ASSERTIONS, assertionHolds, EDGE, OTHER_SIDE, WORD_SIDE } from "./automaton.ts";
import { counterpartsOf, wordSides } from "./character-class.ts";
import { PatternError } from "./pattern-error.ts";
import type { RegexTree } from "./regex-tree.ts";
import { holds, type SymbolSet } from "./symbol-set.ts";
import { packedSymbolAt, packedSymbolBefore } from "./utf8-step.ts";

type Step =
  | { readonly op: "set"; readonly set: SymbolSet }
  | { readonly op: "split"; first: number; second: number }
  | { readonly op: "jump"; to: number }
  | { readonly op: "assert"; readonly index: number }
  | { readonly op: "save"; readonly slot: number }
  /** Remembers the place in `slot`; `progress` fails where nothing was read since. */
  | { readonly op: "mark"; readonly slot: number }
  | { readonly op: "progress"; readonly slot: number }
  | { readonly op: "reference"; readonly index: number }
  | { readonly op: "match" };

/** Choices that may be open at once. */
const MAX_OPEN_CHOICES = 4_000_000;

export interface BackReferenceOptions {
  readonly foldCase: boolean;
  /** The characters that a word is made of. */
  readonly words?: () => SymbolSet;
}

export class BackReferenceMatcher {
  readonly #program: Step[] = [];
  readonly #foldCase: boolean;
  readonly #words: () => SymbolSet;
  readonly #groupSlots: number;
  #slotCount: number;

  constructor(tree: RegexTree, groupCount: number, options: BackReferenceOptions) {
    this.#foldCase = options.foldCase;
    this.#words = options.words ?? wordSides;
    this.#groupSlots = 2 * (groupCount + 1);
    this.#slotCount = this.#groupSlots;
    this.#emit(tree);
    this.#program.push({ op: "match" });
  }

  /** End of the longest match from `at` (with `anyWillDo`: of some match), or -1. `from` and `to` are the line's ends. */
  matchAt(bytes: Uint8Array, from: number, to: number, at: number, anyWillDo: boolean): number {
    const program = this.#program;
    const slots = new Int32Array(this.#slotCount).fill(-1);
    // Entries: [pc, at] to try, or [-1 - slot, value] to put back.
    const stack: number[] = [0, at];
    let longest = -1;
    while (stack.length > 0) {
      let place = stack.pop() as number;
      let pc = stack.pop() as number;
      if (pc < 0) {
        slots[-1 - pc] = place;
        continue;
      }
      if (stack.length > MAX_OPEN_CHOICES) throw new PatternError("memory exhausted");
      run: for (;;) {
        const step = program[pc] as Step;
        switch (step.op) {
          case "set": {
            if (place >= to) break run;
            const packed = packedSymbolAt(bytes, place, to);
            if (!holds(step.set, packed >> 3)) break run;
            place += packed & 7;
            pc++;
            break;
          }
          case "split":
            stack.push(step.second, place);
            pc = step.first;
            break;
          case "jump":
            pc = step.to;
            break;
          case "assert":
            if (!assertionHolds(step.index, sideBefore(bytes, from, place, this.#words), sideAfter(bytes, to, place, this.#words)))
              break run;
            pc++;
            break;
          case "save":
          case "mark":
            stack.push(-1 - step.slot, slots[step.slot] as number);
            slots[step.slot] = place;
            pc++;
            break;
          case "progress":
            if (slots[step.slot] === place) break run;
            pc++;
            break;
          case "reference": {
            const end = this.#sameText(bytes, slots[step.index * 2] as number, slots[step.index * 2 + 1] as number, place, to);
            if (end < 0) break run;
            place = end;
            pc++;
            break;
          }
          case "match":
            if (place > longest) longest = place;
            if (anyWillDo || longest === to) return longest;
            break run;
        }
      }
    }
    return longest;
  }

  /** End of a second copy, at `at`, of the text from `start` to `end`; -1 if other text stands there. */
  #sameText(bytes: Uint8Array, start: number, end: number, at: number, to: number): number {
    if (start < 0 || end < 0) return -1;
    let here = at;
    for (let there = start; there < end; ) {
      if (here >= to) return -1;
      const expected = packedSymbolAt(bytes, there, end);
      const found = packedSymbolAt(bytes, here, to);
      if (expected !== found && !(this.#foldCase && counterpartsOf(expected >> 3).includes(found >> 3))) return -1;
      there += expected & 7;
      here += found & 7;
    }
    return here;
  }

  #emit(tree: RegexTree): void {
    const program = this.#program;
    switch (tree.kind) {
      case "empty":
        return;
      case "set":
        program.push({ op: "set", set: tree.set });
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
        program.push({ op: "assert", index: ASSERTIONS.indexOf(tree.what) });
        return;
      case "group":
        program.push({ op: "save", slot: tree.index * 2 });
        this.#emit(tree.body);
        program.push({ op: "save", slot: tree.index * 2 + 1 });
        return;
      case "back-reference":
        program.push({ op: "reference", index: tree.index });
        return;
    }
  }

  #emitChoice(options: readonly RegexTree[]): void {
    const ends: { op: "jump"; to: number }[] = [];
    for (const [index, option] of options.entries()) {
      if (index === options.length - 1) {
        this.#emit(option);
        break;
      }
      const split: Step = { op: "split", first: this.#program.length + 1, second: -1 };
      this.#program.push(split);
      this.#emit(option);
      const end: { op: "jump"; to: number } = { op: "jump", to: -1 };
      this.#program.push(end);
      ends.push(end);
      split.second = this.#program.length;
    }
    for (const end of ends) end.to = this.#program.length;
  }

  #emitRepeat(body: RegexTree, min: number, max: number): void {
    if (this.#program.length > 200_000) throw new PatternError("Regular expression too big");
    for (let copy = 0; copy < min; copy++) this.#emit(body);
    if (max === Infinity) {
      const slot = this.#slotCount++;
      const top = this.#program.length;
      const split: Step = { op: "split", first: top + 1, second: -1 };
      this.#program.push(split, { op: "mark", slot });
      this.#emit(body);
      this.#program.push({ op: "progress", slot }, { op: "jump", to: top });
      split.second = this.#program.length;
      return;
    }
    const splits: { op: "split"; first: number; second: number }[] = [];
    for (let copy = min; copy < max; copy++) {
      const split = { op: "split" as const, first: this.#program.length + 1, second: -1 };
      this.#program.push(split);
      splits.push(split);
      this.#emit(body);
    }
    for (const split of splits) split.second = this.#program.length;
  }
}

/** The side before `at` in the line that begins at `from`: EDGE, WORD_SIDE or OTHER_SIDE. `words`: the characters of a word. */
export function sideBefore(bytes: Uint8Array, from: number, at: number, words: () => SymbolSet): number {
  if (at <= from) return EDGE;
  return holds(words(), packedSymbolBefore(bytes, at, from) >> 3) ? WORD_SIDE : OTHER_SIDE;
}

/** The side after `at` in the line that ends at `to`. */
export function sideAfter(bytes: Uint8Array, to: number, at: number, words: () => SymbolSet): number {
  if (at >= to) return EDGE;
  return holds(words(), packedSymbolAt(bytes, at, to) >> 3) ? WORD_SIDE : OTHER_SIDE;
}
