/** The flags of GNU tar 1.34: those that a reader of archives has, and those that are refused by name. */
import type { FlagTable, RefusedFlag, SwitchFlag } from "../../src/builtin/definition.ts";
import { namedFlags, takesValue } from "../../src/builtin/flag-names.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";

const WRITES = "no archive is written or changed here: tar lists members (-t) and prints them (-xO)";
const refused = (help: string, reason: string, more: Partial<RefusedFlag> = {}): RefusedFlag => ({
  kind: "refused",
  help,
  reason,
  ...more,
});
const writes = (help: string, short?: string, long?: readonly string[]): RefusedFlag =>
  refused(help, WRITES, { ...(short === undefined ? {} : { short }), ...(long === undefined ? {} : { long }) });
const packedBy = (program: string, more: Partial<RefusedFlag>): RefusedFlag =>
  refused(`unpack with ${program}`, `what ${program} packs is not unpacked here, only what gzip does`, more);
const noEffect = (more: Partial<SwitchFlag> = {}): SwitchFlag & { readonly unread: true } => ({
  kind: "switch",
  help: "no effect where no file is written",
  ...more,
  unread: true,
});
const text = (value: string): string => value;

export const FLAGS = {
  list: { kind: "switch", short: "t", counts: true, help: "list the members" },
  extract: { kind: "switch", short: "x", long: ["extract", "get"], help: "with -O: print the members" },
  toStdout: { kind: "switch", short: "O", help: "print members to standard output" },
  file: { kind: "path", short: "f", arg: "ARCHIVE", access: "read", repeats: true, help: "read ARCHIVE (-: standard input)" },
  gzip: { kind: "switch", short: "z", long: ["gzip", "gunzip", "ungzip"], help: "unpack with gzip; where it is a file, that is found out" },
  verbose: { kind: "switch", short: "v", counts: true, help: "print what ls -l has; with -x, names to standard error" },
  directory: { kind: "path", short: "C", arg: "DIR", access: "status", repeats: true, help: "no effect, but that DIR must be there" },
  absoluteNames: { kind: "switch", short: "P", help: "say nothing of names with / in front or .. in them" },
  ignoreZeros: { kind: "switch", short: "i", help: "go on behind blocks of zeros" },
  fullTime: { kind: "switch", help: "print times to their full resolution" },
  utc: { kind: "switch", help: "print times in UTC, as -v does" },
  numericOwner: { kind: "switch", help: "print numbers of users and groups" },
  stripComponents: {
    kind: "value",
    arg: "NUMBER",
    read: componentCount,
    otherwise: 0,
    help: "with -x: leave out members that have no more components",
  },
  exclude: { kind: "value", arg: "PATTERN", read: text, otherwise: "", repeats: true, help: "leave out members that match PATTERN" },
  wildcards: { kind: "switch", help: "operands behind it are patterns" },
  noWildcards: { kind: "switch", help: "names and patterns behind it are literal" },
  anchored: { kind: "switch", help: "names and patterns behind it match from the start" },
  noAnchored: { kind: "switch", help: "names and patterns behind it match from any component on" },
  ignoreCase: { kind: "switch", help: "names and patterns behind it match in either case" },
  noIgnoreCase: { kind: "switch", help: "names and patterns behind it match in their case" },
  wildcardsMatchSlash: { kind: "switch", help: "wildcards behind it match a slash" },
  noWildcardsMatchSlash: { kind: "switch", help: "wildcards behind it match no slash" },
  recursion: { kind: "switch", help: "names behind it stand for what is below them as well" },
  noRecursion: { kind: "switch", help: "names behind it stand for themselves alone" },
  warning: {
    kind: "value",
    arg: "KEYWORD",
    read: warningKeyword,
    otherwise: "",
    repeats: true,
    help: "print warnings of this kind, or with no- in front none",
  },
  forceLocal: { kind: "switch", help: "an archive's name may have a colon" },

  keepOldFiles: noEffect({ short: "k" }),
  touch: noEffect({ short: "m" }),
  preservePermissions: noEffect({ short: "p", long: ["preserve-permissions", "same-permissions"] }),
  noSamePermissions: noEffect(),
  sameOwner: noEffect(),
  noSameOwner: noEffect(),
  oldOwner: noEffect({ short: "o", long: false }),
  sparse: noEffect({ short: "S" }),
  seek: noEffect({ short: "n" }),
  noSeek: noEffect(),
  readFullRecords: noEffect({ short: "B" }),
  autoCompress: noEffect({ short: "a" }),
  noAutoCompress: noEffect(),
  overwrite: noEffect(),

  create: writes("make an archive", "c"),
  append: writes("append files", "r"),
  update: writes("append newer files", "u"),
  concatenate: writes("append archives", "A", ["concatenate", "catenate"]),
  delete: writes("delete members"),
  compare: refused("compare an archive with files", "a member is compared with cmp or diff, of what -xO prints", {
    short: "d",
    long: ["compare", "diff"],
  }),
  testLabel: refused("print the label", "tar -tv shows it"),
  bzip2: packedBy("bzip2", { short: "j" }),
  xz: packedBy("xz", { short: "J" }),
  compress: packedBy("compress", { short: "Z", long: ["compress", "uncompress"] }),
  lzip: packedBy("lzip", {}),
  lzma: packedBy("lzma", {}),
  lzop: packedBy("lzop", {}),
  zstd: packedBy("zstd", {}),
  useCompressProgram: refused("unpack with PROG", "no program is ever started", { short: "I", arg: "PROG" }),
  toCommand: refused("give members to a command", "no program is ever started; tar -xO prints them to a pipe", { arg: "COMMAND" }),
  filesFrom: refused("read names from FILE", "names are operands", { short: "T", arg: "FILE", suggestion: readsNames }),
  excludeFrom: refused("read patterns from FILE", "each pattern has an --exclude of its own", { short: "X", arg: "FILE" }),
  blockNumber: refused("print block numbers", "members are told apart by their names", { short: "R" }),
  blockingFactor: refused("read so many blocks at a time", "it changes nothing here", { short: "b", arg: "BLOCKS" }),
  recordSize: refused("read so many bytes at a time", "it changes nothing here", { arg: "BYTES" }),
  multiVolume: refused("read several volumes", "an archive is one file here", { short: "M" }),
  tapeLength: refused("length of a tape", WRITES, { short: "L", arg: "N" }),
  incremental: refused("old incremental format", "its lists of names are not shown here", { short: "G" }),
  listedIncremental: refused("new incremental format", "it writes a snapshot", { short: "g", arg: "FILE" }),
  interactive: refused("ask for each member", "nobody is here to answer", { short: "w", long: ["interactive", "confirmation"] }),
  dereference: refused("follow symbolic links", WRITES, { short: "h" }),
  verify: refused("verify what was written", WRITES, { short: "W" }),
  startingFile: refused("begin at MEMBER", "sed -n '/^MEMBER$/,$p' does so with a list", { short: "K", arg: "MEMBER" }),
  newer: refused("members newer than DATE", "tar -tv shows the times", { short: "N", long: ["newer", "after-date"], arg: "DATE" }),
  newerMtime: refused("members newer than DATE", "tar -tv shows the times", { arg: "DATE" }),
  label: refused("the archive's label", WRITES, { short: "V", arg: "TEXT" }),
  occurrence: refused("the Nth member of a name alone", "every member of the name is taken", { arg: "N", argOptional: true }),
  transform: refused("change names", "sed changes names in a list", { long: ["transform", "xform"], arg: "EXPRESSION" }),
  showTransformedNames: refused("print changed names", "sed changes names in a list", {
    long: ["show-transformed-names", "show-stored-names"],
  }),
  showOmittedDirs: refused("name directories that are left out", "what is left out is not named"),
  quotingStyle: refused("the style of names", "names are escaped in one style", { arg: "STYLE" }),
  quoteChars: refused("quote further characters", "names are escaped in one style", {
    long: ["quote-chars", "no-quote-chars"],
    arg: "STRING",
  }),
  totals: refused("print the bytes read and their speed", "it tells how fast a disk is", { arg: "SIGNAL", argOptional: true }),
  checkpoint: refused("print progress", "there is no terminal here", { arg: "N", argOptional: true }),
  checkpointAction: refused("act on progress", "no program is ever started", { arg: "ACTION" }),
  indexFile: refused("list into FILE", "tee alone writes files", { arg: "FILE" }),
  null: refused("names end in NUL", "it is about -T, which is not here"),
  excludeVcs: refused("leave out files of version control", "each pattern has an --exclude of its own"),
  removeFiles: writes("remove what was added"),
  format: refused("the format to write", WRITES, { short: "H", arg: "FORMAT" }),
} as const satisfies FlagTable;

function componentCount(value: string): number {
  if (!/^\d{1,18}$/.test(value)) throw new BadValue(`${value}: Invalid number of elements`, { pointsToHelp: true, exit: 2 });
  return Number(value);
}

/** In the order in which tar lists them. */
const WARNING_KEYWORDS = [
  ...["all", "alone-zero-block", "bad-dumpdir", "cachedir", "contiguous-cast", "file-changed", "file-ignored", "file-removed"],
  ...["file-shrank", "file-unchanged", "filename-with-nuls", "ignore-archive", "ignore-newer", "new-directory", "rename-directory"],
  ...["symlink-cast", "timestamp", "unknown-cast", "unknown-keyword", "xdev", "decompress-program", "existing-file", "xattr-write"],
  ...["record-size", "failed-read"],
];

function warningKeyword(value: string): string {
  if (value === "none" || WARNING_KEYWORDS.includes(value.replace(/^no-/, ""))) return value;
  const list = WARNING_KEYWORDS.map((word) => `\n  - ${quoteCurly(word)}`).join("");
  throw new BadValue(
    `invalid argument ${quoteCurly(value.replace(/^no-/, ""))} for ${quoteCurly("--warning")}\nValid arguments are:${list}`,
    { exit: 2 },
  );
}

function readsNames(rest: readonly string[], list: string | undefined): string {
  return list === undefined ? "tar --help" : `xargs -a ${list} ${["tar", ...rest].join(" ")}`;
}

/** The letters of `FLAGS` that take a value. */
export const LETTERS_WITH_VALUE: ReadonlySet<string> = new Set(
  namedFlags(FLAGS)
    .filter(takesValue)
    .flatMap(({ letters }) => letters),
);
