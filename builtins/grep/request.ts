/** The request that the arguments of grep make: the pattern, the files, what is printed of a line. */
import type { FlagValues, Invocation, Occurrence, StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import type { flags } from "./flags.ts";
import { patternLines, type Dialect, type PatternOptions } from "./patterns.ts";
import type { Settings } from "./settings.ts";

type Flags = typeof flags;

export interface Request {
  /** Patterns that are known before any file is read; undefined where a pattern is missing. */
  readonly given: { readonly patterns: readonly string[]; readonly files: readonly string[] } | undefined;
  readonly patternFiles: readonly string[];
  readonly matching: Omit<PatternOptions, "characters" | "warn">;
  readonly search: Omit<Settings, "everyByteIsText">;
  readonly directories: "read" | "recurse" | "skip";
  readonly follow: "always" | "starting-points";
  readonly devices: "read" | "skip" | undefined;
  readonly excludedDirectories: readonly string[];
  readonly choosesNames: boolean;
  /** undefined: where there are several files. */
  readonly showsNames: boolean | undefined;
  /** The name of standard input. */
  readonly label: string;
  /** Files that cannot be read are told of. */
  readonly complains: boolean;
  readonly warnings: readonly string[];
}

type Asked = StaticInvocation<Flags> & Pick<Invocation<Flags>, "colourMark">;

/** Throws UsageError where matchers conflict. */
export function requestOf({ name, flags: given, occurrences, operands, colourMark }: Asked): Request {
  const { basicRegexp, extendedRegexp, fixedStrings, perlRegexp, ignoreCase, lineRegexp, wordRegexp, nullData, ...ofFiles } = given;
  const { regexp, file, recursive, dereferenceRecursive, directories, devices, ...ofNames } = ofFiles;
  const { include, exclude, excludeFrom, excludeDir, withFilename, noFilename, label, noMessages, unixByteOffsets, ...ofLines } = ofNames;
  const { invertMatch, maxCount, count, quiet, filesWithMatches, filesWithoutMatch, binaryFiles, text, skipBinary, ...ofOutput } = ofLines;
  const { byteOffset, lineNumber, onlyMatching, initialTab, null: nullAfterName, color, ...ofContext } = ofOutput;
  const { beforeContext, afterContext, context = -1, groupSeparator, noGroupSeparator, ...others } = ofContext;
  allFlagsRead(others);
  const lineEnd = nullData ? 0 : 10;
  const list = quiet ? "none" : filesWithMatches ? "matching" : filesWithoutMatch ? "nonmatching" : "none";
  return {
    given: patternOperands(regexp.length > 0 || file.length > 0, occurrences, operands),
    patternFiles: file,
    matching: {
      dialect: dialectOf(name, { basicRegexp, extendedRegexp, fixedStrings, perlRegexp }),
      foldCase: ignoreCase,
      extent: lineRegexp ? "line" : wordRegexp ? "word" : "any",
      lineEnd,
    },
    search: {
      invert: invertMatch,
      lineEnd,
      maxCount,
      byteOffset,
      lineNumber,
      onlyMatching,
      initialTab,
      nullAfterName,
      color: color === "always" || (color === "auto" && colourMark !== undefined),
      colorMark: color === "always" ? "" : (colourMark ?? ""),
      list,
      count: count && list === "none" && !quiet,
      quiet,
      binaryFiles: text ? "text" : skipBinary ? "without-match" : binaryFiles,
      before: beforeContext ?? context,
      after: afterContext ?? context,
      groupSeparator: noGroupSeparator ? undefined : groupSeparator,
    },
    directories: recursive || dereferenceRecursive ? "recurse" : directories,
    follow: dereferenceRecursive ? "always" : "starting-points",
    devices,
    excludedDirectories: excludeDir,
    choosesNames: include.length + exclude.length + excludeFrom.length > 0,
    showsNames: withFilename ? true : noFilename ? false : undefined,
    label,
    complains: !noMessages,
    warnings: unixByteOffsets ? ["warning: --unix-byte-offsets (-u) is obsolete"] : [],
  };
}

type MatcherFlags = "basicRegexp" | "extendedRegexp" | "fixedStrings" | "perlRegexp";

/** -E, -F, -G and -P exclude each other; the same one may be repeated. */
function dialectOf(name: string, flags: Pick<FlagValues<Flags>, MatcherFlags>): Dialect {
  const given: Dialect[] = [];
  if (flags.extendedRegexp) given.push("extended");
  if (flags.fixedStrings) given.push("fixed");
  if (flags.basicRegexp) given.push("basic");
  if (flags.perlRegexp) given.push("perl");
  if (name === "egrep") given.push("extended");
  if (name === "fgrep") given.push("fixed");
  if (new Set(given).size > 1) throw new UsageError("bad-value", "conflicting matchers specified");
  return given[0] ?? "basic";
}

function patternOperands(
  hasPatternFlag: boolean,
  occurrences: readonly Occurrence<Flags>[],
  operands: readonly string[],
): Request["given"] {
  if (hasPatternFlag) {
    const patterns = occurrences.flatMap(({ key, value }) => (key === "regexp" ? patternLines(value) : []));
    return { patterns, files: operands };
  }
  const [pattern, ...files] = operands;
  return pattern === undefined ? undefined : { patterns: patternLines(pattern), files };
}
