/** The flags of tree 2.1, one table, in the order of its help. */
import { quoteWord } from "../../src/display/quote.ts";
import type { FlagTable } from "../../src/builtin/definition.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";
import { atoi, strtol } from "../../src/numbers/strtol.ts";

const text = (value: string): string => value;
const without = (rest: readonly string[]): string => ["tree", ...rest].join(" ");

export const SORTS = ["name", "version", "size", "mtime", "ctime"] as const;
type Sort = (typeof SORTS)[number];

/** Any beginning of a word will do. */
function sort(value: string): Sort {
  const found = SORTS.find((word) => value !== "" && word.startsWith(value.toLowerCase()));
  if (found === undefined) throw new BadValue(`Sort type '${value}' not valid, should be one of: ${SORTS.join(",")}`);
  return found;
}

function level(value: string): number {
  const number = Number(strtol(value, 0)?.value ?? 0n);
  if (!(number > 0)) throw new BadValue("Invalid level, must be greater than 0.");
  return number;
}

function charset(value: string): string {
  if (!/^(utf-?8|(us-)?ascii)$/i.test(value)) throw new BadValue(`lines are drawn in UTF-8 or ASCII here, not in ${value}`);
  return value;
}

const html = {
  kind: "refused",
  reason: "HTML is not made here",
  suggestion: (rest: readonly string[]): string => ["tree", "-J", ...rest].join(" "),
  help: "(refused)",
} as const;

const lines = { kind: "refused", reason: "lines are drawn in UTF-8 or ASCII here", suggestion: without, help: "(refused)" } as const;

export const flags = {
  all: { kind: "switch", short: "a", long: false, help: "all files are listed" },
  directories: { kind: "switch", short: "d", long: false, help: "list directories only" },
  follow: { kind: "switch", short: "l", long: false, help: "follow symbolic links like directories" },
  fullPath: { kind: "switch", short: "f", long: false, help: "print the full path prefix for each file" },
  oneFileSystem: { kind: "switch", short: "x", long: false, help: "stay on the current file system only" },
  level: {
    kind: "value",
    short: "L",
    long: false,
    arg: "level",
    read: level,
    otherwise: undefined,
    help: "descend only level directories deep",
  },
  rerun: {
    kind: "refused",
    short: "R",
    long: false,
    reason: "it writes an HTML page into every directory at the last level",
    suggestion: without,
    help: "(refused)",
  },
  pattern: {
    kind: "value",
    short: "P",
    long: false,
    arg: "pattern",
    read: text,
    otherwise: undefined,
    repeats: true,
    help: "list only those files that match the pattern",
  },
  ignore: {
    kind: "value",
    short: "I",
    long: false,
    arg: "pattern",
    read: text,
    otherwise: undefined,
    repeats: true,
    help: "do not list files that match the pattern",
  },
  gitignore: { kind: "switch", help: "filter by .gitignore files" },
  gitfile: { kind: "path", arg: "file", access: "read", help: "read this gitignore file" },
  ignoreCase: { kind: "switch", help: "ignore case in patterns" },
  matchdirs: { kind: "switch", help: "include directory names in -P pattern matching" },
  metafirst: { kind: "switch", help: "print meta-data at the beginning of each line" },
  prune: { kind: "switch", help: "leave empty directories out" },
  info: { kind: "refused", reason: ".info files are not read here", suggestion: without, help: "(refused)" },
  infofile: { kind: "refused", arg: "file", reason: ".info files are not read here", suggestion: without, help: "(refused)" },
  noreport: { kind: "switch", help: "leave out the count at the end" },
  charset: {
    kind: "value",
    arg: "X",
    read: charset,
    otherwise: undefined,
    help: "draw lines in UTF-8 (default) or ASCII",
  },
  filelimit: {
    kind: "value",
    arg: "#",
    read: atoi,
    otherwise: 0,
    help: "do not descend directories with more than # files in them",
  },
  output: {
    kind: "refused",
    short: "o",
    long: false,
    arg: "filename",
    reason: "tree writes no files here: tee does, and records them",
    suggestion: (rest: readonly string[], value: string | undefined) => `${without(rest)} | tee ${quoteWord(value ?? "FILE")} >/dev/null`,
    lost: "the file is made last, so it is not in the tree",
    help: "(refused)",
  },
  question: { kind: "switch", short: "q", long: false, help: "print non-printable characters as '?'" },
  literal: { kind: "switch", short: "N", long: false, help: "print non-printable characters as is" },
  quote: { kind: "switch", short: "Q", long: false, help: "quote file names with double quotes" },
  permissions: { kind: "switch", short: "p", long: false, help: "print the protections for each file" },
  user: { kind: "switch", short: "u", long: false, help: "print the owner or user id of each file" },
  group: { kind: "switch", short: "g", long: false, help: "print the group or group id of each file" },
  size: { kind: "switch", short: "s", long: false, help: "print the size in bytes of each file" },
  human: { kind: "switch", short: "h", long: false, help: "print the size in a more human readable way" },
  si: { kind: "switch", help: "as -h, in powers of 1000" },
  du: { kind: "switch", help: "compute the size of directories by their contents" },
  date: { kind: "switch", short: "D", long: false, help: "print the date of last modification or (-c) status change" },
  timefmt: { kind: "value", arg: "format", read: text, otherwise: undefined, help: "print and format time by this format" },
  classify: { kind: "switch", short: "F", long: false, help: "append '/', '=', '*', '|' as ls -F does" },
  inodes: { kind: "switch", help: "print the inode number of each file" },
  device: { kind: "switch", help: "print the device number of each file" },
  byVersion: { kind: "switch", short: "v", long: false, help: "sort by version" },
  byTime: { kind: "switch", short: "t", long: false, help: "sort by last modification" },
  byChange: { kind: "switch", short: "c", long: false, help: "sort by last status change" },
  unsorted: { kind: "switch", short: "U", long: false, help: "leave files unsorted" },
  reverse: { kind: "switch", short: "r", long: false, help: "reverse the order" },
  dirsfirst: { kind: "switch", overrides: ["filesfirst"], help: "directories before files" },
  filesfirst: { kind: "switch", overrides: ["dirsfirst"], help: "files before directories" },
  sort: { kind: "value", arg: "X", read: sort, otherwise: undefined, help: "sort by name, version, size, mtime or ctime" },
  noIndent: { kind: "switch", short: "i", long: false, help: "do not print indentation lines" },
  ansi: { ...lines, short: "A", long: false },
  cp437: { ...lines, short: "S", long: false },
  noColor: { kind: "switch", short: "n", long: false, unread: true, help: "no effect: there are no colours" },
  color: {
    kind: "refused",
    short: "C",
    long: false,
    reason: "there is no terminal here that would show colours",
    suggestion: without,
    help: "(refused)",
  },
  xml: { kind: "switch", short: "X", long: false, overrides: ["json"], help: "print XML" },
  json: { kind: "switch", short: "J", long: false, overrides: ["xml"], help: "print JSON" },
  html: { ...html, short: "H", long: false, arg: "baseHREF" },
  title: { ...html, short: "T", long: false, arg: "string" },
  nolinks: html,
  hintro: { ...html, arg: "X" },
  houtro: { ...html, arg: "X" },
  fromfile: {
    kind: "refused",
    reason: "only directories are listed here",
    suggestion: without,
    help: "(refused)",
  },
  fflinks: { kind: "refused", reason: "it belongs to --fromfile", suggestion: without, help: "(refused)" },
} as const satisfies FlagTable;
