/** The flags of sort, all of them read in their order (request.ts). */
import type { FlagTable, RefusedFlag } from "../../src/builtin/definition.ts";
import { wordReader } from "../../src/builtin/word-choice.ts";

const TEXT = { kind: "value", read: (text: string) => text, otherwise: undefined } as const;

const without = (flag: Pick<RefusedFlag, "short" | "long" | "arg" | "help" | "reason">): RefusedFlag => ({
  kind: "refused",
  suggestion: (rest) => ["sort", ...rest].join(" "),
  ...flag,
});

export const flags = {
  ignoreLeadingBlanks: { kind: "switch", short: "b", help: "ignore leading blanks" },
  checkLoudly: { kind: "switch", short: "c", long: false, help: "only check the order: name the first line out of it, and exit 1" },
  checkQuietly: { kind: "switch", short: "C", long: false, help: "as -c, without a word" },
  check: {
    kind: "value",
    arg: "WORD",
    read: wordReader("--check", { C: ["quiet", "silent"], c: ["diagnose-first"] }),
    ifBare: "c",
    otherwise: undefined,
    help: "-c (diagnose-first) or -C (quiet, silent)",
  },
  compressProgram: without({
    arg: "PROG",
    help: "compress temporary files with PROG",
    reason: "no program is ever started",
  }),
  debug: without({ help: "mark the part of each line that decides", reason: "the marks are not drawn here" }),
  dictionaryOrder: { kind: "switch", short: "d", help: "consider only blanks, letters and digits" },
  ignoreCase: { kind: "switch", short: "f", help: "let lower case be upper case" },
  files0From: {
    kind: "path",
    arg: "F",
    access: "read",
    help: "read the names of the files from F, each ended by NUL; - is standard input",
  },
  generalNumericSort: { kind: "switch", short: "g", help: "compare as floating-point numbers: 1e3, 0x1F, inf" },
  ignoreNonprinting: { kind: "switch", short: "i", help: "consider only printable characters" },
  key: {
    ...TEXT,
    short: "k",
    arg: "KEYDEF",
    repeats: true,
    help: "order by a key: F[.C][OPTS][,F[.C][OPTS]], fields F and bytes C from 1, OPTS of bdfgiMhnRrV; also the old +F[.C] [-F[.C]], from 0",
  },
  merge: { kind: "switch", short: "m", help: "merge files that are sorted already" },
  monthSort: { kind: "switch", short: "M", help: "compare (unknown) < JAN < … < DEC" },
  numericSort: { kind: "switch", short: "n", help: "compare as decimal numbers of any length" },
  humanNumericSort: { kind: "switch", short: "h", help: "compare sizes such as 2K and 1G" },
  versionSort: { kind: "switch", short: "V", help: "compare numbers within text by value: 1.9 before 1.10" },
  randomSort: { kind: "switch", short: "R", help: "shuffle, but keep equal keys together" },
  randomSource: { kind: "path", arg: "FILE", access: "read", help: "take the 16 random bytes of -R from FILE" },
  sort: {
    kind: "value",
    arg: "WORD",
    read: wordReader("--sort", {
      g: ["general-numeric"],
      h: ["human-numeric"],
      M: ["month"],
      n: ["numeric"],
      R: ["random"],
      V: ["version"],
    }),
    otherwise: undefined,
    help: "as the flag for WORD: general-numeric -g, human-numeric -h, month -M, numeric -n, random -R, version -V",
  },
  output: {
    kind: "path",
    short: "o",
    arg: "FILE",
    access: "write",
    help: "write to FILE, which may be one of those that are read; several -o must name the same",
  },
  reverse: { kind: "switch", short: "r", help: "reverse the order" },
  stable: { kind: "switch", short: "s", help: "leave lines with equal keys as they stood" },
  batchSize: { ...TEXT, arg: "N", help: "checked, and changes no output: all files of -m are merged at once" },
  bufferSize: { ...TEXT, short: "S", arg: "SIZE", help: "checked, and changes no output: the memory is what the server allows" },
  fieldSeparator: { ...TEXT, short: "t", arg: "SEP", help: "fields end at SEP, not where blanks begin; \\0 is NUL" },
  temporaryDirectory: {
    kind: "path",
    short: "T",
    arg: "DIR",
    access: "status",
    repeats: true,
    unread: true,
    help: "changes no output: what does not fit in memory goes to a file without a name, never to DIR",
  },
  unique: { kind: "switch", short: "u", help: "print only the first of lines that compare equal; with -c, check that there are none" },
  zeroTerminated: { kind: "switch", short: "z", help: "lines end in NUL, not in a newline" },
  parallel: { ...TEXT, arg: "N", help: "checked, and changes no output: sorting uses one thread" },
} as const satisfies FlagTable;
