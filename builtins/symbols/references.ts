/** Finds the uses of a name: identifiers of the syntax tree, so that comments and texts do not count. */
import type { Node, Tree } from "web-tree-sitter";
import { plainName, type Definition } from "./definitions.ts";
import type { Language } from "./language.ts";

export interface Reference {
  readonly name: string;
  /** UTF-16 unit of the text, and line from 1. */
  readonly nameAt: number;
  readonly nameLine: number;
}

/** What a name is made of in any of the languages, and before it what belongs to it (Ruby's `@x`, PowerShell's `$x`, CSS's `--x`). */
const WORD = /[@$]{0,2}[\p{L}\p{N}_$-]+[?!]?/gu;

/** Identifiers that `matchesName` and that are not the name of one of `definitions`, in order. */
export function* referencesIn(
  tree: Tree,
  text: string,
  language: Language,
  definitions: readonly Definition[],
  matchesName: (name: string) => boolean,
): Generator<Reference, void> {
  const defined = new Set(definitions.map(({ nameAt }) => nameAt));
  const identifiers = new Set(language.identifiers);
  let last = -1;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    for (const node of identifiersWithin(tree, index, word.length, identifiers)) {
      const name = plainName(node.text);
      if (node.startIndex <= last || defined.has(node.startIndex) || !matchesName(name)) continue;
      last = node.startIndex;
      yield { name, nameAt: node.startIndex, nameLine: node.startPosition.row + 1 };
    }
  }
}

/** A word of the text may be several tokens: `a-b`, `$x`. */
function* identifiersWithin(tree: Tree, at: number, length: number, identifiers: ReadonlySet<string>): Generator<Node, void> {
  for (let from = at; from < at + length; ) {
    const node = tree.rootNode.descendantForIndex(from, from + 1);
    if (node === null) return;
    if (identifiers.has(node.type) && node.namedChildCount === 0) {
      yield node;
      from = Math.max(node.endIndex, from + 1);
    } else {
      // Punctuation, or a whole comment, text or number.
      from = node.childCount === 0 ? Math.max(node.endIndex, from + 1) : from + 1;
    }
  }
}
