/** Patterns that only PCRE2 knows, over lines: our own engine for Perl's patterns, the one that grep -P has. */
import { compilePerl } from "../../src/regex/perl-matcher.ts";
import { parsePerl } from "../../src/regex/perl-parser.ts";
import { somePart, widened, type PerlTree } from "../../src/regex/perl-tree.ts";
import { canBeEmpty } from "../../src/regex/regex-tree.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import type { LineMatcher } from "../../src/regex/posix-matcher.ts";
import { holds } from "../../src/regex/symbol-set.ts";
import { PCRE2_CLASSES } from "./pcre2-class.ts";

export interface PerlLineOptions {
  readonly casing: "sensitive" | "fold" | "smart";
  readonly extent: "any" | "word" | "line";
  /** True if the places of the matches in a line are needed (-o). */
  readonly asksWhere: boolean;
}

/** Undefined where our engine does not have the pattern, or would say something else than ripgrep. */
export function perlLines(patterns: readonly string[], { casing, extent, asksWhere }: PerlLineOptions): LineMatcher | undefined {
  // As ripgrep puts them together: the references of each count the groups of all.
  const text = patterns.length === 1 ? (patterns[0] as string) : patterns.map((pattern) => `(?:${pattern})`).join("|");
  if (patterns.length === 0 || !text.isWellFormed() || /[\0\n]/.test(text)) return undefined;
  const hasUpperCase = /\p{Uppercase}/u.test(text.replace(/\\./gsu, ""));
  const foldCase = casing === "fold" || (casing === "smart" && !hasUpperCase);
  try {
    // The newline is no line end here: what it would match shows.
    const { tree } = parsePerl(text, { foldCase, lineEnd: 0, classes: PCRE2_CLASSES });
    if (asksWhere && (canBeEmpty(widened(tree)) || /\\A|\(\?[a-zA-Z]*[-^]/.test(text) || looksPastLine(tree) || keepsNothing(tree)))
      return undefined;
    return compilePerl([text], { foldCase, extent, lineEnd: 10, classes: PCRE2_CLASSES });
  } catch (thrown) {
    if (thrown instanceof PatternError) return undefined;
    throw thrown;
  }
}

/** True if the pattern looks behind for what a newline may be: asked for places, ripgrep shows it the line before too. */
const looksPastLine = (tree: PerlTree): boolean =>
  somePart(tree, (part) => part.kind === "look" && !part.ahead && somePart(part.body, holdsNewline));

const holdsNewline = (tree: PerlTree): boolean => tree.kind === "set" && holds(tree.set, 10);

/** True if nothing may be stepped over behind a `\K`: then the match is empty. */
function keepsNothing(tree: PerlTree): boolean {
  switch (tree.kind) {
    case "keep":
      return true;
    case "sequence":
      for (const part of tree.parts.toReversed()) {
        if (keepsNothing(part)) return true;
        if (!canBeEmpty(widened(part))) return false;
      }
      return false;
    case "choice":
      return tree.options.some(keepsNothing);
    case "repeat":
    case "group":
    case "atomic":
      return keepsNothing(tree.body);
    case "condition":
      return keepsNothing(tree.yes) || keepsNothing(tree.no);
    // The group that is called may hold one.
    case "recursion":
      return true;
    default:
      return false;
  }
}
