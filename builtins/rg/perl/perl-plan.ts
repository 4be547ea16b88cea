/**
 * Plans for Perl's patterns with the flags that the plain search of lines has not (own-plan.ts): -U, -r, --stats, --json, columns,
 * separators, and any of the others beside them. How they go together is ripgrep's (crates/core/flags/hiargs.rs).
 */
import { PatternError } from "../../../src/regex/pattern-error.ts";
import { parsePerl } from "../../../src/regex/perl-parser.ts";
import { TextPattern } from "../../../src/regex/text-pattern.ts";
import type { Given } from "../own-options.ts";
import { searchPlan } from "../own-plan.ts";
import type { SearchPlan } from "../own-settings.ts";
import { PCRE2_CLASSES } from "../pcre2-class.ts";
import { needsPerl, perlOnly } from "../perl-patterns.ts";
import { PerlOptions } from "./perl-options.ts";
import type { PerlSettings } from "./settings.ts";

export interface PerlPlan extends SearchPlan {
  readonly kind: "perl";
  readonly settings: PerlSettings;
}

/** The reason why there is no plan: a flag as it was typed, or the patterns. */
export type Unplanned = { readonly kind: "flag"; readonly spelling: string } | { readonly kind: "pattern" };

/**
 * `operandPatterns`: the pattern among the operands, if that is where it is. Undefined where PCRE2 is not asked for, or where there is
 * no plan and the module may run: no pattern is Perl's alone.
 */
export function perlPlan(occurrences: readonly Given[], operandPatterns: readonly string[]): PerlPlan | Unplanned | undefined {
  const options = new PerlOptions();
  const left = occurrences.find((occurrence) => !options.takes(occurrence));
  const { common } = options;
  const texts = [...operandPatterns, ...occurrences.flatMap(({ key, value }) => (key === "regexp" ? [value] : []))];
  const isPerl = common.perl || (common.isHybrid && texts.some(needsPerl));
  if (!isPerl) return undefined;
  const needsOwn = !common.fixed && texts.some((text) => perlOnly(text) !== undefined);
  if (left !== undefined) return needsOwn ? { kind: "flag", spelling: left.spelling } : undefined;
  const pattern = textPattern(texts, options);
  if (pattern === undefined) return needsOwn ? { kind: "pattern" } : undefined;
  const settings = options.settings(pattern);
  const { quiet, stats, invert, output, passthru, includeZero } = settings;
  const saysOfOthers = invert || stats || passthru || includeZero || output === "paths-without";
  return {
    ...searchPlan(common),
    kind: "perl",
    settings,
    showsPaths: common.showsPaths ?? (settings.perMatch ? true : undefined),
    needsOwn,
    required: saysOfOthers ? undefined : pattern.required,
    quits: quiet && !stats,
  };
}

/** Undefined where our engine does not have the pattern. */
function textPattern(texts: readonly string[], { common, dotAll }: PerlOptions): TextPattern | undefined {
  const joined = joinedPattern(common.fixed ? texts.map(escaped) : texts);
  if (texts.length === 0 || !joined.isWellFormed()) return undefined;
  const hasUpperCase = /\p{Uppercase}/u.test(joined.replace(/\\./gsu, ""));
  const foldCase = common.casing === "fold" || (common.casing === "smart" && !hasUpperCase);
  const [before, after] = EDGES[common.extent];
  const whole = before === "" ? joined : `${before}(?:${joined})${after}`;
  try {
    return new TextPattern(whole, { foldCase, dotAll, classes: PCRE2_CLASSES });
  } catch (thrown) {
    if (thrown instanceof PatternError) return undefined;
    throw thrown;
  }
}

/** PCRE2's error for patterns that the default engine may have none for; undefined where PCRE2 has none, or we cannot tell. */
export function perlProblem(texts: readonly string[]): string | undefined {
  try {
    parsePerl(joinedPattern(texts), { foldCase: false, lineEnd: 10, classes: PCRE2_CLASSES, manyLines: { dotAll: false } });
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    return /not available here|property/.test(thrown.message) ? undefined : thrown.message;
  }
  return undefined;
}

/** Patterns as ripgrep puts them together: the references of each count the groups of all. */
const joinedPattern = (texts: readonly string[]): string => [...new Set(texts)].map((text) => `(?:${text})`).join("|");

const escaped = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$#&\-~]/g, "\\$&");

const EDGES = { any: ["", ""], word: ["(?<!\\w)", "(?!\\w)"], line: ["(?m:^)", "(?m:$)"] } as const;
