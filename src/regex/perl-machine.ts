/**
 * Matches what neither an automaton nor V8's RegExp can (recursion, conditions, verbs, `\G`, references to groups that may not
 * have matched) as PCRE2 does: a machine that tries the alternatives in order and goes back, with a stack of its own.
 */
import { counterpartsOf } from "./character-class.ts";
import type { PerlProgram, Step } from "./perl-program.ts";
import type { Assertion } from "./regex-tree.ts";
import { holds, type SymbolSet } from "./symbol-set.ts";

/** A search that takes more steps than it may. */
export class BacktrackLimit extends Error {
  override readonly name = "BacktrackLimit";
}

/** Steps of one search in one line: about a second. PCRE2 counts otherwise. */
const MOST_STEPS = 10_000_000;
/** Choices that may be open at once, and changes that may have to be undone. */
const MOST_OPEN = 4_000_000;
/** Calls of groups that may be open at once. */
const MOST_CALLS = 10_000;
/** Parts that may be open at once: each is a call of V8's own stack. */
const MOST_PARTS = 500;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A call of a group from inside the pattern. */
interface Call {
  readonly index: number;
  readonly back: number;
  readonly at: number;
  readonly slots: readonly number[];
  readonly outer: Call | undefined;
  readonly depth: number;
}

interface Choice {
  readonly pc: number;
  /** Of a run: how far it may yet go back, or on. */
  at: number;
  readonly limit: number;
  readonly step: -1 | 0 | 1;
  readonly trail: number;
  readonly call: Call | undefined;
  readonly verb?: "commit" | "prune" | "skip";
}

const FAILED = -1;

export class PerlMachine {
  readonly #program: PerlProgram;
  readonly #words: SymbolSet;
  readonly #choices: Choice[] = [];
  /** Slots and what they were before. */
  readonly #trail: number[] = [];
  #slots: Int32Array;
  #symbols: ArrayLike<number> = [];
  /** The text that is searched: symbols from `#begin` to `#end`. */
  #begin = 0;
  #end = 0;
  #searchStart = 0;
  #keep = FAILED;
  #call: Call | undefined;
  #steps = 0;
  #parts = 0;
  /** Verb that was gone back over, and the place to go on at. */
  #verb: { readonly what: "commit" | "prune" | "skip"; readonly at: number } | undefined;

  constructor(program: PerlProgram, words: SymbolSet) {
    this.#program = program;
    this.#words = words;
    this.#slots = new Int32Array(program.slotCount);
  }

  /**
   * The first match in `symbols` at or after `from` (`sticky`: at `from` alone); undefined where there is none. `within`: the part
   * of them that is the text. Throws BacktrackLimit.
   */
  find(symbols: ArrayLike<number>, from: number, within = { begin: 0, end: symbols.length }, sticky = false): Span | undefined {
    this.#symbols = symbols;
    this.#begin = within.begin;
    this.#end = within.end;
    this.#searchStart = from;
    this.#steps = 0;
    for (let start = from; start <= (sticky ? from : this.#end); ) {
      this.#slots.fill(FAILED);
      this.#trail.length = this.#choices.length = 0;
      this.#call = undefined;
      this.#keep = FAILED;
      this.#verb = undefined;
      this.#parts = 0;
      const end = this.#run(0, start);
      if (end !== FAILED) return { start: this.#keep === FAILED ? start : this.#keep, end };
      const verb = this.#verb as { readonly what: "commit" | "prune" | "skip"; readonly at: number } | undefined;
      if (verb?.what === "commit") return undefined;
      start = verb?.what === "skip" && verb.at > start ? verb.at : start + 1;
    }
    return undefined;
  }

  /** The group as the last match left it; undefined where it took no part. */
  group(index: number): Span | undefined {
    // Behind the groups' slots are others.
    if (!this.#program.entries.has(index)) return undefined;
    const [start, end] = [this.#slots[2 * index] as number, this.#slots[2 * index + 1] as number];
    return end < 0 ? undefined : { start, end };
  }

  /** Runs from a step to the end of its part, or of the pattern. Returns the place reached, or FAILED. */
  #run(from: number, start: number): number {
    const base = this.#choices.length;
    const { steps } = this.#program;
    let pc = from;
    let at = start;
    for (;;) {
      if (++this.#steps > MOST_STEPS) throw new BacktrackLimit();
      const step = steps[pc] as Step;
      let next = pc + 1;
      switch (step.op) {
        case "set":
          if (at < this.#end && holds(step.set, this.#symbols[at] as number)) at++;
          else next = FAILED;
          break;
        case "run": {
          const reached = this.#runOf(step, at, pc + 1);
          if (reached === FAILED) next = FAILED;
          else at = reached;
          break;
        }
        case "split":
          this.#choose(step.second, at, at, 0);
          next = step.first;
          break;
        case "jump":
          next = step.to;
          break;
        case "assert":
          if (!this.#holds(step.what, at)) next = FAILED;
          break;
        case "search-start":
          if (at !== this.#searchStart) next = FAILED;
          break;
        case "keep":
          this.#set(KEEP_SLOT, at);
          break;
        case "open":
        case "mark":
          this.#set(step.slot, at);
          break;
        case "close":
          this.#set(2 * step.index, this.#slots[step.slot] as number);
          this.#set(2 * step.index + 1, at);
          if (this.#call?.index === step.index) next = this.#return();
          break;
        case "if-empty":
          if (this.#slots[step.slot] === at) next = step.to;
          break;
        case "reference": {
          const after = this.#sameText(step.index, step.foldCase, at);
          if (after === FAILED) next = FAILED;
          else at = after;
          break;
        }
        case "part": {
          const after = this.#part(step, pc, at);
          if (after === FAILED) next = FAILED;
          else {
            at = after;
            next = step.to;
          }
          break;
        }
        case "if-look": {
          const look = steps[pc + 1] as Extract<Step, { op: "part" }>;
          next = this.#part(look, pc + 1, at) === FAILED ? step.to : look.to;
          break;
        }
        case "call":
          next = this.#enter(step.index, pc + 1, at);
          break;
        case "if-group":
          if ((this.#slots[2 * step.index + 1] as number) < 0) next = step.to;
          break;
        case "if-recursion":
          if (this.#call === undefined || (step.index !== undefined && this.#call.index !== step.index)) next = step.to;
          break;
        case "verb":
          this.#choices.push({ pc, at, limit: at, step: 0, trail: this.#trail.length, call: this.#call, verb: step.what });
          break;
        case "end":
          this.#choices.length = base;
          return at;
        case "match":
          if (this.#call?.index !== 0) return at;
          next = this.#return();
      }
      if (next === FAILED) {
        if (this.#verb !== undefined) return FAILED;
        const choice = this.#goBack(base);
        if (choice === undefined) return FAILED;
        ({ pc, at } = choice);
      } else pc = next;
    }
  }

  /** Where to go on after a failure; undefined where nothing is left to try, or a verb forbids it. */
  #goBack(base: number): { readonly pc: number; readonly at: number } | undefined {
    if (this.#choices.length <= base) return undefined;
    const choice = this.#choices.at(-1) as Choice;
    this.#undo(choice.trail);
    this.#call = choice.call;
    if (choice.verb !== undefined) {
      this.#verb = { what: choice.verb, at: choice.at };
      return undefined;
    }
    const { pc, at } = choice;
    if (choice.at === choice.limit) this.#choices.pop();
    else choice.at += choice.step;
    return { pc, at };
  }

  #choose(pc: number, at: number, limit: number, step: -1 | 0 | 1): void {
    if (this.#choices.length >= MOST_OPEN) throw new BacktrackLimit();
    this.#choices.push({ pc, at, limit, step, trail: this.#trail.length, call: this.#call });
  }

  #set(slot: number, value: number): void {
    if (this.#trail.length >= 2 * MOST_OPEN) throw new BacktrackLimit();
    if (slot === KEEP_SLOT) {
      this.#trail.push(slot, this.#keep);
      this.#keep = value;
      return;
    }
    this.#trail.push(slot, this.#slots[slot] as number);
    this.#slots[slot] = value;
  }

  #undo(to: number): void {
    while (this.#trail.length > to) {
      const value = this.#trail.pop() as number;
      const slot = this.#trail.pop() as number;
      if (slot === KEEP_SLOT) this.#keep = value;
      else this.#slots[slot] = value;
    }
  }

  /** Steps over symbols of the set, and leaves the other counts to be tried at `next`. */
  #runOf({ set, min, max, lazy }: Extract<Step, { op: "run" }>, from: number, next: number): number {
    const end = Math.min(this.#end, from + max);
    let at = from;
    const least = from + min;
    while (at < end && holds(set, this.#symbols[at] as number)) at++;
    this.#steps += at - from;
    if (at < least) return FAILED;
    if (lazy) {
      if (at > least) this.#choose(next, least + 1, at, 1);
      return least;
    }
    if (at > least) this.#choose(next, at - 1, least, -1);
    return at;
  }

  /** An atomic group or a look around. Returns the place to go on at. */
  #part({ kind, back }: Extract<Step, { op: "part" }>, pc: number, at: number): number {
    if (at - back < this.#begin) return kind === "look-not" ? at : FAILED;
    if (++this.#parts > MOST_PARTS) throw new BacktrackLimit();
    const trail = this.#trail.length;
    const call = this.#call;
    const reached = this.#run(pc + 1, at - back);
    this.#parts--;
    if (kind === "atomic") return reached;
    // A look-behind ends where it began: its length is fixed.
    this.#call = call;
    if (kind === "look") return reached === FAILED ? FAILED : at;
    this.#undo(trail);
    return reached === FAILED ? at : FAILED;
  }

  #enter(index: number, back: number, at: number): number {
    for (let call = this.#call; call !== undefined && call.at === at; call = call.outer)
      if (call.index === index) throw new BacktrackLimit();
    const depth = (this.#call?.depth ?? 0) + 1;
    if (depth > MOST_CALLS) throw new BacktrackLimit();
    this.#call = { index, back, at, slots: [...this.#slots], outer: this.#call, depth };
    return this.#program.entries.get(index) as number;
  }

  /** Goes back behind the call; the groups are what they were before it. */
  #return(): number {
    const call = this.#call as Call;
    for (const [slot, value] of call.slots.entries()) if (this.#slots[slot] !== value) this.#set(slot, value);
    this.#call = call.outer;
    return call.back;
  }

  /** End of a second copy, at `at`, of what the group took; FAILED where other text stands there, or it took no part. */
  #sameText(index: number, foldCase: boolean, at: number): number {
    const start = this.#slots[2 * index] as number;
    const end = this.#slots[2 * index + 1] as number;
    if (end < 0 || at + (end - start) > this.#end) return FAILED;
    for (let there = start, here = at; there < end; there++, here++) {
      const [expected, found] = [this.#symbols[there] as number, this.#symbols[here] as number];
      if (expected !== found && !(foldCase && counterpartsOf(expected).includes(found))) return FAILED;
    }
    return at + (end - start);
  }

  #holds(what: Assertion, at: number): boolean {
    const before = at > this.#begin && holds(this.#words, this.#symbols[at - 1] as number);
    const after = at < this.#end && holds(this.#words, this.#symbols[at] as number);
    switch (what) {
      case "line-start":
        return at === this.#begin;
      case "line-end":
        return at === this.#end;
      case "word-edge":
        return before !== after;
      case "not-word-edge":
        return before === after;
      case "no-word-before":
        return !before;
      case "no-word-after":
        return !after;
      case "word-start":
        return !before && after;
      case "word-end":
        return before && !after;
      case "never":
        return false;
    }
  }
}

/** The slot of `\K`'s place. */
const KEEP_SLOT = -1;
