/** A regular expression as a tree, the same for every dialect, with the functions that build and examine one. */
import { FIRST_STRAY_BYTE, type SymbolSet } from "./symbol-set.ts";

export type RegexTree =
  | { readonly kind: "empty" }
  /** Exactly one symbol out of `set`. An empty set never matches. */
  | { readonly kind: "set"; readonly set: SymbolSet }
  | { readonly kind: "sequence"; readonly parts: readonly RegexTree[] }
  | { readonly kind: "choice"; readonly options: readonly RegexTree[] }
  /** `max` may be Infinity. */
  | { readonly kind: "repeat"; readonly body: RegexTree; readonly min: number; readonly max: number }
  | { readonly kind: "assertion"; readonly what: Assertion }
  /** Groups are numbered from 1 in the order of their opening parentheses. */
  | { readonly kind: "group"; readonly index: number; readonly body: RegexTree }
  | { readonly kind: "back-reference"; readonly index: number };

/** A condition on the place between two symbols. "before" and "after" name the side on which the symbol stands. */
export type Assertion =
  | "line-start"
  | "line-end"
  | "word-start"
  | "word-end"
  | "word-edge"
  | "not-word-edge"
  | "no-word-before"
  | "no-word-after"
  /** Never holds. */
  | "never";

export const EMPTY: RegexTree = { kind: "empty" };

export function sequence(parts: readonly RegexTree[]): RegexTree {
  const flat = parts.flatMap((part) => (part.kind === "sequence" ? part.parts : part.kind === "empty" ? [] : [part]));
  if (flat.length === 0) return EMPTY;
  return flat.length === 1 ? (flat[0] as RegexTree) : { kind: "sequence", parts: flat };
}

export function choice(options: readonly RegexTree[]): RegexTree {
  if (options.length === 0) return assertion("never");
  return options.length === 1 ? (options[0] as RegexTree) : { kind: "choice", options };
}

export const assertion = (what: Assertion): RegexTree => ({ kind: "assertion", what });

/** The symbols of a pattern given as text in the encoding of src/io/text.ts. */
export function symbolsOf(text: string): number[] {
  const symbols: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    symbols.push(code >= 0xdc80 && code <= 0xdcff ? FIRST_STRAY_BYTE + (code - 0xdc80) : code);
  }
  return symbols;
}

export function hasBackReference(tree: RegexTree): boolean {
  return some(tree, (node) => node.kind === "back-reference");
}

/** Tells whether `test` holds for a node of the tree. */
export function some(tree: RegexTree, test: (node: RegexTree) => boolean): boolean {
  if (test(tree)) return true;
  switch (tree.kind) {
    case "sequence":
      return tree.parts.some((part) => some(part, test));
    case "choice":
      return tree.options.some((option) => some(option, test));
    case "repeat":
    case "group":
      return some(tree.body, test);
    case "empty":
    case "set":
    case "assertion":
    case "back-reference":
      return false;
  }
}

/** Tells whether the tree can match without stepping over any symbol. */
export function canBeEmpty(tree: RegexTree): boolean {
  switch (tree.kind) {
    case "empty":
    case "assertion":
    case "back-reference":
      return true;
    case "set":
      return false;
    case "sequence":
      return tree.parts.every(canBeEmpty);
    case "choice":
      return tree.options.some(canBeEmpty);
    case "repeat":
      return tree.min === 0 || canBeEmpty(tree.body);
    case "group":
      return canBeEmpty(tree.body);
  }
}

/** Symbols of the longest text that the tree can match, or Infinity. */
export function longestMatch(tree: RegexTree): number {
  switch (tree.kind) {
    case "empty":
    case "assertion":
      return 0;
    case "set":
      return 1;
    case "sequence":
      return tree.parts.reduce((sum, part) => sum + longestMatch(part), 0);
    case "choice":
      return Math.max(...tree.options.map(longestMatch));
    case "repeat": {
      const body = longestMatch(tree.body);
      return body === 0 ? 0 : tree.max * body;
    }
    case "group":
      return longestMatch(tree.body);
    case "back-reference":
      return Infinity;
  }
}

/** The tree with `change` applied to every node, from the leaves up. */
export function transform(tree: RegexTree, change: (node: RegexTree) => RegexTree): RegexTree {
  switch (tree.kind) {
    case "sequence":
      return change({ ...tree, parts: tree.parts.map((part) => transform(part, change)) });
    case "choice":
      return change({ ...tree, options: tree.options.map((option) => transform(option, change)) });
    case "repeat":
    case "group":
      return change({ ...tree, body: transform(tree.body, change) });
    case "empty":
    case "set":
    case "assertion":
    case "back-reference":
      return change(tree);
  }
}
