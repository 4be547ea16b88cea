/**
 * Chooses the command lines that our own search of lines runs instead of the module: one dialect of patterns that both read alike
 * (line-pattern.ts), and the flags of every day. Anything else is the module's. test/builtins/rg/rg-own.test.ts holds the two
 * against each other.
 */
import { linesOf } from "../../src/regex/perl-matcher.ts";
import { somePart, widened, type PerlTree } from "../../src/regex/perl-tree.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import type { LineMatcher } from "../../src/regex/posix-matcher.ts";
import { canBeEmpty } from "../../src/regex/regex-tree.ts";
import { BESIDE_NO_WORD, RUST_WORD } from "../../src/regex/rust-tables.ts";
import { linePattern, nestsRepeats, type LinePattern } from "./line-pattern.ts";
import type { OwnSettings, SearchPlan } from "./own-settings.ts";
import { perlLines } from "./perl-lines.ts";
import { isListing, isWithoutEffect, Options, type Given, type ListingFlag } from "./own-options.ts";
import { needsPerl, perlOnly } from "./perl-patterns.ts";

export interface OwnPlan extends SearchPlan {
  readonly kind: "lines";
  readonly settings: OwnSettings;
}

/** --files with nothing but flags that choose among files; undefined for any other command. */
export function ownListing(
  occurrences: readonly Given[],
): { readonly listing: readonly ListingFlag[]; readonly endsWithZero: boolean } | undefined {
  const listing = occurrences.filter(isListing);
  const others = occurrences.filter((occurrence) => !isListing(occurrence) && !isWithoutEffect(occurrence));
  if (!others.every(({ key }) => key === "files" || key === "null")) return undefined;
  return { listing, endsWithZero: others.some(({ key }) => key === "null") };
}

/** Undefined where the module must run. `operandPatterns`: the pattern among the operands, if that is where it is. */
export function ownPlan(occurrences: readonly Given[], operandPatterns: readonly string[]): OwnPlan | undefined {
  const options = new Options();
  for (const occurrence of occurrences) if (!options.takes(occurrence)) return undefined;
  const { output, before, after, both } = options;
  const countsMatches = options.countsMatches || (output === "count" && options.onlyMatching);
  const settings = {
    invert: options.invert,
    output,
    countsMatches: countsMatches && !options.invert,
    lineNumber: options.lineNumber,
    before: output === "lines" ? (before ?? both) : 0,
    // With -m a count depends on it.
    after: output === "lines" || output === "count" ? (after ?? both) : 0,
    maxCount: options.maxCount,
    heading: options.heading,
    nullAfterPath: options.nullAfterPath,
    isText: options.isText,
  };
  if (output === "matches" && (options.invert || (before ?? 0) + (after ?? 0) + both > 0)) return undefined;
  const texts = [...operandPatterns, ...options.patterns];
  if (options.isHybrid && texts.some(needsPerl)) options.perl = true;
  // What -v, -o and -c are together is the module's, as is the rest around a count of matches.
  if (countsMatches && ((options.onlyMatching && options.invert) || (before ?? 0) + (after ?? 0) + both > 0)) return undefined;
  const matcher = matcherOf(texts, options, output === "matches" || countsMatches);
  if (matcher === undefined) return undefined;
  const needsOwn = options.perl && !options.fixed && texts.some((text) => perlOnly(text) !== undefined);
  if (countsMatches && !needsOwn) return undefined;
  const { invert } = options;
  const required = invert || output === "paths-without" ? undefined : matcher.required;
  return { ...searchPlan(options), kind: "lines", settings: { ...settings, matcher }, needsOwn, required, quits: output === "first" };
}

/** The part of a plan that does not depend on the search. */
export function searchPlan(options: Options): Omit<SearchPlan, "needsOwn" | "required" | "quits"> {
  const { showsPaths, showsMessages, searchesBinary, searchesPacked, maps, listing } = options;
  return { showsPaths, showsMessages, searchesBinary, searchesPacked, maps, listing };
}

function matcherOf(texts: readonly string[], options: Options, asksWhere: boolean): LineMatcher | undefined {
  if (options.perl && !options.fixed && texts.some((text) => perlOnly(text) !== undefined))
    return perlLines(texts, { ...options, asksWhere });
  const parse = (foldCase: boolean) => texts.map((text) => linePattern(text, { foldCase, fixed: options.fixed }));
  let patterns = parse(options.casing === "fold");
  if (options.casing === "smart") {
    const literals = patterns.map((pattern) => pattern?.literals ?? "").join("");
    if (/[^\0-\x7f]/.test(literals)) return undefined;
    if (literals !== "" && !/[A-Z]/.test(literals)) patterns = parse(true);
  }
  const whole = patterns.filter((pattern): pattern is LinePattern => pattern !== undefined);
  if (whole.length !== texts.length || whole.length === 0 || whole.length > 32) return undefined;
  if (asksWhere && whole.some(({ tree }) => nestsRepeats(tree) || canBeEmpty(widened(tree)))) return undefined;
  if (options.extent === "word" && whole.some(({ tree }) => somePart(tree, asksForWords))) return undefined;
  const choice: PerlTree = { kind: "choice", options: whole.map(({ tree }) => tree) };
  const [before, after] = EDGES[options.extent];
  const tree: PerlTree =
    before === undefined || after === undefined
      ? choice
      : { kind: "sequence", parts: [{ kind: "assertion", what: before }, choice, { kind: "assertion", what: after }] };
  try {
    return linesOf(tree, 10, options.extent === "word" ? BESIDE_NO_WORD : RUST_WORD);
  } catch (thrown) {
    if (thrown instanceof PatternError) return undefined;
    throw thrown;
  }
}

const asksForWords = (part: PerlTree): boolean => part.kind === "assertion" && part.what !== "line-start" && part.what !== "line-end";

const EDGES = {
  any: [undefined, undefined],
  word: ["no-word-before", "no-word-after"],
  line: ["line-start", "line-end"],
} as const;
