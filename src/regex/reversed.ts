/** Reverses a pattern: the result matches the same text read from its end. */
import { assertion, transform, type Assertion, type RegexTree } from "./regex-tree.ts";

export function reversed(tree: RegexTree): RegexTree {
  return transform(tree, (node) => {
    if (node.kind === "sequence") return { ...node, parts: [...node.parts].reverse() };
    return node.kind === "assertion" ? assertion(MIRRORED[node.what]) : node;
  });
}

const MIRRORED: Readonly<Record<Assertion, Assertion>> = {
  "line-start": "line-end",
  "line-end": "line-start",
  "word-start": "word-end",
  "word-end": "word-start",
  "word-edge": "word-edge",
  "not-word-edge": "not-word-edge",
  "no-word-before": "no-word-after",
  "no-word-after": "no-word-before",
  never: "never",
};
