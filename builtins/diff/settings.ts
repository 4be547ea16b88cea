/** The flags of a diff, combined: which format, how lines are compared, and what is refused together. */
import { scanCount } from "../../src/numbers/counts.ts";
import type { GivenKey, Occurrence } from "../../src/builtin/definition.ts";
import { noFlagLeft } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import { compilePosix, type LineMatcher } from "../../src/regex/posix-matcher.ts";
import type { ComparisonOptions } from "../../src/compare/changes.ts";
import type { FLAGS } from "./diff.ts";
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

type Key = GivenKey<typeof FLAGS>;
type Given = readonly Occurrence<typeof FLAGS>[];

/** Throws UsageError in GNU diff's own words. */
export function readSettings(occurrences: Given): DiffSettings {
  const given = (key: Key): boolean => occurrences.some((occurrence) => occurrence.key === key);
  const { format, context } = readFormat(occurrences);
  for (const [key, name] of GIVEN_ONCE) requireOneValue(occurrences, key, name);
  const tabColumns = oneNumber(occurrences, "tabSize", "tabsize", 1) ?? 8;
  const whiteSpace = readWhiteSpace(occurrences);
  const ignoreCase = given("ignoreCase");
  const matching = patterns(occurrences, "ignored lines");
  const blankLines = given("ignoreBlank");
  return {
    format,
    context,
    functionLine: patterns(occurrences, "functions"),
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

const GIVEN_ONCE = [
  ["fromFile", "--from-file"],
  ["toFile", "--to-file"],
  ["startingFile", "-S"],
] as const satisfies readonly (readonly [key: Key, name: string])[];

function requireOneValue(occurrences: Given, wanted: (typeof GIVEN_ONCE)[number][0], name: string): void {
  const [first, ...others] = occurrences.flatMap(({ key, value }) => (key === wanted ? [value] : []));
  const conflicting = others.find((value) => value !== first);
  if (conflicting !== undefined) throw badUsage(`conflicting ${name} option value '${conflicting}'`);
}

const FORMAT_OF = {
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
} as const satisfies Partial<Record<Key, OutputFormat>>;

function readFormat(occurrences: Given): { format: OutputFormat; context: number } {
  let format: OutputFormat | undefined;
  let context = -1;
  let isExplicit = false;
  let digits: number | undefined;
  let previousIsDigit = false;
  for (const occurrence of occurrences) {
    const continuesNumber = previousIsDigit;
    previousIsDigit = occurrence.key === "digits";
    switch (occurrence.key) {
      case "digits":
        digits = Math.min(MOST_LINES, (continuesNumber ? (digits ?? 0) * 10 : 0) + Number(occurrence.spelling.slice(1)));
        break;
      case "unifiedPlain":
      case "unified":
      case "unifiedLong":
      case "contextPlain":
      case "context":
      case "contextLong": {
        const text = occurrence.value === true ? undefined : occurrence.value;
        const lines = text === undefined ? 3 : readNumber(text, "context length", 0);
        format = oneFormat(format, FORMAT_OF[occurrence.key]);
        if (text !== undefined) isExplicit = true;
        context = Math.max(context, lines);
        break;
      }
      case "normal":
      case "ed":
      case "forwardEd":
      case "rcs":
      case "sideBySide":
      case "ifdef":
      case "lineFormat":
      case "oldLineFormat":
      case "newLineFormat":
      case "unchangedLineFormat":
      case "oldGroupFormat":
      case "newGroupFormat":
      case "unchangedGroupFormat":
      case "changedGroupFormat":
        format = oneFormat(format, FORMAT_OF[occurrence.key]);
        break;
      // Of no say in the format, unless -p stands alone. `readSettings` reads them by their keys.
      case "expandTabs":
      case "functionC":
      case "functionLine":
      case "horizon":
      case "ignoreAllSpace":
      case "ignoreBlank":
      case "ignoreCase":
      case "ignoreMatching":
      case "ignoreSpaceChange":
      case "ignoreTabs":
      case "ignoreTrailing":
      case "initialTab":
      case "label":
      case "leftColumn":
      case "minimal":
      case "speedLarge":
      case "stripCr":
      case "suppressBlankEmpty":
      case "suppressCommon":
      case "tabSize":
      case "width":
      // Read by their values in diff.ts.
      case "asText":
      case "brief":
      case "exclude":
      case "excludeFrom":
      case "fromFile":
      case "ignoreFileNameCase":
      case "newFile":
      case "newFirstFile":
      case "noDereference":
      case "noIgnoreFileNameCase":
      case "recursive":
      case "reportIdentical":
      case "startingFile":
      case "toFile":
      // Without effect.
      case "binary":
      case "color":
      case "inhibitHunkMerge":
      case "obsolete":
      case "palette":
        break;
      default:
        noFlagLeft(occurrence);
    }
  }
  // -p alone asks for the context format, but takes any that is asked for.
  if (format === undefined) format = occurrences.some(({ key }) => key === "functionC") ? "context" : "normal";
  if (format !== "unified" && format !== "context") return { format, context: 0 };
  if (context < 0) context = 3;
  if (digits !== undefined && (context < digits || (digits < context && !isExplicit))) context = digits;
  return { format, context };
}

function oneFormat(before: OutputFormat | undefined, wanted: OutputFormat): OutputFormat {
  if (before !== undefined && wanted !== before) throw badUsage("conflicting output style options");
  return wanted;
}

function readWhiteSpace(occurrences: Given): WhiteSpaceRule {
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

function readLabels(occurrences: Given): string[] {
  const labels = occurrences.flatMap(({ key, value }) => (key === "label" ? [value] : []));
  if (labels.length > 2) throw new UsageError("bad-value", "too many file label options");
  return labels;
}

/** A number that may be given twice only if it stays the same. */
function oneNumber(occurrences: Given, key: "tabSize" | "horizon" | "width", what: string, least: number): number | undefined {
  let number: number | undefined;
  for (const occurrence of occurrences) {
    if (occurrence.key !== key || occurrence.value === undefined) continue;
    const next = readNumber(occurrence.value, what, least);
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
function patterns(occurrences: Given, what: "ignored lines" | "functions"): LineMatcher | undefined {
  const texts = occurrences.flatMap(({ key, value }) => {
    if (what === "ignored lines") return key === "ignoreMatching" && value !== undefined ? [value] : [];
    if (key === "functionC") return ["^[[:alpha:]$_]"];
    return key === "functionLine" && value !== undefined ? [value] : [];
  });
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
