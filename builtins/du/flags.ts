/** The flags of du. */
import { readBlockSize } from "../../src/numbers/block-size.ts";
import { scanCount } from "../../src/numbers/counts.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";
import { wordReader } from "../../src/builtin/word-choice.ts";
import { quoteAlways, quoteCurly } from "../../src/display/quote.ts";

const text = (value: string): string => value;

export const flags = {
  null: { kind: "switch", short: "0", help: "end each line with NUL, not newline" },
  all: { kind: "switch", short: "a", help: "print sizes of all files, not just directories" },
  apparentSize: { kind: "switch", help: "print apparent sizes, not the space that is taken" },
  blockSize: {
    kind: "value",
    short: "B",
    arg: "SIZE",
    read: readBlockSize,
    otherwise: undefined,
    help: "scale sizes by SIZE when printing them: K, M, KB, human-readable",
  },
  bytes: { kind: "switch", short: "b", help: "like --apparent-size --block-size=1" },
  total: { kind: "switch", short: "c", help: "print a grand total" },
  dereferenceArgs: { kind: "switch", short: "DH", help: "follow symbolic links that are operands" },
  maxDepth: {
    kind: "value",
    short: "d",
    arg: "N",
    read: readDepth,
    otherwise: undefined,
    help: "print directories at most N levels below an operand; 0 is -s",
  },
  files0From: {
    kind: "path",
    long: "files0-from",
    arg: "F",
    access: "read",
    help: "take the operands from F, ended by NUL; - is standard input",
  },
  humanReadable: { kind: "switch", short: "h", help: "print sizes like 1K 234M 2G" },
  inodes: { kind: "switch", help: "count files instead of space" },
  kibibytes: { kind: "switch", short: "k", long: false, help: "like --block-size=1K (the default)" },
  dereference: { kind: "switch", short: "L", help: "follow all symbolic links" },
  countLinks: { kind: "switch", short: "l", help: "count a file as often as it has names" },
  mebibytes: { kind: "switch", short: "m", long: false, help: "like --block-size=1M" },
  noDereference: { kind: "switch", short: "P", help: "follow no symbolic links (the default)" },
  separateDirs: { kind: "switch", short: "S", help: "leave subdirectories out of a directory's size" },
  si: { kind: "switch", help: "like -h, but use powers of 1000 not 1024" },
  summarize: { kind: "switch", short: "s", help: "print only a total for each operand" },
  threshold: {
    kind: "value",
    short: "t",
    arg: "SIZE",
    read: readThreshold,
    otherwise: undefined,
    help: "leave out what is smaller than SIZE, or if negative what is larger",
  },
  time: {
    kind: "value",
    arg: "WORD",
    read: wordReader("--time", { accessed: ["atime", "access", "use"], changed: ["ctime", "status"] }),
    ifBare: "modified",
    otherwise: undefined,
    help: "print the newest time in each directory: of modification, atime, ctime",
  },
  timeStyle: {
    kind: "value",
    arg: "STYLE",
    read: text,
    otherwise: undefined,
    help: "full-iso, long-iso (the default), iso, +FORMAT as for date",
  },
  excludeFrom: {
    kind: "path",
    short: "X",
    arg: "FILE",
    access: "read",
    repeats: true,
    help: "leave out files that match a pattern in FILE",
  },
  exclude: { kind: "value", arg: "PATTERN", read: text, otherwise: undefined, repeats: true, help: "leave out files that match PATTERN" },
  oneFileSystem: { kind: "switch", short: "x", help: "leave out directories on other file systems" },
} as const;

function readDepth(value: string): number {
  const { value: depth, problem } = scanCount(value, { suffixes: "", base: 0 });
  if (problem !== undefined || depth > 0x7fff_ffffn)
    throw new BadValue(`invalid maximum depth ${quoteCurly(value)}`, { pointsToHelp: true });
  return Number(depth);
}

function readThreshold(text: string, spelling: string): bigint {
  const { value, problem } = scanCount(text, { suffixes: "kKmMGTPEZY0", signed: true, base: 0 });
  const quoted = quoteAlways(text);
  if (problem === "overflow") throw new BadValue(`${spelling} argument ${quoted} too large`);
  if (problem === "suffix") throw new BadValue(`invalid suffix in ${spelling} argument ${quoted}`);
  if (problem === "invalid") throw new BadValue(`invalid ${spelling} argument ${quoted}`);
  if (value === 0n && text.startsWith("-")) throw new BadValue(`invalid --threshold argument ${quoted}`);
  return value;
}
