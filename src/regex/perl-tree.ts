/** A Perl-compatible pattern as a tree, with the constructs that a linear automaton cannot match: look-around, laziness. */
import type { Assertion, RegexTree } from "./regex-tree.ts";
import { assertion, choice, EMPTY, sequence } from "./regex-tree.ts";
import type { SymbolSet } from "./symbol-set.ts";

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
  | { readonly kind: "keep" };

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
      return EMPTY;
    case "atomic":
      return widened(tree.body);
  }
}

/** Tells whether `widened` matches exactly the lines that `tree` does. */
export const isRegular = (tree: PerlTree): boolean => !somePart(tree, isIrregular);

function isIrregular(part: PerlTree): boolean {
  if (part.kind === "repeat") return part.mode === "possessive";
  return part.kind === "back-reference" || part.kind === "look" || part.kind === "atomic" || part.kind === "keep";
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
    case "set":
    case "assertion":
    case "back-reference":
    case "keep":
      return false;
  }
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
      return 0;
    case "back-reference":
      return undefined;
  }
}
