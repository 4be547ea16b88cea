/** The flags of GNU xargs 4.9. */
import type { FlagTable } from "../../src/builtin/definition.ts";
import { BadValue } from "../../src/builtin/usage-error.ts";
import { strtol } from "../../src/numbers/strtol.ts";
import { readDelimiter } from "./delimiter.ts";

const text = (value: string): string => value;

/** A number as xargs words its errors about it. */
const count =
  (letter: string, least: number) =>
  (value: string): number => {
    const read = strtol(value, 10);
    if (read?.rest !== "") throw new BadValue(`invalid number "${value}" for -${letter} option`, { pointsToHelp: true });
    const number = Number(read.value);
    if (number < least) throw new BadValue(`value ${value} for -${letter} option should be >= ${least}`, { pointsToHelp: true });
    return Math.min(number, Number.MAX_SAFE_INTEGER);
  };

export const flags = {
  null: { kind: "switch", short: "0", help: "items end in a NUL, and nothing in them is special", overrides: ["delimiter"] },
  argFile: { kind: "path", short: "a", arg: "FILE", access: "read", help: "read items from FILE, not from standard input" },
  delimiter: {
    kind: "value",
    short: "d",
    arg: "CHARACTER",
    otherwise: undefined,
    overrides: ["null"],
    help: "items end in CHARACTER, and nothing in them is special",
    read(value: string) {
      readDelimiter(value);
      return value;
    },
  },
  end: { kind: "value", short: "E", long: false, arg: "END", otherwise: undefined, read: text, help: "stop at an item that is END" },
  endOptional: {
    kind: "value",
    short: "e",
    long: "eof",
    arg: "END",
    otherwise: undefined,
    ifBare: "",
    read: text,
    help: "as -E END if END is given, else no item ends the input",
  },
  replace: {
    kind: "value",
    short: "I",
    long: false,
    arg: "R",
    otherwise: undefined,
    read: text,
    help: "put each line in the place of R, one command for each",
  },
  replaceDefault: {
    kind: "value",
    short: "i",
    long: "replace",
    arg: "R",
    otherwise: undefined,
    ifBare: "{}",
    read: text,
    help: "as -I R, or -I {} if R is not given",
  },
  maxLines: {
    kind: "value",
    short: "L",
    long: false,
    arg: "MAX-LINES",
    otherwise: undefined,
    read: count("L", 1),
    help: "use at most MAX-LINES lines that are not blank for a command",
  },
  maxLinesDefault: {
    kind: "value",
    short: "l",
    long: "max-lines",
    arg: "MAX-LINES",
    otherwise: undefined,
    ifBare: 1,
    read: count("l", 1),
    help: "as -L, with 1 if MAX-LINES is not given",
  },
  maxArgs: {
    kind: "value",
    short: "n",
    long: "max-args",
    arg: "MAX-ARGS",
    otherwise: undefined,
    read: count("n", 1),
    help: "use at most MAX-ARGS items for a command",
  },
  maxProcs: {
    kind: "value",
    short: "P",
    long: "max-procs",
    arg: "MAX-PROCS",
    otherwise: 1,
    read: count("P", 0),
    unread: true,
    help: "no effect: commands run one after the other, so that their output keeps its order",
  },
  noRunIfEmpty: { kind: "switch", short: "r", help: "run nothing if there is no item" },
  maxChars: {
    kind: "value",
    short: "s",
    long: "max-chars",
    arg: "MAX-CHARS",
    otherwise: undefined,
    read: count("s", Number.NEGATIVE_INFINITY),
    help: "make no command line longer than MAX-CHARS bytes",
  },
  verbose: { kind: "switch", short: "t", help: "print each command on standard error before it runs" },
  exit: { kind: "switch", short: "x", help: "stop if the size (see -s) is not enough for -n or -L" },
  interactive: {
    kind: "refused",
    short: "p",
    reason: "nobody is there to answer; -t prints each command and runs it",
    suggestion: (rest: readonly string[]) => ["xargs", "-t", ...rest].join(" "),
    help: "(refused)",
  },
  openTty: {
    kind: "refused",
    short: "o",
    reason: "there is no terminal here",
    suggestion: (rest: readonly string[]) => ["xargs", ...rest].join(" "),
    help: "(refused)",
  },
  processSlotVar: {
    kind: "refused",
    arg: "VAR",
    reason: "there is no environment here",
    suggestion: (rest: readonly string[]) => ["xargs", ...rest].join(" "),
    help: "(refused)",
  },
  showLimits: {
    kind: "refused",
    reason: "the limits of a command line are those of the real tool's default, 131072 bytes",
    suggestion: (rest: readonly string[]) => ["xargs", ...rest].join(" "),
    help: "(refused)",
  },
} as const satisfies FlagTable;
