/** The flags of a diff, combined: which format, how lines are compared, and what is refused together. */
import { scanCount } from "../../src/numbers/counts.ts";
import type { Occurrence } from "../../src/builtin/definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import { compilePosix, type LineMatcher } from "../../src/regex/posix-matcher.ts";
import type { ComparisonOptions } from "../../src/compare/changes.ts";
import { readGroupFormats, type GroupFormats } from "./group-format.ts";
import type { IgnoreRule } from "../../src/compare/hunks.ts";
import type { WhiteSpaceRule } from "../../src/compare/line-classes.ts";
import type { LineStyle } from "../../src/compare/line-writer.ts";
import type { ColumnOptions } from "./side-by-side.ts";

export type OutputFormat = "normal" | "context" | "unified" | "ed" | "forward-ed" | "rcs" | "side-by-side" | "merged";

export interface DiffSettings {
  readonly format: OutputFormat;
  readonly context: number;
  readonly functionLine: LineMatcher | undefined;
  readonly comparison: ComparisonOptions;
  readonly ignore: IgnoreRule | undefined;
  readonly lines: LineStyle;
  readonly columns: ColumnOptions;
  readonly groups: GroupFormats | undefined;
  readonly labels: readonly string[];
  /** Bytes decide where nothing is ignored: then files that are the same need no comparison by lines. */
  readonly comparesBytes: boolean;
  readonly stripCarriageReturns: boolean;
}

type Flags = readonly Occurrence[];

/** Throws UsageError in GNU diff's own words. */
export function readSettings(occurrences: Flags): DiffSettings {
  const given = (key: string): boolean => occurrences.some((occurrence) => occurrence.key === key);
  const { format, context } = readFormat(occurrences);
  for (const [key, name] of GIVEN_ONCE) requireOneValue(occurrences, key, name);
  const tabColumns = oneNumber(occurrences, "tabSize", "tabsize", 1) ?? 8;
  const whiteSpace = readWhiteSpace(occurrences);
  const ignoreCase = given("ignoreCase");
  const matching = patterns(occurrences, ["ignoreMatching"]);
  const blankLines = given("ignoreBlank");
  return {
    format,
    context,
    functionLine: patterns(occurrences, ["functionLine", "functionC"]),
    comparison: {
      minimal: given("minimal"),
      speedLarge: given("speedLarge"),
      // With room to move, the first and last changes are placed as those in the middle.
      horizonLines: Math.max(oneNumber(occurrences, "horizon", "horizon length", 0) ?? 0, context),
      whiteSpace,
      ignoreCase,
      tabColumns,
      completesLines: format === "ed" || format === "forward-ed",
    },
    ignore:
      blankLines || matching !== undefined
        ? { blankLines, matching, blankMeans: isTrailingIgnored(whiteSpace) ? "white" : "empty" }
        : undefined,
    lines: {
      expandTabs: given("expandTabs"),
      initialTab: given("initialTab"),
      tabColumns,
      suppressBlankEmpty: given("suppressBlankEmpty"),
    },
    columns: {
      width: oneNumber(occurrences, "width", "width", 1) ?? 130,
      leftColumn: given("leftColumn"),
      suppressCommonLines: given("suppressCommon"),
    },
    groups: format === "merged" ? readGroupFormats(occurrences) : undefined,
    labels: readLabels(occurrences),
    comparesBytes: whiteSpace.kind === "exact" && !ignoreCase && !blankLines && matching === undefined && !given("stripCr"),
    stripCarriageReturns: given("stripCr"),
  };
}

const GIVEN_ONCE: readonly (readonly [key: string, name: string])[] = [
  ["fromFile", "--from-file"],
  ["toFile", "--to-file"],
  ["startingFile", "-S"],
];

function requireOneValue(occurrences: Flags, wanted: string, name: string): void {
  const [first, ...others] = occurrences.filter(({ key }) => key === wanted).map(({ value }) => String(value));
  const conflicting = others.find((value) => value !== first);
  if (conflicting !== undefined) throw badUsage(`conflicting ${name} option value '${conflicting}'`);
}

const FORMAT_OF: Readonly<Record<string, OutputFormat>> = {
  normal: "normal",
  unifiedPlain: "unified",
  unified: "unified",
  unifiedLong: "unified",
  contextPlain: "context",
  context: "context",
  contextLong: "context",
  ed: "ed",
  forwardEd: "forward-ed",
  rcs: "rcs",
  sideBySide: "side-by-side",
  ifdef: "merged",
  lineFormat: "merged",
  oldLineFormat: "merged",
  newLineFormat: "merged",
  unchangedLineFormat: "merged",
  oldGroupFormat: "merged",
  newGroupFormat: "merged",
  unchangedGroupFormat: "merged",
  changedGroupFormat: "merged",
};

function readFormat(occurrences: Flags): { format: OutputFormat; context: number } {
  let format: OutputFormat | undefined;
  let context = -1;
  let isExplicit = false;
  let digits: number | undefined;
  let previousIsDigit = false;
  for (const { key, value, spelling } of occurrences) {
    if (key === "digits") {
      digits = Math.min(MOST_LINES, (previousIsDigit ? (digits ?? 0) * 10 : 0) + Number(spelling.slice(1)));
      previousIsDigit = true;
      continue;
    }
    previousIsDigit = false;
    // -p alone asks for the context format, but takes any that is asked for.
    const wanted = FORMAT_OF[key];
    if (wanted === undefined) continue;
    const hasContext = wanted === "unified" || wanted === "context";
    const text = hasContext && typeof value === "string" ? value : undefined;
    const lines = text === undefined ? 3 : readNumber(text, "context length", 0);
    if (format !== undefined && wanted !== format) throw badUsage("conflicting output style options");
    format = wanted;
    if (!hasContext) continue;
    if (text !== undefined) isExplicit = true;
    context = Math.max(context, lines);
  }
  if (format === undefined) format = occurrences.some(({ key }) => key === "functionC") ? "context" : "normal";
  if (format !== "unified" && format !== "context") return { format, context: 0 };
  if (context < 0) context = 3;
  if (digits !== undefined && (context < digits || (digits < context && !isExplicit))) context = digits;
  return { format, context };
}

function readWhiteSpace(occurrences: Flags): WhiteSpaceRule {
  let rule: WhiteSpaceRule = { kind: "exact" };
  for (const { key } of occurrences) {
    if (key === "ignoreAllSpace") return { kind: "all" };
    if (key === "ignoreSpaceChange") rule = { kind: "amount" };
    else if (key === "ignoreTabs" && rule.kind === "exact") rule = { kind: "partly", expandTabs: true, dropTrailing: false };
    // With both -E and -Z GNU diff 3.8 minds tabs after all.
    else if (key === "ignoreTrailing" && rule.kind !== "amount") rule = { kind: "partly", expandTabs: false, dropTrailing: true };
  }
  return occurrences.some(({ key }) => key === "ignoreAllSpace") ? { kind: "all" } : rule;
}

const isTrailingIgnored = (rule: WhiteSpaceRule): boolean =>
  rule.kind === "all" || rule.kind === "amount" || (rule.kind === "partly" && rule.dropTrailing);

function readLabels(occurrences: Flags): string[] {
  const labels = occurrences.filter(({ key }) => key === "label").map(({ value }) => String(value));
  if (labels.length > 2) throw new UsageError("bad-value", "too many file label options");
  return labels;
}

/** A number that may be given twice only if it stays the same. */
function oneNumber(occurrences: Flags, key: string, what: string, least: number): number | undefined {
  let number: number | undefined;
  for (const occurrence of occurrences) {
    if (occurrence.key !== key) continue;
    const next = readNumber(String(occurrence.value), what, least);
    if (number !== undefined && next !== number && key !== "horizon") throw new UsageError("bad-value", `conflicting ${what} options`);
    number = Math.max(number ?? 0, next);
  }
  return number;
}

/** More lines than any file here can have. */
const MOST_LINES = 0x3fffffff;

function readNumber(text: string, what: string, least: number): number {
  const { value, problem } = text === "" ? { value: 0n, problem: undefined } : scanCount(text, { suffixes: "", signed: true });
  if ((problem !== undefined && problem !== "overflow") || value < least) throw badUsage(`invalid ${what} '${text}'`);
  return Number(value > MOST_LINES ? BigInt(MOST_LINES) : value);
}

/** Several patterns are alternatives; -p stands for a line that begins as C's functions do. */
function patterns(occurrences: Flags, keys: readonly string[]): LineMatcher | undefined {
  const texts = occurrences.flatMap(({ key, value }) =>
    !keys.includes(key) ? [] : key === "functionC" ? ["^[[:alpha:]$_]"] : [String(value)],
  );
  if (texts.length === 0) return undefined;
  for (const text of texts) {
    try {
      compilePosix([text], { syntax: "basic" });
    } catch (thrown) {
      if (!(thrown instanceof PatternError)) throw thrown;
      throw new UsageError("bad-value", `${text}: ${thrown.message}`, { subject: text });
    }
  }
  return compilePosix(
    texts.flatMap((text) => text.split("\n")),
    { syntax: "basic" },
  );
}

export const badUsage = (message: string): UsageError => new UsageError("bad-value", message, { pointsToHelp: true });
