/**
 * Patterns as ripgrep reads them, line by line, where our engine surely finds what ripgrep does. For any other pattern, errors
 * included, the result is undefined, and the caller asks ripgrep itself.
 */
import { PatternError } from "../../src/regex/pattern-error.ts";
import { somePart, widened, type PerlTree } from "../../src/regex/perl-tree.ts";
import { canBeEmpty } from "../../src/regex/regex-tree.ts";
import { parseRust } from "../../src/regex/rust-parser.ts";

export interface LinePattern {
  readonly tree: PerlTree;
  /** Characters that stand for themselves: what smart case looks at. */
  readonly literals: string;
}

/** Undefined where the pattern is ripgrep's own. */
export function linePattern(pattern: string, options: { readonly foldCase: boolean; readonly fixed: boolean }): LinePattern | undefined {
  if (!pattern.isWellFormed() || /[\0\n]/.test(pattern)) return undefined;
  const source = options.fixed ? pattern.replace(/[\\.+*?()|[\]{}^$#&\-~]/g, "\\$&") : pattern;
  try {
    const modes = { foldCase: options.foldCase, dotAll: false, inLines: true };
    const { tree, literals, asksHost } = parseRust(source, modes);
    // ripgrep puts each pattern in a group, and a comment that nothing ends takes the end of that.
    if (source.includes("#")) parseRust(`(?:${source})`, modes);
    // ripgrep has something to say of a NUL: that nothing can match it in a file it takes for text.
    if (
      asksHost ||
      literals.includes("\0") ||
      copiesIn(tree) > MOST_COPIES ||
      somePart(tree, (part) => repeatsNothing(part) || failsBesideBytes(part))
    )
      return undefined;
    return { tree, literals };
  } catch (thrown) {
    if (thrown instanceof PatternError) return undefined;
    throw thrown;
  }
}

/** Counts past this may be more than ripgrep's own limit on size allows. */
const MOST_COPIES = 32;

/** Number of copies that the counted repetitions make of their operands, all together. */
function copiesIn(tree: PerlTree): number {
  let copies = 1;
  somePart(tree, (part) => {
    if (part.kind === "repeat") copies *= Math.max(1, part.max === Infinity ? part.min : part.max);
    return false;
  });
  return copies;
}

const repeatsNothing = (tree: PerlTree): boolean => tree.kind === "repeat" && canBeEmpty(widened(tree.body));

/** Beside a byte that is no UTF-8 these never hold in ripgrep. */
const failsBesideBytes = (tree: PerlTree): boolean =>
  tree.kind === "assertion" && ["not-word-edge", "no-word-before", "no-word-after"].includes(tree.what);

/** Repetitions inside repetitions: what a backtracking engine may take for ever on. */
export const nestsRepeats = (tree: PerlTree): boolean => somePart(tree, (part) => repeats(part) && somePart(part.body, repeats));

const repeats = (tree: PerlTree): tree is Extract<PerlTree, { kind: "repeat" }> => tree.kind === "repeat" && tree.max > 1;
