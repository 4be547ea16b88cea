/** uniq: adjacent lines that are the same, as one, counted, or alone. */
import { scanCount } from "../../src/numbers/counts.ts";
import { defineBuiltin, type FlagTable, type Invocation, type StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { inputComplaint, inputOperands, openInput, overwritingBlocks } from "../../src/builtin/inputs.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { wordReader } from "../../src/builtin/word-choice.ts";
import { lineBlocks, NEWLINE } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteAlways, quoteCurly, quoteWord } from "../../src/display/quote.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Groups, type Printing } from "./groups.ts";
import type { KeyRule } from "./key.ts";

const FLAGS = {
  count: { kind: "switch", short: "c", help: "prefix each line with how often it came" },
  repeated: { kind: "switch", short: "d", help: "print only lines that repeat, one for each group" },
  everyRepeated: { kind: "switch", short: "D", long: false, overrides: ["allRepeated"], help: "print all lines that repeat" },
  allRepeated: {
    kind: "value",
    arg: "METHOD",
    read: wordReader("--all-repeated", { none: ["none"], prepend: ["prepend"], separate: ["separate"] }),
    ifBare: "none",
    otherwise: undefined,
    overrides: ["everyRepeated"],
    help: "as -D, with an empty line around groups; METHOD is none (default), prepend or separate",
  },
  skipFields: {
    kind: "value",
    short: "f",
    arg: "N",
    read: countOf("fields to skip"),
    otherwise: 0,
    help: "do not compare the first N fields",
  },
  group: {
    kind: "value",
    arg: "METHOD",
    read: wordReader("--group", { prepend: ["prepend"], append: ["append"], separate: ["separate"], both: ["both"] }),
    ifBare: "separate",
    otherwise: undefined,
    help: "print all lines, with an empty line around groups; METHOD is separate (default), prepend, append or both",
  },
  ignoreCase: { kind: "switch", short: "i", help: "let upper and lower case be the same" },
  skipChars: {
    kind: "value",
    short: "s",
    arg: "N",
    read: countOf("bytes to skip"),
    otherwise: 0,
    help: "do not compare the first N bytes (after the fields); also +N",
  },
  unique: { kind: "switch", short: "u", help: "print only lines that do not repeat" },
  zeroTerminated: { kind: "switch", short: "z", help: "lines end in NUL, not in a newline" },
  checkChars: {
    kind: "value",
    short: "w",
    arg: "N",
    read: countOf("bytes to compare"),
    otherwise: Infinity,
    help: "compare no more than N bytes",
  },
  digits: { kind: "switch", short: "0123456789", long: false, help: "old form of -f: -12 passes over 12 fields" },
} as const satisfies FlagTable;

export const uniq = defineBuiltin({
  name: "uniq",
  summary: "Merge adjacent lines that are the same; count them, or keep only those that repeat or that do not.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/uniq.html",
  reference: "GNU coreutils 9.1",
  readsStreams: true,
  operands: { kind: "paths", access: "read" },
  legacy: (argument) => (/^\+\d+$/.test(argument) && BigInt(argument) < 1n << 64n ? ["-s", argument] : undefined),
  flags: FLAGS,
  tells: "start",
  silence: { 0: "printed nothing" },
  examples: [
    { command: "uniq", stdin: "a\na\nb\na\n", stdout: "a\nb\na\n", note: "only adjacent lines count: sort first, or use sort -u" },
    { command: "uniq -c", stdin: "a\na\nb\n", stdout: "      2 a\n      1 b\n" },
    { command: "sort | uniq -d", stdin: "b\na\nb\n", stdout: "b\n", note: "what is there more than once" },
    { command: "uniq -f 1", stdin: "1 x\n2 x\n3 y\n", stdout: "1 x\n3 y\n", note: "ignore the first field" },
  ],
  deviations: [
    {
      from: "GNU uniq",
      what: "uniq INPUT OUTPUT is refused unless OUTPUT is -",
      why: "the second of two names is easily taken for another input: uniq INPUT | tee OUTPUT",
    },
  ],
  check(invocation) {
    const { operands } = invocation;
    const [input, output] = operands;
    const extra = operands[2];
    if (extra !== undefined)
      throw new UsageError("extra-operand", `extra operand ${quoteCurly(extra)}`, { subject: extra, pointsToHelp: true });
    if (input !== undefined && output !== undefined && output !== "-") {
      throw new UsageError("refused-flag", `${quoteCurly(output)}: uniq does not write files here, tee does`, {
        subject: output,
        suggestion: [...rebuilt(invocation), quoteWord(input), "|", "tee", quoteWord(output), ">/dev/null"].join(" "),
        lost: "the exit status is tee's; where uniq fails, a new file is made all the same",
      });
    }
    settingsOf(invocation);
  },
  async *run(invocation) {
    const { limits } = invocation;
    const { key, printing, lineEnd } = settingsOf(invocation);
    const groups = new Groups(key, printing, lineEnd);
    const output = new BlockBuilder();
    const [operand = "-"] = inputOperands(invocation);
    try {
      for await (const block of lineBlocks(overwritingBlocks(openInput(invocation, operand)), limits.lineBytes, lineEnd)) {
        groups.add(block, output);
        if (output.full) yield output.take();
      }
    } catch (thrown) {
      if (!output.empty) yield output.take();
      return complain(invocation, thrown, operand);
    }
    groups.finish(output);
    if (!output.empty) yield output.take();
    return 0;
  },
});

type Given = StaticInvocation<typeof FLAGS>;

function complain(invocation: Invocation<typeof FLAGS>, thrown: unknown, operand: string): number {
  const unread = thrown instanceof FileError && (thrown.code === "EISDIR" || thrown.code === "EIO");
  invocation.warn(unread ? `error reading ${quoteAlways(operand)}` : inputComplaint(thrown, operand));
  return 1;
}

interface Settings {
  readonly key: KeyRule;
  readonly printing: Printing;
  readonly lineEnd: number;
}

/** Throws UsageError for flags that do not go together. */
function settingsOf({ flags, occurrences }: Given): Settings {
  const { count, repeated, everyRepeated, allRepeated, group, unique, ...ofLines } = flags;
  const { skipFields, digits, skipChars, checkChars, ignoreCase, zeroTerminated, ...others } = ofLines;
  allFlagsRead(others);
  const delimit = everyRepeated ? "none" : allRepeated;
  if (group !== undefined && (count || repeated || unique || delimit !== undefined)) {
    throw new UsageError("bad-value", "--group is mutually exclusive with -c/-d/-D/-u", { pointsToHelp: true });
  }
  if (count && delimit !== undefined) {
    throw new UsageError("bad-value", "printing all duplicated lines and repeat counts is meaningless", { pointsToHelp: true });
  }
  return {
    key: { skipFields: digits ? skippedFields(occurrences) : skipFields, skipBytes: skipChars, compareBytes: checkChars, ignoreCase },
    printing: {
      unique: !repeated && delimit === undefined,
      firstRepeated: !unique,
      laterRepeated: delimit !== undefined,
      counts: count,
      delimit: delimit ?? "none",
      group,
    },
    lineEnd: zeroTerminated ? 0 : NEWLINE,
  };
}

/** Digits add up to a number (`-1 -2` is 12), and start again after -f. */
function skippedFields(occurrences: Given["occurrences"]): number {
  let fields = 0;
  let fromDigits = false;
  for (const { key, value, spelling } of occurrences) {
    if (key === "skipFields") {
      fields = value;
      fromDigits = false;
    } else if (key === "digits") {
      fields = (fromDigits ? fields * 10 : 0) + Number(spelling.slice(1));
      fromDigits = true;
    }
  }
  return fields;
}

/** The stage without its operands. */
function rebuilt({ name, occurrences }: Given): string[] {
  return [
    name,
    ...occurrences.map(({ value, spelling }) => {
      if (value === true) return spelling;
      return spelling.startsWith("--") ? `${spelling}=${value}` : `${spelling}${value === Infinity ? MAX_TEXT : value}`;
    }),
  ];
}

const MAX_TEXT = "18446744073709551615";

/** As GNU uniq's size_opt: what is too large is as large as it gets. */
function countOf(what: string): (text: string) => number {
  return (text) => {
    const { value, problem } = scanCount(text, { suffixes: "" });
    if (problem === "overflow") return Infinity;
    if (problem !== undefined) throw new BadValue(`${text}: invalid number of ${what}`);
    return Number(value);
  };
}
