/** join: lines of two sorted inputs that have a field in common. */
import { scanCount } from "../../src/numbers/counts.ts";
import { defineBuiltin, type FlagTable, type Invocation, type StaticInvocation } from "../../src/builtin/definition.ts";
import { openInput } from "../../src/builtin/inputs.ts";
import { noFlagLeft } from "../../src/builtin/flag-values.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { LineReader } from "../../src/io/line-reader.ts";
import { NEWLINE } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteAlways, quoteCurly, quoteName } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { joined } from "./pairing.ts";
import { JoinFailure, SortedInput } from "./sorted-input.ts";
import { fieldList, type FieldSpec, type JoinRequest } from "./request.ts";

const TEXT = { kind: "value", read: (text: string) => text, otherwise: undefined } as const;

const FLAGS = {
  all: {
    kind: "value",
    short: "a",
    long: false,
    arg: "FILENUM",
    read: fileNumber,
    otherwise: undefined,
    repeats: true,
    help: "print lines of file FILENUM without a partner too",
  },
  only: {
    kind: "value",
    short: "v",
    long: false,
    arg: "FILENUM",
    read: fileNumber,
    otherwise: undefined,
    repeats: true,
    help: "print only lines of file FILENUM without a partner",
  },
  empty: { ...TEXT, short: "e", long: false, arg: "STRING", repeats: true, help: "print STRING for fields that are missing or empty" },
  ignoreCase: { kind: "switch", short: "i", help: "let upper and lower case be the same" },
  both: {
    kind: "value",
    short: "j",
    long: false,
    arg: "FIELD",
    read: fieldNumber,
    otherwise: undefined,
    help: "join on field FIELD of both files",
  },
  format: {
    kind: "value",
    read: formatOf,
    otherwise: undefined,
    short: "o",
    long: false,
    arg: "FORMAT",
    repeats: true,
    help: "print these fields: FILENUM.FIELD or 0 (the common one), between commas or blanks; auto: as many as each first line has",
  },
  tab: {
    kind: "value",
    read: tabOf,
    otherwise: undefined,
    short: "t",
    long: false,
    arg: "CHAR",
    repeats: true,
    help: "fields end at CHAR, not at blanks; \\0 is NUL, '' makes the line one field",
  },
  first: {
    kind: "value",
    short: "1",
    long: false,
    arg: "FIELD",
    read: fieldNumber,
    otherwise: undefined,
    help: "join on field FIELD of the first file",
  },
  second: {
    kind: "value",
    short: "2",
    long: false,
    arg: "FIELD",
    read: fieldNumber,
    otherwise: undefined,
    help: "join on field FIELD of the second file",
  },
  zeroTerminated: { kind: "switch", short: "z", help: "lines end in NUL, not in a newline" },
  checkOrder: { kind: "switch", overrides: ["nocheckOrder"], help: "end at the first line out of order" },
  nocheckOrder: { kind: "switch", long: "nocheck-order", overrides: ["checkOrder"], help: "do not look at the order" },
  header: { kind: "switch", help: "join the first lines whatever their fields are" },
} as const satisfies FlagTable;

export const join = defineBuiltin({
  name: "join",
  summary: "Join the lines of two sorted files that have a field in common.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/join.html",
  reference: "GNU coreutils 9.1",
  readsStreams: true,
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  examples: [
    { command: "join a b", files: { a: "1 x\n2 y\n", b: "1 p\n3 q\n" }, stdout: "1 x p\n" },
    { command: "join -t , -a 1 -e - -o 0,1.2,2.2 a b", files: { a: "1,x\n2,y\n", b: "1,p\n" }, stdout: "1,x,p\n2,y,-\n" },
    { command: "sort a | join -v 1 - b", files: { a: "2\n1\n", b: "2\n" }, stdout: "1\n", note: "lines without a partner" },
  ],
  deviations: [
    {
      from: "GNU join",
      what: "the obsolete -j1 FIELD and -j2 FIELD are -j 1 and -j 2",
      why: "-1 FIELD and -2 FIELD say the same without a doubt",
    },
  ],
  check(invocation) {
    requestOf(invocation);
  },
  async *run(invocation) {
    const { request, files } = requestOf(invocation);
    const output = new BlockBuilder();
    const inputs: SortedInput[] = [];
    try {
      for (const [at, file] of files.entries()) {
        inputs.push(new SortedInput(opened(invocation, file, request.lineEnd), file, (at + 1) as 1 | 2, request));
      }
      const [first, second] = inputs as [SortedInput, SortedInput];
      if (files[0] === "-" && files[1] === "-") {
        throw new JoinFailure("both files cannot be standard input: No such file or directory");
      }
      for await (const warning of joined(first, second, request, output, invocation.limits.heldBytes)) {
        if (!output.empty) yield output.take();
        if (warning !== undefined) invocation.warn(warning);
      }
      if (!output.empty) yield output.take();
      if (!first.isDisordered && !second.isDisordered) return 0;
      throw new JoinFailure("input is not in sorted order");
    } catch (thrown) {
      if (!(thrown instanceof JoinFailure)) throw thrown;
      if (!output.empty) yield output.take();
      invocation.warn(thrown.message);
      return 1;
    } finally {
      for (const input of inputs) await input.reader.close();
    }
  },
});

/** Throws JoinFailure for a file that cannot be opened; a directory fails when it is read. */
function opened(invocation: Invocation<typeof FLAGS>, file: string, lineEnd: number): LineReader {
  try {
    return new LineReader(openInput(invocation, file), invocation.limits.lineBytes, lineEnd);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    throw new JoinFailure(thrown.code === "EISDIR" ? `read error: ${thrown.message}` : `${quoteName(file)}: ${thrown.message}`);
  }
}

function fileNumber(text: string): 1 | 2 {
  const { value, problem } = scanCount(text, { suffixes: "" });
  if (problem !== undefined || (value !== 1n && value !== 2n)) throw new BadValue(`invalid field number: ${quoteCurly(text)}`);
  return value === 1n ? 1 : 2;
}

/** From 0. What is past all bounds is a field that no line has. */
function fieldNumber(text: string): number {
  const { value, problem } = scanCount(text, { suffixes: "" });
  if ((problem !== undefined && problem !== "overflow") || value === 0n) throw new BadValue(`invalid field number: ${quoteCurly(text)}`);
  return Number(value) - 1;
}

/** The number of a field that is counted from 0; the largest stands for all that are larger. */
function fieldText(field: number): string {
  const number = BigInt(field + 1);
  return String(number < 1n << 64n ? number : (1n << 64n) - 1n);
}

interface ReadArguments {
  readonly first: number | undefined;
  readonly second: number | undefined;
  readonly tab: number | undefined;
  readonly empty: string | undefined;
  readonly format: readonly FieldSpec[];
  readonly auto: boolean;
  readonly files: readonly string[];
}

/** Flags and operands in their order. Throws UsageError. */
function readInOrder({ occurrences, operands }: StaticInvocation<typeof FLAGS>): ReadArguments {
  let [first, second, tab]: [number?, number?, number?] = [];
  let empty: string | undefined;
  const format: FieldSpec[] = [];
  let auto = false;
  const set = (before: number | undefined, now: number | undefined): number | undefined => {
    // Not known before the line runs: `-1 "$(…)"`.
    if (now === undefined) return before;
    if (before !== undefined && before !== now) throw fault(`incompatible join fields ${fieldText(before)}, ${fieldText(now)}`);
    return now;
  };
  const files: { readonly name: string; readonly isListable: boolean }[] = [];
  let next = 0;
  const takeOperands = (before: number, isListable: boolean): void => {
    for (; next < before; next++) {
      const name = operands[next] as string;
      // The old `-o 1.1 2.2 FILE1 FILE2`: of three operands the first one right after -o belongs to its list.
      if (files.length === 2) {
        const [part] = files.splice(files[0]?.isListable === true ? 0 : 1, 1);
        if (part?.isListable !== true)
          throw new UsageError("extra-operand", `extra operand ${quoteAlways(name)}`, { subject: name, pointsToHelp: true });
        format.push(...laterFields(part.name));
      }
      files.push({ name, isListable });
    }
  };
  let isAfterList = false;
  for (const occurrence of occurrences) {
    takeOperands(occurrence.operandsBefore, isAfterList);
    isAfterList = occurrence.key === "format" && occurrence.value !== "auto";
    switch (occurrence.key) {
      case "first":
        first = set(first, occurrence.value);
        break;
      case "second":
        second = set(second, occurrence.value);
        break;
      case "both":
        first = set(first, occurrence.value);
        second = set(second, occurrence.value);
        break;
      case "empty":
        if (empty !== undefined && empty !== occurrence.value) throw fault("conflicting empty-field replacement strings");
        empty = occurrence.value;
        break;
      case "tab":
        if (tab !== undefined && tab !== occurrence.value) throw fault("incompatible tabs");
        tab = occurrence.value;
        break;
      case "format":
        if (occurrence.value === "auto") auto = true;
        else format.push(...(occurrence.value ?? []));
        break;
      // Read by their values (`requestOf`): their order says nothing.
      case "all":
      case "only":
      case "ignoreCase":
      case "header":
      case "checkOrder":
      case "nocheckOrder":
      case "zeroTerminated":
        break;
      default:
        noFlagLeft(occurrence);
    }
  }
  takeOperands(operands.length, isAfterList);
  return { first, second, tab, empty, format, auto, files: files.map(({ name }) => name) };
}

/** Throws UsageError. */
function requestOf(given: StaticInvocation<typeof FLAGS>): {
  request: JoinRequest;
  files: readonly [string, string];
} {
  const { flags } = given;
  const { first, second, tab, empty, format, auto, files } = readInOrder(given);
  const [one, other] = files;
  if (one === undefined || other === undefined) {
    throw new UsageError("missing-operand", one === undefined ? "missing operand" : `missing operand after ${quoteCurly(one)}`, {
      pointsToHelp: true,
    });
  }
  const unpaired = new Set([...flags.all, ...flags.only]);
  const request: JoinRequest = {
    fields: [first ?? 0, second ?? 0],
    tab,
    empty: toBytes(empty ?? ""),
    format,
    auto,
    pairs: flags.only.length === 0,
    unpaired: [unpaired.has(1), unpaired.has(2)],
    ignoreCase: flags.ignoreCase,
    header: flags.header,
    order: flags.checkOrder ? "fail" : flags.nocheckOrder ? "ignore" : "warn",
    lineEnd: flags.zeroTerminated ? 0 : NEWLINE,
  };
  return { request, files: [one, other] };
}

function formatOf(text: string): "auto" | readonly FieldSpec[] {
  return text === "auto" ? text : fieldList(text, fieldNumber);
}

/** A part of -o that stands among the operands. Throws UsageError. */
function laterFields(text: string): readonly FieldSpec[] {
  try {
    return fieldList(text, fieldNumber);
  } catch (thrown) {
    if (!(thrown instanceof BadValue)) throw thrown;
    throw fault(thrown.message);
  }
}

/** A newline stands for "no separator": the line is one field. */
function tabOf(text: string): number {
  if (text === "") return NEWLINE;
  if (text === "\\0") return 0;
  const [byte = 0, second] = toBytes(text);
  if (second !== undefined) throw new BadValue(`multi-character tab ${quoteCurly(text)}`);
  return byte;
}

const fault = (message: string): UsageError => new UsageError("bad-value", message);
