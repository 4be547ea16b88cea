/** The flags of ls. */
import type { FlagTable } from "../../src/builtin/definition.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";
import { wordReader } from "../../src/builtin/word-choice.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { QUOTING_STYLES, type QuotingStyle } from "../../src/display/quoting-style.ts";
import { readBlockSize } from "../../src/numbers/block-size.ts";
import { scanCount } from "../../src/numbers/counts.ts";
import { KIBIBYTES } from "../../src/numbers/size-format.ts";

const WHEN = { always: ["always", "yes", "force"], never: ["never", "no", "none"], auto: ["auto", "tty", "if-tty"] } as const;

export const flags = {
  all: { kind: "switch", short: "a", help: "do not ignore entries starting with ." },
  almostAll: { kind: "switch", short: "A", help: "do not list implied . and .." },
  author: { kind: "switch", help: "with -l, print the author of each file" },
  escape: { kind: "switch", short: "b", help: "print C-style escapes for nongraphic characters" },
  blockSize: {
    kind: "value",
    arg: "SIZE",
    read: (text) => readBlockSize(text),
    otherwise: KIBIBYTES,
    help: "scale sizes by SIZE when printing them: K, M, KB, human-readable",
  },
  ignoreBackups: { kind: "switch", short: "B", help: "do not list implied entries ending with ~" },
  changeTime: { kind: "switch", short: "c", long: false, help: "with -l show, else sort by, the time of last change of status" },
  columns: { kind: "switch", short: "C", long: false, help: "list entries by columns" },
  color: {
    kind: "value",
    arg: "WHEN",
    read: wordReader("--color", WHEN),
    otherwise: "never",
    ifBare: "always",
    help: "color the output: always, auto (at the prompt of shelpa alone), never",
  },
  directory: { kind: "switch", short: "d", help: "list directories themselves, not their contents" },
  dired: { kind: "switch", short: "D", help: "generate output designed for Emacs' dired mode" },
  unsortedAll: { kind: "switch", short: "f", long: false, help: "list all entries in directory order" },
  classifyAlways: { kind: "switch", short: "F", long: false, help: "append an indicator (one of */=>@|) to entries" },
  classify: {
    kind: "value",
    arg: "WHEN",
    read: wordReader("--classify", WHEN),
    otherwise: "never",
    ifBare: "always",
    help: "likewise: always, auto (here: not), never",
  },
  fileType: { kind: "switch", help: "likewise, except do not append *" },
  format: {
    kind: "value",
    arg: "WORD",
    read: wordReader("--format", {
      long: ["verbose", "long"],
      commas: ["commas"],
      across: ["horizontal", "across"],
      columns: ["vertical"],
      single: ["single-column"],
    }),
    otherwise: "single",
    help: "across -x, commas -m, horizontal -x, long -l, single-column -1, verbose -l, vertical -C",
  },
  fullTime: { kind: "switch", help: "like -l --time-style=full-iso" },
  noOwner: { kind: "switch", short: "g", long: false, help: "like -l, but do not list owner" },
  groupDirectoriesFirst: { kind: "switch", help: "group directories before files" },
  noGroup: { kind: "switch", short: "G", help: "in a long listing, don't print group names" },
  humanReadable: { kind: "switch", short: "h", help: "with -l and -s, print sizes like 1K 234M 2G" },
  si: { kind: "switch", help: "likewise, but use powers of 1000 not 1024" },
  dereferenceCommandLine: { kind: "switch", short: "H", help: "follow symbolic links listed on the command line" },
  dereferenceCommandLineSymlinkToDir: { kind: "switch", help: "follow each command line symbolic link that points to a directory" },
  hide: {
    kind: "value",
    arg: "PATTERN",
    read: (text) => text,
    otherwise: "",
    repeats: true,
    help: "do not list implied entries matching PATTERN (overridden by -a or -A)",
  },
  hyperlink: {
    kind: "value",
    arg: "WHEN",
    read: wordReader("--hyperlink", WHEN),
    otherwise: "never",
    ifBare: "always",
    help: "hyperlink file names: auto (here: not), never",
  },
  indicatorStyle: {
    kind: "value",
    arg: "WORD",
    read: wordReader("--indicator-style", { none: ["none"], slash: ["slash"], "file-type": ["file-type"], classify: ["classify"] }),
    otherwise: "none",
    help: "append indicators of this style: none, slash (-p), file-type, classify (-F)",
  },
  inode: { kind: "switch", short: "i", help: "print the index number of each file" },
  ignore: {
    kind: "value",
    short: "I",
    arg: "PATTERN",
    read: (text) => text,
    otherwise: "",
    repeats: true,
    help: "do not list implied entries matching PATTERN",
  },
  kibibytes: { kind: "switch", short: "k", help: "count blocks of 1024 bytes (they are the default)" },
  long: { kind: "switch", short: "l", long: false, help: "use a long listing format" },
  dereference: { kind: "switch", short: "L", help: "show what symbolic links refer to, not the links" },
  commas: { kind: "switch", short: "m", long: false, help: "fill width with a comma separated list of entries" },
  numericUidGid: { kind: "switch", short: "n", help: "like -l, but list numeric user and group IDs" },
  literal: { kind: "switch", short: "N", help: "print entry names without quoting" },
  noGroupLong: { kind: "switch", short: "o", long: false, help: "like -l, but do not list group information" },
  slash: { kind: "switch", short: "p", long: false, help: "append / indicator to directories" },
  hideControlChars: { kind: "switch", short: "q", help: "print ? instead of nongraphic characters" },
  showControlChars: { kind: "switch", help: "show nongraphic characters as they are (the default)" },
  quoteName: { kind: "switch", short: "Q", help: "enclose entry names in double quotes" },
  quotingStyle: {
    kind: "value",
    arg: "WORD",
    read: wordReader(
      "--quoting-style",
      Object.fromEntries(QUOTING_STYLES.map((style) => [style, [style]])) as Record<QuotingStyle, [string]>,
    ),
    otherwise: "literal",
    help: `use this quoting style for names: ${QUOTING_STYLES.join(", ")}`,
  },
  reverse: { kind: "switch", short: "r", help: "reverse order while sorting" },
  recursive: { kind: "switch", short: "R", help: "list subdirectories recursively" },
  size: { kind: "switch", short: "s", help: "print the allocated size of each file, in blocks" },
  sortBySize: { kind: "switch", short: "S", long: false, help: "sort by file size, largest first" },
  sort: {
    kind: "value",
    arg: "WORD",
    read: wordReader("--sort", {
      none: ["none"],
      time: ["time"],
      size: ["size"],
      extension: ["extension"],
      version: ["version"],
      width: ["width"],
    }),
    otherwise: "name",
    help: "sort by WORD instead of name: none (-U), size (-S), time (-t), version (-v), extension (-X), width",
  },
  time: {
    kind: "value",
    arg: "WORD",
    read: wordReader("--time", { accessed: ["atime", "access", "use"], changed: ["ctime", "status"], born: ["birth", "creation"] }),
    otherwise: "modified",
    help: "show or sort by another time than that of modification: atime, ctime, birth",
  },
  timeStyle: {
    kind: "value",
    arg: "STYLE",
    read: (text) => text,
    otherwise: "locale",
    help: "time format with -l: full-iso, long-iso, iso, locale, +FORMAT as for date",
  },
  sortByTime: { kind: "switch", short: "t", long: false, help: "sort by time, newest first" },
  tabsize: {
    kind: "value",
    short: "T",
    arg: "COLS",
    read: readTabSize,
    otherwise: 8,
    help: "assume tab stops at each COLS instead of 8",
  },
  accessTime: { kind: "switch", short: "u", long: false, help: "with -l show, else sort by, the time of last access" },
  unsorted: { kind: "switch", short: "U", long: false, help: "do not sort; list entries in directory order" },
  sortByVersion: { kind: "switch", short: "v", long: false, help: "natural sort of (version) numbers within text" },
  width: {
    kind: "value",
    short: "w",
    arg: "COLS",
    read: readWidth,
    otherwise: 80,
    help: "set output width to COLS; 0 means no limit",
  },
  across: { kind: "switch", short: "x", long: false, help: "list entries by lines instead of by columns" },
  sortByExtension: { kind: "switch", short: "X", long: false, help: "sort alphabetically by entry extension" },
  context: { kind: "switch", short: "Z", help: "print any security context of each file (here: ?)" },
  zero: { kind: "switch", help: "end each output line with NUL, not newline" },
  onePerLine: { kind: "switch", short: "1", long: false, help: "list one file per line" },
} as const satisfies FlagTable;

/** 0, and what is too large for a number, mean no limit. */
function readWidth(text: string): number {
  const { value, problem } = scanCount(text, { suffixes: "", base: 0 });
  if (problem === "overflow") return 0;
  if (problem !== undefined) throw new BadValue(`invalid line width: ${quoteCurly(text)}`);
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? 0 : Number(value);
}

function readTabSize(text: string): number {
  const { value, problem } = scanCount(text, { suffixes: "", base: 0 });
  const tooLarge = problem === "overflow" ? ": Value too large for defined data type" : "";
  if (problem !== undefined) throw new BadValue(`invalid tab size: ${quoteCurly(text)}${tooLarge}`);
  return Number(value);
}
