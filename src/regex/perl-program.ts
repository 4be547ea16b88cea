/** A Perl-compatible pattern as steps of a backtracking machine (`PerlMachine`). */
import { PatternError, REGEX_ERRORS } from "./pattern-error.ts";
import { fixedLength, type PerlTree } from "./perl-tree.ts";
import type { Assertion } from "./regex-tree.ts";
import type { SymbolSet } from "./symbol-set.ts";

/** Places are indexes of steps; `slot` numbers a place that is remembered. */
export type Step =
  | { readonly op: "set"; readonly set: SymbolSet }
  /** As many of the set as there are, and back one by one (lazy: the other way round). */
  | { readonly op: "run"; readonly set: SymbolSet; readonly min: number; readonly max: number; readonly lazy: boolean }
  /** Goes on at `first`, and at `second` where that fails. */
  | { readonly op: "split"; first: number; second: number }
  | { readonly op: "jump"; to: number }
  | { readonly op: "assert"; readonly what: Assertion }
  | { readonly op: "search-start" | "keep" | "match" | "end" }
  | { readonly op: "open"; readonly slot: number }
  | { readonly op: "close"; readonly index: number; readonly slot: number }
  | { readonly op: "mark"; readonly slot: number }
  /** Goes on at `to` where nothing was stepped over since the mark. */
  | { readonly op: "if-empty"; readonly slot: number; to: number }
  | { readonly op: "reference"; readonly index: number; readonly foldCase: boolean }
  /** A part of its own, up to its "end": what it may still try is forgotten. `back`: symbols to step back before it. */
  | { readonly op: "part"; readonly kind: "atomic" | "look" | "look-not"; readonly back: number; to: number }
  | { readonly op: "call"; readonly index: number }
  | { readonly op: "if-group"; readonly index: number; to: number }
  | { readonly op: "if-recursion"; readonly index: number | undefined; to: number }
  /** Goes on at `to` where the look that follows fails. */
  | { readonly op: "if-look"; to: number }
  | { readonly op: "verb"; readonly what: "commit" | "prune" | "skip" };

export interface PerlProgram {
  readonly steps: readonly Step[];
  readonly slotCount: number;
  /** Group → the step at which its body begins. */
  readonly entries: ReadonlyMap<number, number>;
}

const MOST_STEPS = 200_000;

/** Throws PatternError where it is too big. */
export function perlProgram(tree: PerlTree, groupCount: number): PerlProgram {
  return new ProgramWriter(groupCount).program(tree);
}

class ProgramWriter {
  readonly #steps: Step[] = [];
  readonly #entries = new Map<number, number>([[0, 0]]);
  #slots: number;

  /** The first slots are the starts and ends of the groups. */
  constructor(groupCount: number) {
    this.#slots = 2 * (groupCount + 1);
  }

  program(tree: PerlTree): PerlProgram {
    this.#write(tree);
    this.#add({ op: "match" });
    return { steps: this.#steps, slotCount: this.#slots, entries: this.#entries };
  }

  #add<S extends Step>(step: S): S {
    if (this.#steps.push(step) > MOST_STEPS) throw new PatternError(REGEX_ERRORS.tooBig);
    return step;
  }

  get #next(): number {
    return this.#steps.length;
  }

  #write(tree: PerlTree): void {
    switch (tree.kind) {
      case "set":
        this.#add({ op: "set", set: tree.set });
        return;
      case "sequence":
        for (const part of tree.parts) this.#write(part);
        return;
      case "choice":
        this.#choice(tree.options);
        return;
      case "repeat":
        this.#repeat(tree);
        return;
      case "assertion":
        this.#add({ op: "assert", what: tree.what });
        return;
      case "group":
        this.#group(tree.index, tree.body);
        return;
      case "back-reference":
        this.#add({ op: "reference", index: tree.index, foldCase: tree.foldCase });
        return;
      case "look":
        this.#look(tree);
        return;
      case "atomic":
        this.#part("atomic", 0, () => this.#write(tree.body));
        return;
      case "keep":
      case "search-start":
        this.#add({ op: tree.kind });
        return;
      case "recursion":
        this.#add({ op: "call", index: tree.index });
        return;
      case "condition":
        this.#condition(tree);
        return;
      case "verb":
        this.#add({ op: "verb", what: tree.what });
    }
  }

  #choice(options: readonly PerlTree[]): void {
    const jumps: { to: number }[] = [];
    for (const [at, option] of options.entries()) {
      if (at === options.length - 1) {
        this.#write(option);
        break;
      }
      const split = this.#add({ op: "split", first: this.#next + 1, second: 0 });
      this.#write(option);
      jumps.push(this.#add({ op: "jump", to: 0 }));
      split.second = this.#next;
    }
    for (const jump of jumps) jump.to = this.#next;
  }

  #group(index: number, body: PerlTree): void {
    const slot = this.#slots++;
    if (!this.#entries.has(index)) this.#entries.set(index, this.#next);
    this.#add({ op: "open", slot });
    this.#write(body);
    this.#add({ op: "close", index, slot });
  }

  #look(tree: Extract<PerlTree, { kind: "look" }>): void {
    const kind = tree.negative ? "look-not" : "look";
    if (tree.ahead) {
      this.#part(kind, 0, () => this.#write(tree.body));
      return;
    }
    // Each alternative of a look-behind has a length of its own.
    const options = tree.body.kind === "choice" ? tree.body.options : [tree.body];
    const behind = (option: PerlTree) => () => this.#part("look", fixedLength(option) ?? 0, () => this.#write(option));
    const [only] = options;
    if (options.length === 1 && only !== undefined) {
      this.#part(kind, fixedLength(only) ?? 0, () => this.#write(only));
      return;
    }
    this.#part(kind, 0, () => this.#alternatives(options.map(behind)));
  }

  #alternatives(writers: readonly (() => void)[]): void {
    const jumps: { to: number }[] = [];
    for (const [at, write] of writers.entries()) {
      const split = at === writers.length - 1 ? undefined : this.#add({ op: "split", first: this.#next + 1, second: 0 });
      write();
      if (split === undefined) break;
      jumps.push(this.#add({ op: "jump", to: 0 }));
      split.second = this.#next;
    }
    for (const jump of jumps) jump.to = this.#next;
  }

  #part(kind: "atomic" | "look" | "look-not", back: number, write: () => void): void {
    const part = this.#add({ op: "part", kind, back, to: 0 });
    write();
    this.#add({ op: "end" });
    part.to = this.#next;
  }

  #condition({ test, yes, no }: Extract<PerlTree, { kind: "condition" }>): void {
    let branch: { to: number };
    if (test.kind === "look") {
      branch = this.#add({ op: "if-look", to: 0 });
      this.#look(test);
    } else if (test.kind === "group") branch = this.#add({ op: "if-group", index: test.index, to: 0 });
    else if (test.kind === "recursion") branch = this.#add({ op: "if-recursion", index: test.index, to: 0 });
    else branch = this.#add({ op: "jump", to: 0 });
    this.#write(yes);
    const jump = this.#add({ op: "jump", to: 0 });
    branch.to = this.#next;
    this.#write(no);
    jump.to = this.#next;
  }

  #repeat(tree: Extract<PerlTree, { kind: "repeat" }>): void {
    if (tree.mode === "possessive") {
      this.#part("atomic", 0, () => this.#repeat({ ...tree, mode: "greedy" }));
      return;
    }
    const { body, min, max, mode } = tree;
    const lazy = mode === "lazy";
    if (body.kind === "set") {
      this.#add({ op: "run", set: body.set, min, max, lazy });
      return;
    }
    // A look around is tried once at the most.
    const once = body.kind === "look";
    if (max === 0) {
      const jump = this.#add({ op: "jump", to: 0 });
      this.#write(body);
      jump.to = this.#next;
      return;
    }
    const least = once ? Math.min(min, 1) : min;
    const most = once ? 1 : max;
    for (let copy = 0; copy < least - (most === Infinity ? 1 : 0); copy++) this.#write(body);
    if (most === Infinity) this.#loop(body, least === 0, lazy);
    else this.#optional(body, most - least, lazy);
  }

  /** Once or more; with `mayBeNone` also never. */
  #loop(body: PerlTree, mayBeNone: boolean, lazy: boolean): void {
    const skip = mayBeNone ? this.#split(lazy) : undefined;
    const slot = this.#slots++;
    const start = this.#next;
    this.#add({ op: "mark", slot });
    this.#write(body);
    const empty = this.#add({ op: "if-empty", slot, to: 0 });
    const again = this.#add({ op: "split", first: start, second: start });
    if (lazy) again.first = this.#next;
    else again.second = this.#next;
    empty.to = this.#next;
    skip?.(this.#next);
  }

  #optional(body: PerlTree, copies: number, lazy: boolean): void {
    const skips: ((place: number) => void)[] = [];
    for (let copy = 0; copy < copies; copy++) {
      skips.push(this.#split(lazy));
      this.#write(body);
    }
    for (const skip of skips) skip(this.#next);
  }

  /** A split between what follows and a place that is told later. */
  #split(lazy: boolean): (place: number) => void {
    const split = this.#add({ op: "split", first: this.#next + 1, second: this.#next + 1 });
    return (place) => {
      if (lazy) split.first = place;
      else split.second = place;
    };
  }
}
