/** The flags of GNU grep 3.8. */
import type { FlagTable } from "../../src/builtin/definition.ts";
import { scanCount } from "../../src/numbers/counts.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";

export const flags = {
  basicRegexp: { kind: "switch", short: "G", help: "patterns are basic regular expressions (default)" },
  extendedRegexp: { kind: "switch", short: "E", help: "patterns are extended regular expressions" },
  fixedStrings: { kind: "switch", short: "F", long: ["fixed-regexp", "fixed-strings"], help: "patterns are strings" },
  perlRegexp: { kind: "switch", short: "P", help: "patterns are Perl regular expressions" },
  afterContext: {
    kind: "value",
    short: "A",
    arg: "NUM",
    read: contextLength,
    otherwise: undefined,
    help: "print NUM lines of trailing context",
  },
  beforeContext: {
    kind: "value",
    short: "B",
    arg: "NUM",
    read: contextLength,
    otherwise: undefined,
    help: "print NUM lines of leading context",
  },
  binaryFiles: {
    kind: "value",
    arg: "TYPE",
    read: binaryFiles,
    otherwise: "binary",
    overrides: ["text", "skipBinary"],
    help: "assume that binary files are TYPE: binary, text, or without-match",
  },
  lineBuffered: { kind: "switch", unread: true, help: "flush output on every line (no effect here: output is gathered in blocks)" },
  byteOffset: { kind: "switch", short: "b", help: "print the byte offset with output lines" },
  context: {
    kind: "value",
    short: "C",
    arg: "NUM",
    read: contextLength,
    otherwise: undefined,
    help: "print NUM lines of output context; -NUM is the same",
  },
  color: {
    kind: "value",
    long: ["color", "colour"],
    arg: "WHEN",
    read: color,
    otherwise: "auto",
    ifBare: "auto",
    help: "mark matching strings: always, never, or auto (the default: at the prompt of shelpa alone)",
  },
  count: { kind: "switch", short: "c", help: "print only a count of selected lines per file" },
  devices: {
    kind: "value",
    short: "D",
    arg: "ACTION",
    read: devices,
    otherwise: undefined,
    help: "how to handle devices, FIFOs and sockets: read or skip",
  },
  directories: {
    kind: "value",
    short: "d",
    arg: "ACTION",
    read: directories,
    otherwise: "read",
    overrides: ["recursive", "dereferenceRecursive"],
    help: "how to handle directories: read, recurse, or skip",
  },
  exclude: { kind: "value", arg: "GLOB", read: text, otherwise: "", repeats: true, help: "skip files that match GLOB" },
  excludeFrom: { kind: "path", arg: "FILE", access: "read", repeats: true, help: "skip files that match any pattern from FILE" },
  excludeDir: { kind: "value", arg: "GLOB", read: text, otherwise: undefined, repeats: true, help: "skip directories that match GLOB" },
  file: { kind: "path", short: "f", arg: "FILE", access: "read", repeats: true, help: "take patterns from FILE, one per line" },
  filesWithMatches: { kind: "switch", short: "l", overrides: ["filesWithoutMatch"], help: "print only names of files with selected lines" },
  filesWithoutMatch: {
    kind: "switch",
    short: "L",
    overrides: ["filesWithMatches"],
    help: "print only names of files with no selected lines",
  },
  groupSeparator: {
    kind: "value",
    arg: "SEP",
    read: text,
    otherwise: "--",
    overrides: ["noGroupSeparator"],
    help: "print SEP on a line between matches with context",
  },
  include: { kind: "value", arg: "GLOB", read: text, otherwise: "", repeats: true, help: "search only files that match GLOB" },
  ignoreCase: { kind: "switch", short: "iy", overrides: ["noIgnoreCase"], help: "ignore case distinctions in patterns and data" },
  noIgnoreCase: { kind: "switch", overrides: ["ignoreCase"], unread: true, help: "do not ignore case distinctions (default)" },
  initialTab: { kind: "switch", short: "T", help: "make tabs line up (if needed)" },
  label: {
    kind: "value",
    arg: "LABEL",
    read: text,
    otherwise: "(standard input)",
    help: "use LABEL as the standard input file name prefix",
  },
  lineNumber: { kind: "switch", short: "n", help: "print line number with output lines" },
  lineRegexp: { kind: "switch", short: "x", help: "match only whole lines" },
  maxCount: { kind: "value", short: "m", arg: "NUM", read: maxCount, otherwise: Infinity, help: "stop after NUM selected lines" },
  noFilename: { kind: "switch", short: "h", overrides: ["withFilename"], help: "suppress the file name prefix on output" },
  noGroupSeparator: { kind: "switch", overrides: ["groupSeparator"], help: "do not print a separator for matches with context" },
  noMessages: { kind: "switch", short: "s", help: "suppress error messages about files" },
  null: { kind: "switch", short: "Z", help: "print 0 byte after file name" },
  nullData: { kind: "switch", short: "z", help: "a data line ends in 0 byte, not newline" },
  onlyMatching: { kind: "switch", short: "o", help: "show only nonempty parts of lines that match" },
  quiet: { kind: "switch", short: "q", long: ["quiet", "silent"], help: "suppress all normal output" },
  recursive: { kind: "switch", short: "r", overrides: ["directories", "dereferenceRecursive"], help: "like --directories=recurse" },
  dereferenceRecursive: {
    kind: "switch",
    short: "R",
    overrides: ["directories", "recursive"],
    help: "likewise, but follow all symbolic links",
  },
  regexp: {
    kind: "value",
    short: "e",
    arg: "PATTERNS",
    read: text,
    otherwise: "",
    repeats: true,
    help: "use PATTERNS for matching",
  },
  invertMatch: { kind: "switch", short: "v", help: "select non-matching lines" },
  text: { kind: "switch", short: "a", overrides: ["binaryFiles", "skipBinary"], help: "equivalent to --binary-files=text" },
  binary: { kind: "switch", short: "U", unread: true, help: "do not strip CR characters at end of line (has no effect on Unix)" },
  unixByteOffsets: { kind: "switch", short: "u", help: "obsolete; has no effect" },
  withFilename: { kind: "switch", short: "H", overrides: ["noFilename"], help: "print file name with output lines" },
  wordRegexp: { kind: "switch", short: "w", help: "match only whole words" },
  skipBinary: {
    kind: "switch",
    short: "I",
    long: false,
    overrides: ["binaryFiles", "text"],
    help: "equivalent to --binary-files=without-match",
  },
  matcher: {
    kind: "refused",
    short: "X",
    long: false,
    arg: "MATCHER",
    reason: "it is not in the manual; -G, -E, -F and -P choose the kind of pattern",
    suggestion: (rest: readonly string[], value: string | undefined) =>
      rest.length === 0 ? "grep --help" : ["grep", MATCHERS.get(value ?? "") ?? "-E", ...rest].join(" "),
    help: "choose the kind of pattern by its name",
  },
} as const satisfies FlagTable;

/** `-NUM`, which may stand among other letters (`-n5`, `-2in`): rewritten to `-C NUM`. */
export function contextNumber(argument: string): readonly string[] | undefined {
  if (!/^-[^-]*[0-9]/.test(argument)) return undefined;
  let letters = "";
  let digits = "";
  for (let at = 1; at < argument.length; at++) {
    const letter = argument[at] as string;
    if (VALUE_LETTERS.includes(letter)) {
      letters += argument.slice(at);
      break;
    }
    if (letter >= "0" && letter <= "9") digits += letter;
    else letters += letter;
  }
  if (digits === "") return undefined;
  return letters === "" ? [`-C${digits}`] : [`-C${digits}`, `-${letters}`];
}

/** Letters that take the rest of the argument as their value. */
const VALUE_LETTERS = "efmdDABCX";

function text(value: string): string {
  return value;
}

function contextLength(value: string): number {
  const { value: length, problem } = scanCount(value, { suffixes: "" });
  if (problem !== undefined && problem !== "overflow") throw new BadValue(`${value}: invalid context length argument`);
  return Number(length);
}

function maxCount(value: string): number {
  const { value: number, problem } = scanCount(value, { suffixes: "", signed: true });
  if (problem !== undefined && problem !== "overflow") throw new BadValue("invalid max count");
  const count = Number(number);
  return count < 0 ? Infinity : count;
}

function binaryFiles(value: string): "binary" | "text" | "without-match" {
  if (value === "binary" || value === "text" || value === "without-match") return value;
  throw new BadValue("unknown binary-files type");
}

function directories(value: string): "read" | "recurse" | "skip" {
  if (value === "read" || value === "recurse" || value === "skip") return value;
  const abbreviated = (["read", "recurse", "skip"] as const).filter((action) => value !== "" && action.startsWith(value));
  if (abbreviated.length === 1) return abbreviated[0] as "read";
  const fault = abbreviated.length > 1 ? "ambiguous" : "invalid";
  throw new BadValue(
    `${fault} argument \u2018${value}\u2019 for \u2018--directories\u2019\nValid arguments are:\n  - \u2018read\u2019\n  - \u2018recurse\u2019\n  - \u2018skip\u2019`,
    { pointsToHelp: true, exit: 1 },
  );
}

const MATCHERS: ReadonlyMap<string, string> = new Map([
  ["grep", "-G"],
  ["egrep", "-E"],
  ["awk", "-E"],
  ["fgrep", "-F"],
  ["perl", "-P"],
]);

function devices(value: string): "read" | "skip" {
  if (value === "read" || value === "skip") return value;
  throw new BadValue("unknown devices method");
}

function color(value: string): "always" | "never" | "auto" {
  if (["always", "yes", "force"].includes(value)) return "always";
  if (["never", "no", "none"].includes(value)) return "never";
  if (["auto", "tty", "if-tty"].includes(value)) return "auto";
  throw new BadValue(`unknown color setting: ${value} (always, never or auto)`, { pointsToHelp: true });
}
