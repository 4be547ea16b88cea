/** The flags of GNU grep 3.8. */
import type { FlagTable } from "../../src/builtin/definition.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";

export const flags = {
  extendedRegexp: { kind: "switch", short: "E", help: "patterns are extended regular expressions" },
  fixedStrings: { kind: "switch", short: "F", help: "patterns are strings" },
  basicRegexp: { kind: "switch", short: "G", help: "patterns are basic regular expressions (default)" },
  perlRegexp: { kind: "switch", short: "P", help: "patterns are Perl regular expressions" },
  regexp: {
    kind: "value",
    short: "e",
    arg: "PATTERNS",
    read: text,
    otherwise: undefined,
    repeats: true,
    help: "use PATTERNS for matching",
  },
  file: { kind: "path", short: "f", arg: "FILE", access: "read", repeats: true, help: "take patterns from FILE, one per line" },
  ignoreCase: { kind: "switch", short: "iy", overrides: ["noIgnoreCase"], help: "ignore case distinctions in patterns and data" },
  noIgnoreCase: { kind: "switch", overrides: ["ignoreCase"], help: "do not ignore case distinctions (default)" },
  wordRegexp: { kind: "switch", short: "w", help: "match only whole words" },
  lineRegexp: { kind: "switch", short: "x", help: "match only whole lines" },
  nullData: { kind: "switch", short: "z", help: "a data line ends in 0 byte, not newline" },
  noMessages: { kind: "switch", short: "s", help: "suppress error messages about files" },
  invertMatch: { kind: "switch", short: "v", help: "select non-matching lines" },
  maxCount: { kind: "value", short: "m", arg: "NUM", read: maxCount, otherwise: Infinity, help: "stop after NUM selected lines" },
  byteOffset: { kind: "switch", short: "b", help: "print the byte offset with output lines" },
  unixByteOffsets: { kind: "switch", short: "u", help: "obsolete; has no effect" },
  lineNumber: { kind: "switch", short: "n", help: "print line number with output lines" },
  lineBuffered: { kind: "switch", help: "flush output on every line (no effect here: output is gathered in blocks)" },
  withFilename: { kind: "switch", short: "H", overrides: ["noFilename"], help: "print file name with output lines" },
  noFilename: { kind: "switch", short: "h", overrides: ["withFilename"], help: "suppress the file name prefix on output" },
  label: {
    kind: "value",
    arg: "LABEL",
    read: text,
    otherwise: "(standard input)",
    help: "use LABEL as the standard input file name prefix",
  },
  onlyMatching: { kind: "switch", short: "o", help: "show only nonempty parts of lines that match" },
  quiet: { kind: "switch", short: "q", long: ["quiet", "silent"], help: "suppress all normal output" },
  binaryFiles: {
    kind: "value",
    arg: "TYPE",
    read: binaryFiles,
    otherwise: "binary",
    overrides: ["text", "skipBinary"],
    help: "assume that binary files are TYPE: binary, text, or without-match",
  },
  text: { kind: "switch", short: "a", overrides: ["binaryFiles", "skipBinary"], help: "equivalent to --binary-files=text" },
  skipBinary: {
    kind: "switch",
    short: "I",
    long: false,
    overrides: ["binaryFiles", "text"],
    help: "equivalent to --binary-files=without-match",
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
  devices: {
    kind: "value",
    short: "D",
    arg: "ACTION",
    read: devices,
    otherwise: undefined,
    help: "how to handle devices, FIFOs and sockets: read or skip",
  },
  recursive: { kind: "switch", short: "r", overrides: ["directories", "dereferenceRecursive"], help: "like --directories=recurse" },
  dereferenceRecursive: {
    kind: "switch",
    short: "R",
    overrides: ["directories", "recursive"],
    help: "likewise, but follow all symbolic links",
  },
  include: { kind: "value", arg: "GLOB", read: text, otherwise: undefined, repeats: true, help: "search only files that match GLOB" },
  exclude: { kind: "value", arg: "GLOB", read: text, otherwise: undefined, repeats: true, help: "skip files that match GLOB" },
  excludeFrom: { kind: "path", arg: "FILE", access: "read", repeats: true, help: "skip files that match any pattern from FILE" },
  excludeDir: { kind: "value", arg: "GLOB", read: text, otherwise: undefined, repeats: true, help: "skip directories that match GLOB" },
  filesWithoutMatch: {
    kind: "switch",
    short: "L",
    overrides: ["filesWithMatches"],
    help: "print only names of files with no selected lines",
  },
  filesWithMatches: { kind: "switch", short: "l", overrides: ["filesWithoutMatch"], help: "print only names of files with selected lines" },
  count: { kind: "switch", short: "c", help: "print only a count of selected lines per file" },
  initialTab: { kind: "switch", short: "T", help: "make tabs line up (if needed)" },
  null: { kind: "switch", short: "Z", help: "print 0 byte after file name" },
  beforeContext: {
    kind: "value",
    short: "B",
    arg: "NUM",
    read: contextLength,
    otherwise: undefined,
    help: "print NUM lines of leading context",
  },
  afterContext: {
    kind: "value",
    short: "A",
    arg: "NUM",
    read: contextLength,
    otherwise: undefined,
    help: "print NUM lines of trailing context",
  },
  context: {
    kind: "value",
    short: "C",
    arg: "NUM",
    read: contextLength,
    otherwise: undefined,
    help: "print NUM lines of output context; -NUM is the same",
  },
  groupSeparator: {
    kind: "value",
    arg: "SEP",
    read: text,
    otherwise: "--",
    overrides: ["noGroupSeparator"],
    help: "print SEP on a line between matches with context",
  },
  noGroupSeparator: { kind: "switch", overrides: ["groupSeparator"], help: "do not print a separator for matches with context" },
  color: {
    kind: "value",
    long: ["color", "colour"],
    arg: "WHEN",
    read: color,
    otherwise: "never",
    ifBare: "auto",
    help: "mark matching strings: always, never, or auto (output is never a terminal here: auto is never)",
  },
  binary: { kind: "switch", short: "U", help: "do not strip CR characters at end of line (has no effect on Unix)" },
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
  if (!/^\s*\+?[0-9]+$/.test(value)) throw new BadValue(`${value}: invalid context length argument`);
  return Number(value);
}

function maxCount(value: string): number {
  if (!/^\s*[-+]?[0-9]+$/.test(value)) throw new BadValue("invalid max count");
  const count = Number(value);
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
  throw new BadValue(
    `invalid argument \u2018${value}\u2019 for \u2018--directories\u2019\nValid arguments are:\n  - \u2018read\u2019\n  - \u2018recurse\u2019\n  - \u2018skip\u2019`,
    { pointsToHelp: true, exit: 1 },
  );
}

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
