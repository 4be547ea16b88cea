/**
 * The places in which `(*COMMIT)`, `(*PRUNE)` and `(*SKIP)` are done. PCRE2 begins a search where its first character may stand, so
 * that a verb which nothing precedes is passed over or not by what was compiled; inside a call, a condition or a look around each
 * verb has an effect of its own.
 */
import { somePart, type PerlTree } from "./perl-tree.ts";

/** The reason why the verbs of the pattern are not done, in words; undefined where they are. */
export function verbProblem(tree: PerlTree): string | undefined {
  if (!somePart(tree, isVerb)) return undefined;
  if (somePart(tree, ({ kind }) => kind === "recursion")) return "a verb beside a recursion";
  if (somePart(tree, (part) => (part.kind === "look" || part.kind === "condition") && somePart(part, isVerb)))
    return "a verb inside a look-around or a condition";
  return comesFirst(tree) ? "a verb before the first character" : undefined;
}

const isVerb = ({ kind }: PerlTree): boolean => kind === "verb";

/** Tells whether a verb may be met before any symbol was stepped over. */
function comesFirst(tree: PerlTree): boolean {
  switch (tree.kind) {
    case "verb":
      return true;
    case "sequence":
      for (const part of tree.parts) {
        if (comesFirst(part)) return true;
        if (!mayBeEmpty(part)) return false;
      }
      return false;
    case "choice":
      return tree.options.some(comesFirst);
    case "repeat":
    case "group":
    case "atomic":
      return comesFirst(tree.body);
    default:
      return false;
  }
}

/** Tells whether the tree may match nothing, or an empty text; in doubt it may. */
function mayBeEmpty(tree: PerlTree): boolean {
  switch (tree.kind) {
    case "set":
      return false;
    case "sequence":
      return tree.parts.every(mayBeEmpty);
    case "choice":
      return tree.options.some(mayBeEmpty);
    case "repeat":
      return tree.min === 0 || mayBeEmpty(tree.body);
    case "group":
    case "atomic":
      return mayBeEmpty(tree.body);
    default:
      return true;
  }
}
