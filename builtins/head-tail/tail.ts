/** tail: the last lines or bytes of each input, or what follows the first. */
import { countReader, scanCount, SIZE_SUFFIXES } from "../../src/numbers/counts.ts";
import { defineBuiltin, type FlagTable, type Occurrence } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { showEach } from "./file-headers.ts";
import { holdLastBytes, holdLastLines, lastLinesStart } from "./from-end.ts";
import type { InputSource } from "../../src/builtin/inputs.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { countByte, indexAfter } from "../../src/io/count-byte.ts";
import { asBuffer, NEWLINE } from "../../src/io/lines.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { tailSince } from "./tail-since.ts";

const NEVER_ENDS = "tail -f never ends, and a pipeline here must finish";
const ONLY_FOLLOWING = "it means something only together with -f, and tail -f never ends";

const FLAGS = {
  bytes: {
    kind: "value",
    short: "c",
    arg: "[+]NUM",
    read: amountReader("bytes"),
    otherwise: undefined,
    overrides: ["lines"],
    help: "print the last NUM bytes; +NUM: from byte NUM on",
  },
  follow: {
    kind: "refused",
    short: "f",
    arg: "{name|descriptor}",
    argOptional: true,
    reason: NEVER_ENDS,
    suggestion: withoutFollowing,
    help: "print what is appended as the file grows",
  },
  followRetry: {
    kind: "refused",
    short: "F",
    long: false,
    reason: NEVER_ENDS,
    suggestion: withoutFollowing,
    help: "as --follow=name --retry",
  },
  lines: {
    kind: "value",
    short: "n",
    arg: "[+]NUM",
    read: amountReader("lines"),
    otherwise: undefined,
    overrides: ["bytes"],
    help: "print the last NUM lines (default 10); +NUM: from line NUM on",
  },
  maxUnchangedStats: {
    kind: "refused",
    arg: "N",
    reason: ONLY_FOLLOWING,
    suggestion: withoutFollowing,
    help: "with --follow=name, when to look whether the file was renamed",
  },
  pid: {
    kind: "refused",
    arg: "PID",
    reason: ONLY_FOLLOWING,
    suggestion: withoutFollowing,
    help: "with -f, stop when that process ends",
  },
  quiet: {
    kind: "switch",
    short: "q",
    long: ["quiet", "silent"],
    overrides: ["verbose"],
    help: "never print a header with the file's name",
  },
  retry: { kind: "refused", reason: ONLY_FOLLOWING, suggestion: withoutFollowing, help: "keep trying to open a file" },
  since: {
    kind: "value",
    arg: "CURSOR",
    read: cursorReader,
    otherwise: undefined,
    unlisted: true,
    help: "print the whole lines that were appended since CURSOR was given out, and give a new one in the answer; new: begin, with the last lines",
  },
  sleepInterval: {
    kind: "refused",
    short: "s",
    arg: "N",
    reason: ONLY_FOLLOWING,
    suggestion: withoutFollowing,
    help: "with -f, seconds between looks",
  },
  verbose: { kind: "switch", short: "v", overrides: ["quiet"], help: "always print the header" },
  zeroTerminated: { kind: "switch", short: "z", help: "lines end in NUL, not newline" },
} as const satisfies FlagTable;

export const tail = defineBuiltin({
  name: "tail",
  summary: "Print the last lines of each file, or of standard input.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/tail.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  legacy: oldForm,
  // With a sign it shows what follows, as the next page of an answer that was cut.
  tells: (args) => (args.some((text) => /^(-[qvz]*[nc]|--(lines|bytes)=)?\+\d/.test(text)) ? "start" : "end"),
  silence: { 0: "has nothing to show" },
  examples: [
    { command: "tail -n 2", stdin: "a\nb\nc\n", stdout: "b\nc\n" },
    { command: "tail -n +2 a", files: { a: "1\n2\n3\n" }, stdout: "2\n3\n", note: "from the second line on" },
    {
      command: "tail --since new -n 1 a",
      files: { a: "1\n2\n3" },
      stdout: "2\n",
      note: "begin to follow: the answer has the cursor for tail --since CURSOR a; the open line waits for its end",
    },
    { command: "tail -c 3", stdin: "abcdef", stdout: "def" },
  ],
  deviations: [
    {
      from: "GNU coreutils 9.1",
      what: "tail --since CURSOR prints what was appended since an earlier call",
      why: "tail -f never ends; so an agent watches a log call by call, across rotation, without a process that waits",
    },
  ],
  check({ flags, occurrences }) {
    if (flags.since === undefined) return;
    const amount = givenAmount(flags, occurrences);
    if (flags.since !== "new" && amount !== undefined) {
      throw new UsageError(
        "bad-value",
        "with a cursor everything that was appended is printed: take -n and -c out, or put | tail behind it",
        {},
      );
    }
    if (amount?.fromStart === true) throw new UsageError("bad-value", "--since new begins with the last NUM: take the + out", {});
    if (occurrences.filter(({ key }) => key === "since").length > 1)
      throw new UsageError("bad-value", "--since is given more than once", {});
  },
  async *run(invocation) {
    const { bytes, lines, quiet, verbose, since, zeroTerminated, ...others } = invocation.flags;
    allFlagsRead(others);
    const separator = zeroTerminated ? 0 : NEWLINE;
    if (since !== undefined) {
      const { unit, count } = bytes ?? lines ?? { unit: "lines", count: 10 };
      const hasHeaders = verbose ? true : quiet ? false : undefined;
      return yield* tailSince(invocation, { cursor: since, separator, amount: { unit, count }, hasHeaders });
    }
    const amount = givenAmount({ bytes, lines }, invocation.occurrences) ?? { unit: "lines", fromStart: false, count: 10 };
    // GNU tail does not even look at its files where there is nothing to print.
    if (amount.count === 0 && !amount.fromStart) return 0;
    return yield* showEach(invocation, {
      hasHeaders: verbose || (invocation.operands.length > 1 && !quiet),
      // Here GNU tail copies the rest of the input, and a failing copy ends it.
      atDirectory: amount.unit === "bytes" || (amount.fromStart && amount.count <= 1) ? "end" : "complain",
      show: (source) =>
        source.file !== undefined
          ? endOfFile(source, amount, separator, invocation.limits.heldBytes)
          : amount.fromStart
            ? afterFirst(source, amount, separator)
            : endOfStream(source, amount, separator, invocation.limits.heldBytes),
    });
  },
});

function cursorReader(text: string): string {
  if (text !== "new" && !/^[0-9a-z]{1,12}\.[0-9]{1,9}$/.test(text)) {
    throw new BadValue(`invalid cursor: ${quoteCurly(text)}: --since takes new, or the cursor of an earlier answer`);
  }
  return text;
}

interface Amount {
  readonly unit: "lines" | "bytes";
  /** From the `count`-th on, not the last `count`. */
  readonly fromStart: boolean;
  readonly count: number;
}

/** The last amount given, from the start if any of them is: GNU tail forgets no `+`. */
function givenAmount(
  { bytes, lines }: { readonly bytes: Amount | undefined; readonly lines: Amount | undefined },
  occurrences: readonly Occurrence<typeof FLAGS>[],
): Amount | undefined {
  const last = bytes ?? lines;
  const fromStart = occurrences.some(({ key, value }) => (key === "bytes" || key === "lines") && value?.fromStart === true);
  return last && { ...last, fromStart };
}

function amountReader(unit: Amount["unit"]): (text: string) => Amount {
  return (text) => {
    // "-3" is "3", but the message names only what follows the sign; "+3" is quoted whole.
    const number = text.startsWith("-") ? text.slice(1) : text;
    const count = countReader({ suffixes: SIZE_SUFFIXES, complaint: `invalid number of ${unit}` })(number);
    return { unit, fromStart: text.startsWith("+"), count };
  };
}

/**
 * `+NUM[bcl][f]` and `-NUM[bcl][f]`, only as the first argument and with at most one file: otherwise `+3` is a file
 * and `-3` an error. Without digits the number is 10.
 */
function oldForm(argument: string, position: number, args: readonly string[]): readonly string[] | undefined {
  const [, sign, digits = "", unit = "", follow = ""] = /^([+-])(\d*)([bcl]?)(f?)$/.exec(argument) ?? [];
  const standsAlone =
    position === 0 &&
    (args.length === 1 ||
      (args.length === 2 && !/^-[^]/.test(args[1] as string)) ||
      (args.length >= 2 && args.length <= 3 && args[1] === "--"));
  const needsDigits = sign === "-" && /^-c?$/.test(argument);
  if (sign === undefined || !standsAlone || needsDigits) {
    const misplaced = /^-[qvz]*(\d)/.exec(argument)?.[1];
    if (misplaced === undefined) return undefined;
    throw new UsageError("unknown-flag", `option used in invalid context -- ${misplaced}`, {
      argument: position,
      subject: argument,
      suggestion: /^-\d+$/.test(argument) ? `-n ${argument.slice(1)}` : "-n 10",
    });
  }
  const { value, problem } = scanCount(digits === "" ? "10" : digits, { suffixes: "" });
  if (problem !== undefined) {
    throw new UsageError("bad-value", `invalid number: ${quoteCurly(argument)}: Numerical result out of range`, {
      argument: position,
      subject: argument,
    });
  }
  const scaled = unit === "b" ? value * 512n : value;
  const rewritten = [`-${unit === "b" || unit === "c" ? "c" : "n"}${sign === "+" ? "+" : ""}${scaled}`];
  return follow === "" ? rewritten : [...rewritten, "-f"];
}

async function* endOfFile(source: InputSource, amount: Amount, separator: number, lineBytes: number): AsyncGenerator<Uint8Array, void> {
  const file = source.file;
  if (file === undefined) return;
  if (amount.fromStart && amount.unit === "lines") yield* afterFirst(source, amount, separator);
  // Past what any file system's files can be long, and a double can count, there is as little as past this file's end.
  else if (amount.fromStart) yield* file.blocks(Math.min(Math.max(0, amount.count - 1), Number.MAX_SAFE_INTEGER));
  else if (amount.unit === "bytes") yield* file.blocks(Math.max(0, file.status.size - amount.count));
  else yield* file.blocks(lastLinesStart(file, amount.count, separator, lineBytes));
}

/** Skips `count - 1` lines or bytes and prints the rest. */
async function* afterFirst(source: InputSource, amount: Amount, separator: number): AsyncGenerator<Uint8Array, void> {
  let left = amount.count - 1;
  for await (const bytes of source) {
    if (left <= 0) {
      yield bytes;
      continue;
    }
    const block = asBuffer(bytes);
    const count = amount.unit === "bytes" ? block.length : countByte(block, separator);
    if (count >= left) yield block.subarray(amount.unit === "bytes" ? left : indexAfter(block, separator, left));
    left -= count;
  }
}

async function* endOfStream(source: InputSource, amount: Amount, separator: number, heldBytes: number): AsyncGenerator<Uint8Array, void> {
  const held = amount.unit === "bytes" ? holdLastBytes(amount.count, heldBytes) : holdLastLines(amount.count, separator, heldBytes);
  for await (const block of source) held.add(block);
  yield* held.end().last;
}

/** The same stage without its following, and with a number of lines where none was given. */
function withoutFollowing(rest: readonly string[]): string {
  const hasAmount = rest.some((word) => /^[-+]\d|^-[qvz]*[nc]|^--(lines|bytes)/.test(word));
  return ["tail", ...(hasAmount ? [] : ["-n", "200"]), ...rest].join(" ");
}
