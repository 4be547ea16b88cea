/** The flags of fd 10.5, one table, in the order of its help. */
import type { FlagTable } from "../../src/builtin/definition.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";
import { readSize } from "./size.ts";

const text = (value: string): string => value;

/** Rust's usize::from_str, with its words. */
function number(value: string): number {
  const digits = value.replace(/^\+(?=.)/s, "");
  if (value === "") throw new BadValue("cannot parse integer from empty string");
  if (!/^[0-9]+$/.test(digits)) throw new BadValue("invalid digit found in string");
  if (BigInt(digits) > 0xffff_ffff_ffff_ffffn) throw new BadValue("number too large to fit in target type");
  return Number(digits);
}

/** One of `words`; `aliases` are further spellings of some. */
const wordOf =
  <T extends string>(words: readonly T[], aliases: Readonly<Record<string, T>> = {}) =>
  (value: string): T => {
    const found = words.find((word) => word === value) ?? (Object.hasOwn(aliases, value) ? aliases[value] : undefined);
    if (found === undefined) throw new BadValue("");
    return found;
  };

const FILE_TYPES = ["file", "directory", "symlink", "block-device", "char-device", "executable", "empty", "socket", "pipe"] as const;
const TYPE_LETTERS = {
  f: "file",
  d: "directory",
  dir: "directory",
  l: "symlink",
  b: "block-device",
  c: "char-device",
  x: "executable",
  e: "empty",
  s: "socket",
  p: "pipe",
} as const;
const WHEN = ["auto", "always", "never"] as const;

export const flags = {
  hidden: { kind: "switch", short: "H", overrides: ["noHidden"], help: "search hidden files and directories" },
  noHidden: { kind: "switch", overrides: ["hidden", "unrestricted"], unlisted: true, unread: true, help: "undo --hidden" },
  noIgnore: { kind: "switch", short: "I", overrides: ["ignore"], help: "do not respect .gitignore, .ignore and .fdignore files" },
  ignore: { kind: "switch", overrides: ["noIgnore", "unrestricted"], unlisted: true, unread: true, help: "undo --no-ignore" },
  noIgnoreVcs: { kind: "switch", overrides: ["ignoreVcs"], help: "do not respect .gitignore files" },
  ignoreVcs: { kind: "switch", overrides: ["noIgnoreVcs"], unlisted: true, unread: true, help: "undo --no-ignore-vcs" },
  noRequireGit: { kind: "switch", overrides: ["requireGit"], help: "respect .gitignore files also outside a git repository" },
  requireGit: { kind: "switch", overrides: ["noRequireGit"], unlisted: true, unread: true, help: "undo --no-require-git" },
  noIgnoreParent: { kind: "switch", overrides: ["ignoreParent"], help: "do not respect ignore files in parent directories" },
  ignoreParent: { kind: "switch", overrides: ["noIgnoreParent"], unlisted: true, unread: true, help: "undo --no-ignore-parent" },
  noGlobalIgnoreFile: { kind: "switch", unlisted: true, unread: true, help: "no effect: there is no such file here" },
  unrestricted: {
    kind: "switch",
    short: "u",
    counts: true,
    overrides: ["ignore", "noHidden"],
    help: "unrestricted search: --no-ignore --hidden",
  },
  caseSensitive: { kind: "switch", short: "s", overrides: ["ignoreCase"], help: "case-sensitive search (default: smart case)" },
  ignoreCase: { kind: "switch", short: "i", overrides: ["caseSensitive"], help: "case-insensitive search (default: smart case)" },
  glob: { kind: "switch", short: "g", overrides: ["regex"], help: "the pattern is a glob" },
  regex: { kind: "switch", overrides: ["glob"], unread: true, help: "the pattern is a regular expression (default)" },
  fixedStrings: { kind: "switch", short: "F", long: ["fixed-strings", "literal"], help: "the pattern is literal text" },
  exact: { kind: "switch", help: "the pattern is the whole name, literally" },
  and: {
    kind: "value",
    arg: "pattern",
    read: text,
    otherwise: undefined,
    repeats: true,
    takesDash: true,
    help: "a further pattern that must match too",
  },
  absolutePath: { kind: "switch", short: "a", overrides: ["relativePath"], help: "show absolute paths" },
  relativePath: { kind: "switch", overrides: ["absolutePath"], unlisted: true, unread: true, help: "undo --absolute-path" },
  listDetails: { kind: "switch", short: "l", help: "list the results as 'ls -l -h -d' does" },
  follow: {
    kind: "switch",
    short: "L",
    long: ["follow", "dereference"],
    overrides: ["noFollow"],
    help: "follow symbolic links, as far as they stay below the root",
  },
  noFollow: { kind: "switch", overrides: ["follow"], unlisted: true, unread: true, help: "undo --follow" },
  fullPath: { kind: "switch", short: "p", help: "match the whole absolute path (default: the name only)" },
  print0: { kind: "switch", short: "0", help: "a null byte after each result" },
  maxDepth: {
    kind: "value",
    short: "d",
    long: ["max-depth", "maxdepth"],
    arg: "depth",
    read: number,
    otherwise: undefined,
    help: "go no deeper than this",
  },
  minDepth: {
    kind: "value",
    long: ["min-depth", "mindepth"],
    arg: "depth",
    read: number,
    otherwise: undefined,
    help: "show nothing above this depth",
  },
  exactDepth: { kind: "value", arg: "depth", read: number, otherwise: undefined, help: "show this depth only" },
  exclude: {
    kind: "value",
    short: "E",
    arg: "glob",
    read: text,
    otherwise: undefined,
    repeats: true,
    help: "leave out what matches this glob, and what is below it",
  },
  prune: { kind: "switch", help: "do not enter directories that match" },
  type: {
    kind: "value",
    short: "t",
    arg: "filetype",
    read: wordOf(FILE_TYPES, TYPE_LETTERS),
    otherwise: undefined,
    repeats: true,
    words: FILE_TYPES,
    help: "only files of this type: f, d, l, s, p, b, c; x (executable), e (empty)",
  },
  extension: {
    kind: "value",
    short: "e",
    arg: "ext",
    read: text,
    otherwise: undefined,
    repeats: true,
    help: "only names with this extension",
  },
  size: {
    kind: "value",
    short: "S",
    arg: "size",
    read: readSize,
    otherwise: undefined,
    repeats: true,
    takesDash: true,
    help: "only files of this size: +10k, -1mi, 5b",
  },
  changedWithin: {
    kind: "value",
    long: ["changed-within", "change-newer-than", "newer", "changed-after"],
    arg: "date|dur",
    read: text,
    otherwise: undefined,
    help: "only what was modified after this: 2weeks, 10h, 2018-10-27 10:00:00, @1707723412",
  },
  changedBefore: {
    kind: "value",
    long: ["changed-before", "change-older-than", "older"],
    arg: "date|dur",
    read: text,
    otherwise: undefined,
    help: "only what was modified before this",
  },
  owner: {
    kind: "value",
    short: "o",
    arg: "user:group",
    read: text,
    otherwise: undefined,
    help: "only what belongs to them; '!' in front of either: not to them",
  },
  format: {
    kind: "value",
    arg: "fmt",
    read: text,
    otherwise: undefined,
    takesDash: true,
    help: "print this for each result; {} {/} {//} {.} {/.} are replaced",
  },
  exec: { kind: "command", short: "x", arg: "cmd", until: ";", help: "run a builtin for each result; placeholders as in --format" },
  execBatch: { kind: "command", short: "X", arg: "cmd", until: ";", help: "run a builtin once with all results" },
  batchSize: {
    kind: "value",
    arg: "size",
    read: number,
    otherwise: 0,
    help: "at most this many results for one -X command (default: 0, no limit)",
  },
  ignoreFile: { kind: "path", arg: "path", access: "read", repeats: true, help: "a further ignore file, of low precedence" },
  color: {
    kind: "value",
    short: "c",
    arg: "when",
    read: wordOf(WHEN),
    otherwise: "auto",
    words: WHEN,
    help: "never; auto means the same here, and always is refused",
  },
  hyperlink: {
    kind: "value",
    long: ["hyperlink", "hyper"],
    arg: "when",
    read: wordOf(WHEN),
    ifBare: "auto",
    otherwise: "never",
    words: WHEN,
    help: "never; auto means the same here, and always is refused",
  },
  ignoreContain: {
    kind: "value",
    arg: "name",
    read: text,
    otherwise: undefined,
    repeats: true,
    help: "leave out directories that contain this name",
  },
  threads: {
    kind: "value",
    short: "j",
    arg: "num",
    otherwise: undefined,
    unread: true,
    help: "no effect: one thread searches, so that the order is always the same",
    read(value: string) {
      const count = number(value);
      if (count === 0) throw new BadValue("number would be zero for non-zero type");
      return count;
    },
  },
  maxBufferTime: {
    kind: "value",
    arg: "MAX_BUFFER_TIME",
    read: number,
    otherwise: undefined,
    unlisted: true,
    unread: true,
    help: "no effect: nothing waits here",
  },
  maxResults: { kind: "value", arg: "count", read: number, otherwise: undefined, overrides: ["one"], help: "stop after this many results" },
  one: { kind: "switch", short: "1", long: false, overrides: ["maxResults"], help: "stop after one result" },
  quiet: { kind: "switch", short: "q", long: ["quiet", "has-results"], help: "print nothing; exit 0 if there is a result, else 1" },
  showErrors: { kind: "switch", help: "say which files could not be read" },
  baseDirectory: { kind: "path", short: "C", arg: "path", access: "read", help: "search from this directory" },
  pathSeparator: { kind: "value", arg: "separator", read: text, otherwise: undefined, help: "show this in the place of '/'" },
  searchPath: { kind: "path", arg: "search-path", access: "read", repeats: true, help: "a directory to search, in the place of operands" },
  stripCwdPrefix: {
    kind: "value",
    arg: "when",
    read: wordOf(WHEN),
    ifBare: "always",
    otherwise: undefined,
    words: WHEN,
    help: "whether './' is taken off (default: not with -0, -x and -X)",
  },
  oneFileSystem: { kind: "switch", long: ["one-file-system", "mount", "xdev"], help: "stay on one file system" },
  genCompletions: {
    kind: "refused",
    arg: "shell",
    argOptional: true,
    unlisted: true,
    reason: "there is no shell here that completes",
    help: "(refused)",
  },
} as const satisfies FlagTable;
