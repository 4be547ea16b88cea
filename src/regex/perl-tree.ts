/** A Perl-compatible pattern as a tree, with the constructs that a linear automaton cannot match: look-around, laziness. */
import type { Assertion, RegexTree } from "./regex-tree.ts";
import { assertion, choice, EMPTY, sequence } from "./regex-tree.ts";
import { SYMBOL_COUNT, type SymbolSet } from "./symbol-set.ts";

const EVERY_SYMBOL: SymbolSet = [0, SYMBOL_COUNT - 1];

export type PerlTree =
  | { readonly kind: "set"; readonly set: SymbolSet }
  | { readonly kind: "sequence"; readonly parts: readonly PerlTree[] }
  | { readonly kind: "choice"; readonly options: readonly PerlTree[] }
  | {
      readonly kind: "repeat";
      readonly body: PerlTree;
      readonly min: number;
      readonly max: number;
      readonly mode: "greedy" | "lazy" | "possessive";
    }
  | { readonly kind: "assertion"; readonly what: Assertion }
  | { readonly kind: "group"; readonly index: number; readonly body: PerlTree }
  | { readonly kind: "back-reference"; readonly index: number; readonly foldCase: boolean }
  | { readonly kind: "look"; readonly ahead: boolean; readonly negative: boolean; readonly body: PerlTree }
  | { readonly kind: "atomic"; readonly body: PerlTree }
  /** `\K`: the match begins here. */
  | { readonly kind: "keep" }
  /** `\G`: the search began here. */
  | { readonly kind: "search-start" }
  /** `(?1)`, `(?R)` (0): the body of the group, run as a subroutine. */
  | { readonly kind: "recursion"; readonly index: number }
  | { readonly kind: "condition"; readonly test: PerlCondition; readonly yes: PerlTree; readonly no: PerlTree }
  /** `(*COMMIT)` and the like. */
  | { readonly kind: "verb"; readonly what: "commit" | "prune" | "skip" };

type PerlCondition =
  | { readonly kind: "group"; readonly index: number }
  /** Inside a call, of this group where one is given. */
  | { readonly kind: "recursion"; readonly index: number | undefined }
  /** `(?(DEFINE)…)`. */
  | { readonly kind: "never" }
  | Extract<PerlTree, { readonly kind: "look" }>;

/** A pattern for the linear engine that matches wherever `tree` does. */
export function widened(tree: PerlTree): RegexTree {
  switch (tree.kind) {
    case "set":
      return { kind: "set", set: tree.set };
    case "sequence":
      return sequence(tree.parts.map(widened));
    case "choice":
      return choice(tree.options.map(widened));
    case "repeat":
      return { kind: "repeat", body: widened(tree.body), min: tree.min, max: tree.max };
    case "assertion":
      return assertion(tree.what);
    case "group":
      return { kind: "group", index: tree.index, body: widened(tree.body) };
    case "back-reference":
      return { kind: "back-reference", index: tree.index };
    case "look":
    case "keep":
    case "search-start":
    case "verb":
      return EMPTY;
    case "atomic":
      return widened(tree.body);
    case "recursion":
      return ANYTHING;
    case "condition":
      return choice([widened(tree.yes), widened(tree.no)]);
  }
}

export const ANYTHING: RegexTree = { kind: "repeat", body: { kind: "set", set: EVERY_SYMBOL }, min: 0, max: Infinity };

/** Tells whether `widened` matches exactly the lines that `tree` does. */
export const isRegular = (tree: PerlTree): boolean => !somePart(tree, isIrregular);

function isIrregular(part: PerlTree): boolean {
  if (part.kind === "repeat") return part.mode === "possessive";
  return part.kind === "back-reference" || part.kind === "look" || part.kind === "atomic" || part.kind === "keep" || isForMachine(part);
}

/** Tells whether only `PerlMachine` matches the part, whatever stands around it. */
function isForMachine(part: PerlTree): boolean {
  return part.kind === "recursion" || part.kind === "condition" || part.kind === "verb" || part.kind === "search-start";
}

/** Tells whether `wanted` holds for a part of the tree, or for all of it. */
export function somePart(tree: PerlTree, wanted: (part: PerlTree) => boolean): boolean {
  if (wanted(tree)) return true;
  switch (tree.kind) {
    case "sequence":
      return tree.parts.some((part) => somePart(part, wanted));
    case "choice":
      return tree.options.some((option) => somePart(option, wanted));
    case "repeat":
    case "group":
    case "look":
    case "atomic":
      return somePart(tree.body, wanted);
    case "condition":
      return somePart(tree.yes, wanted) || somePart(tree.no, wanted) || (tree.test.kind === "look" && somePart(tree.test, wanted));
    case "set":
    case "assertion":
    case "back-reference":
    case "keep":
    case "search-start":
    case "recursion":
    case "verb":
      return false;
  }
}

/** The highest number of a group, referred to or not. */
export function groupsOf(tree: PerlTree): number {
  let highest = 0;
  somePart(tree, (part) => {
    if ("index" in part) highest = Math.max(highest, part.index);
    return false;
  });
  return highest;
}

/** Number of characters that the tree always steps over; undefined if it varies. */
export function fixedLength(tree: PerlTree): number | undefined {
  switch (tree.kind) {
    case "set":
      return 1;
    case "sequence": {
      const lengths = tree.parts.map(fixedLength);
      return lengths.every((length) => length !== undefined) ? lengths.reduce((sum, length) => sum + length, 0) : undefined;
    }
    case "choice": {
      const [first, ...others] = tree.options.map(fixedLength);
      return others.every((length) => length === first) ? first : undefined;
    }
    case "repeat": {
      const body = fixedLength(tree.body);
      return body !== undefined && tree.min === tree.max ? body * tree.min : undefined;
    }
    case "group":
    case "atomic":
      return fixedLength(tree.body);
    case "assertion":
    case "look":
    case "keep":
    case "search-start":
    case "verb":
      return 0;
    case "condition": {
      const yes = fixedLength(tree.yes);
      return yes === fixedLength(tree.no) ? yes : undefined;
    }
    case "back-reference":
    case "recursion":
      return undefined;
  }
}
