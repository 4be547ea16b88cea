/** diff: the changes of lines that make one file of another, and the differences of two directories. */
import { defineBuiltin, type FlagTable, type Invocation } from "../../src/builtin/definition.ts";
import { openInput } from "../../src/builtin/inputs.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { lineBlocks, linesOf } from "../../src/io/lines.ts";
import { toText } from "../../src/io/text.ts";
import { withColours } from "../../src/compare/diff-colours.ts";
import { compileFnmatch } from "../../src/glob/fnmatch.ts";
import type { Glob } from "../../src/glob/glob-match.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { PairComparison, type PairSettings } from "./pairs.ts";
import { badUsage, readSettings } from "./settings.ts";

const text = (value: string): string => value;

export const FLAGS = {
  binary: { kind: "switch", unread: true, help: "no effect: files are never changed on the way in" },
  brief: { kind: "switch", short: "q", help: "say only whether files differ" },
  changedGroupFormat: { kind: "value", arg: "GFMT", read: text, otherwise: undefined, help: "how changed lines are printed, as a group" },
  color: {
    kind: "value",
    arg: "WHEN",
    read: readColor,
    ifBare: "auto",
    otherwise: "auto",
    help: "never or auto: at the prompt of shelpa, normal and unified output has colours",
  },
  contextLong: {
    kind: "value",
    long: "context",
    arg: "NUM",
    read: text,
    ifBare: undefined,
    otherwise: undefined,
    help: "as -c, or -C NUM",
  },
  ed: { kind: "switch", short: "e", help: "print a script for ed" },
  exclude: {
    kind: "value",
    short: "x",
    arg: "PAT",
    read: text,
    otherwise: "",
    repeats: true,
    help: "leave out files whose name matches PAT",
  },
  excludeFrom: {
    kind: "path",
    short: "X",
    arg: "FILE",
    access: "read",
    repeats: true,
    help: "leave out files that match a pattern in FILE",
  },
  expandTabs: { kind: "switch", short: "t", help: "print tabs as spaces" },
  forwardEd: { kind: "switch", short: "f", help: "as -e, from the first change to the last" },
  fromFile: { kind: "path", arg: "FILE1", access: "read", help: "compare FILE1 to all operands" },
  horizon: {
    kind: "value",
    long: "horizon-lines",
    arg: "NUM",
    read: text,
    otherwise: undefined,
    help: "keep NUM lines of the common beginning and end",
  },
  ifdef: { kind: "value", short: "D", arg: "NAME", read: text, otherwise: undefined, help: "print both files as one, with #ifdef NAME" },
  ignoreAllSpace: { kind: "switch", short: "w", help: "ignore all white space" },
  ignoreBlank: { kind: "switch", short: "B", long: "ignore-blank-lines", help: "ignore changes whose lines are all blank" },
  ignoreCase: { kind: "switch", short: "i", help: "ignore case" },
  ignoreFileNameCase: { kind: "switch", overrides: ["noIgnoreFileNameCase"], help: "ignore case in file names" },
  ignoreMatching: {
    kind: "value",
    short: "I",
    long: "ignore-matching-lines",
    arg: "RE",
    read: text,
    otherwise: undefined,
    help: "ignore changes whose lines all match RE",
  },
  ignoreSpaceChange: { kind: "switch", short: "b", help: "ignore changes in the amount of white space" },
  ignoreTabs: { kind: "switch", short: "E", long: "ignore-tab-expansion", help: "ignore changes due to tabs being expanded" },
  ignoreTrailing: { kind: "switch", short: "Z", long: "ignore-trailing-space", help: "ignore white space at the end of a line" },
  inhibitHunkMerge: { kind: "switch", unread: true, help: "no effect" },
  initialTab: { kind: "switch", short: "T", help: "print a tab before each line's text, so that its tabs line up" },
  label: {
    kind: "value",
    short: "L",
    arg: "LABEL",
    read: text,
    otherwise: "",
    repeats: true,
    help: "print LABEL in place of a file's name and time",
  },
  leftColumn: { kind: "switch", help: "with -y: print common lines on the left only" },
  lineFormat: { kind: "value", arg: "LFMT", read: text, otherwise: undefined, help: "how each line is printed" },
  minimal: { kind: "switch", short: "d", help: "look hard for the smallest set of changes" },
  newFile: { kind: "switch", short: "N", help: "take absent files as empty" },
  newGroupFormat: { kind: "value", arg: "GFMT", read: text, otherwise: undefined, help: "how added lines are printed, as a group" },
  newLineFormat: { kind: "value", arg: "LFMT", read: text, otherwise: undefined, help: "how each line of the second file is printed" },
  noDereference: { kind: "switch", help: "compare symbolic links themselves" },
  noIgnoreFileNameCase: { kind: "switch", unread: true, overrides: ["ignoreFileNameCase"], help: "mind case in file names (default)" },
  normal: { kind: "switch", help: "print the normal format (default)" },
  oldGroupFormat: { kind: "value", arg: "GFMT", read: text, otherwise: undefined, help: "how removed lines are printed, as a group" },
  oldLineFormat: { kind: "value", arg: "LFMT", read: text, otherwise: undefined, help: "how each line of the first file is printed" },
  paginate: {
    kind: "refused",
    short: "l",
    help: "pass the output through pr",
    reason: "there is no pr here to make pages",
    suggestion: (rest) => `diff ${rest.join(" ")}`.trim(),
  },
  palette: { kind: "value", unread: true, arg: "PALETTE", read: text, otherwise: undefined, help: "no effect: there are no colors" },
  rcs: { kind: "switch", short: "n", help: "print what RCS keeps" },
  recursive: { kind: "switch", short: "r", help: "compare directories with all below them" },
  reportIdentical: { kind: "switch", short: "s", long: "report-identical-files", help: "say when two files are the same" },
  mergeAssist: {
    kind: "refused",
    long: "sdiff-merge-assist",
    help: "print what sdiff asks for",
    reason: "it is for sdiff, which asks questions on a terminal",
    suggestion: (rest) => `diff -y ${rest.join(" ")}`.trim(),
  },
  functionC: { kind: "switch", short: "p", long: "show-c-function", help: "show which C function a change is in" },
  functionLine: {
    kind: "value",
    short: "F",
    long: "show-function-line",
    arg: "RE",
    read: text,
    otherwise: undefined,
    help: "show the last line above a change that matches RE",
  },
  sideBySide: { kind: "switch", short: "y", help: "print both files beside each other" },
  speedLarge: { kind: "switch", short: "H", long: "speed-large-files", help: "expect large files with many small changes" },
  startingFile: { kind: "value", short: "S", arg: "FILE", read: text, otherwise: undefined, help: "in directories begin with FILE" },
  stripCr: { kind: "switch", long: "strip-trailing-cr", help: "drop a carriage return at the end of a line" },
  suppressBlankEmpty: { kind: "switch", help: "print no space before an empty line" },
  suppressCommon: { kind: "switch", long: "suppress-common-lines", help: "with -y: leave common lines out" },
  tabSize: {
    kind: "value",
    long: "tabsize",
    arg: "NUM",
    read: text,
    otherwise: undefined,
    help: "tab stops every NUM columns (default 8)",
  },
  asText: { kind: "switch", short: "a", long: "text", help: "take all files as text" },
  toFile: { kind: "path", arg: "FILE2", access: "read", help: "compare all operands to FILE2" },
  unchangedGroupFormat: { kind: "value", arg: "GFMT", read: text, otherwise: undefined, help: "how common lines are printed, as a group" },
  unchangedLineFormat: { kind: "value", arg: "LFMT", read: text, otherwise: undefined, help: "how each common line is printed" },
  newFirstFile: { kind: "switch", short: "P", long: "unidirectional-new-file", help: "take absent first files as empty" },
  unifiedLong: {
    kind: "value",
    long: "unified",
    arg: "NUM",
    read: text,
    ifBare: undefined,
    otherwise: undefined,
    help: "as -u, or -U NUM",
  },
  width: { kind: "value", short: "W", arg: "NUM", read: text, otherwise: undefined, help: "with -y: NUM columns (default 130)" },
  context: { kind: "value", short: "C", long: false, arg: "NUM", read: text, otherwise: undefined, help: "as -c with NUM lines" },
  contextPlain: { kind: "switch", short: "c", long: false, help: "print 3 lines of context, old and new apart" },
  digits: { kind: "switch", short: "0123456789", long: false, help: "old form of the number of context lines: -u -5" },
  obsolete: { kind: "switch", short: "h", long: false, unread: true, help: "no effect" },
  unified: { kind: "value", short: "U", long: false, arg: "NUM", read: text, otherwise: undefined, help: "as -u with NUM lines" },
  unifiedPlain: { kind: "switch", short: "u", long: false, help: "print 3 lines of context, old and new together" },
  version: {
    kind: "refused",
    short: "v",
    long: false,
    help: "print the version",
    reason: "only the long form is taken here",
  },
} as const satisfies FlagTable;

export const diff = defineBuiltin({
  name: "diff",
  summary: "Compare files line by line, and directories file by file.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/diff.html",
  reference: "GNU diffutils 3.8",
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  looksAt: "below",
  usageExit: 2,
  usageHint: (name) => `${name}: Try '${name} --help' for more information.\n`,
  silence: { 0: "found no difference" },
  examples: [
    { command: "diff a b", files: { a: "1\n2\n", b: "1\n3\n" }, stdout: "2c2\n< 2\n---\n> 3\n", exit: 1 },
    {
      command: "diff -u --label a --label b a b",
      files: { a: "1\n2\n", b: "1\n3\n" },
      stdout: "--- a\n+++ b\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n",
      exit: 1,
    },
    {
      command: "diff -rq x y",
      files: { "x/f": "1\n", "y/f": "2\n", "y/g": "" },
      stdout: "Files x/f and y/f differ\nOnly in y: g\n",
      exit: 1,
    },
    { command: "sort b | diff a -", files: { a: "1\n2\n", b: "2\n1\n" }, stdout: "", note: "- is standard input" },
  ],
  deviations: [
    { from: "GNU diff", what: "--color=always is refused", why: "what reads the output here is no terminal" },
    {
      from: "GNU diff",
      what: "a comparison holds both files; past the limit for held bytes it stops",
      why: "memory is bounded here",
    },
    {
      from: "GNU diff",
      what: "a mistake in the flags is told of before a file of --exclude-from that cannot be read",
      why: "no file is opened before all arguments are known to be right",
    },
    {
      from: "GNU diff",
      what: "with --from-file and --to-file each comparison with standard input is with the same text",
      why: "GNU diff closes it after the first, and can then not read it",
    },
  ],
  check({ operands, flags, flagArguments, occurrences, name }) {
    readSettings(occurrences);
    if (flags.fromFile !== undefined && flags.toFile !== undefined) {
      throw new UsageError("bad-value", "--from-file and --to-file both specified");
    }
    if (flags.fromFile !== undefined || flags.toFile !== undefined) return;
    if (operands.length > 2) {
      const extra = operands[2] as string;
      throw new UsageError("extra-operand", `extra operand '${extra}'`, { subject: extra, pointsToHelp: true });
    }
    if (operands.length < 2) {
      const before = operands[0] ?? flagArguments.at(-1) ?? name;
      throw new UsageError("missing-operand", `missing operand after '${before}'`, { pointsToHelp: true });
    }
  },
  async *run(invocation) {
    const { flags, operands } = invocation;
    let excludes: Glob[];
    try {
      excludes = await excludePatterns(invocation);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      invocation.warn(`${thrown.path}: ${thrown.message}`);
      return 2;
    }
    const settings: PairSettings = {
      recursive: flags.recursive,
      newFile: flags.newFile,
      newFirstFile: flags.newFirstFile,
      noDereference: flags.noDereference,
      brief: flags.brief,
      reportIdentical: flags.reportIdentical,
      asText: flags.asText,
      ignoreNameCase: flags.ignoreFileNameCase,
      excludes,
      startingFile: typeof flags.startingFile === "string" ? flags.startingFile : undefined,
      diff: readSettings(invocation.occurrences),
    };
    const comparison = new PairComparison(invocation, settings, invocation.flagArguments);
    let exit = 0;
    const { format } = settings.diff;
    const mark = flags.color === "never" || (format !== "normal" && format !== "unified") ? undefined : invocation.colourMark;
    for (const [first, second] of pairs(flags, operands)) {
      const plain = comparison.operands(first, second);
      const status = yield* mark === undefined ? plain : withColours(plain, format === "unified" ? format : "normal", mark);
      exit = Math.max(exit, status);
      if (comparison.hasGivenUp) break;
    }
    return exit;
  },
});

function pairs(
  { fromFile, toFile }: { readonly fromFile: string | undefined; readonly toFile: string | undefined },
  operands: readonly string[],
): (readonly [string, string])[] {
  if (fromFile !== undefined) return operands.map((operand) => [fromFile, operand]);
  if (toFile !== undefined) return operands.map((operand) => [operand, toFile]);
  return [[operands[0] as string, operands[1] as string]];
}

async function excludePatterns(invocation: Invocation<typeof FLAGS>): Promise<Glob[]> {
  const { flags, limits } = invocation;
  const patterns = [...flags.exclude];
  for (const file of flags.excludeFrom) {
    for await (const block of lineBlocks(openInput(invocation, file), limits.lineBytes)) {
      for (const line of linesOf(block)) patterns.push(toText(line).replace(/[ \t\r\v\f]+$/, ""));
    }
  }
  return patterns.filter((pattern) => pattern !== "").map((pattern) => compileFnmatch(pattern));
}

function readColor(when: string): "never" | "auto" {
  if (when === "never" || when === "auto") return when;
  if (when === "always") throw new UsageError("refused-flag", "--color=always: nothing here is a terminal");
  throw badUsage(`invalid color '${when}'`);
}
