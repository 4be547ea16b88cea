/** shuf: lines in random order. */
import { readCount as readExact, scanCount } from "../../src/numbers/counts.ts";
import { defineBuiltin, type FlagTable, type Invocation, type Occurrence, type StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { openInput } from "../../src/builtin/inputs.ts";
import { BadValue, UsageError } from "../../src/builtin/usage-error.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { endOfLine, lineBlocks, NEWLINE } from "../../src/io/lines.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteCurly, quoteName, quoteWord } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { RandomNumbers, randomOrder, type RandomSource } from "./random-numbers.ts";

const FLAGS = {
  echo: { kind: "switch", short: "e", help: "the operands are the lines" },
  inputRange: {
    kind: "value",
    short: "i",
    arg: "LO-HI",
    read: (text: string) => text,
    otherwise: undefined,
    help: "the numbers from LO to HI are the lines",
  },
  headCount: { kind: "value", short: "n", arg: "COUNT", read: readCount, otherwise: [], repeats: true, help: "print at most COUNT lines" },
  output: {
    kind: "refused",
    short: "o",
    arg: "FILE",
    help: "write to FILE",
    reason: "shuf does not write files here, tee does",
    suggestion: (rest, value) => ["shuf", ...rest, "|", "tee", quoteWord(value ?? "FILE"), ">/dev/null"].join(" "),
    lost: "the exit status is tee's; where shuf fails, a new file is made all the same",
  },
  randomSource: { kind: "path", arg: "FILE", access: "read", help: "take the random bytes from FILE: the same bytes give the same order" },
  repeat: { kind: "switch", short: "r", help: "print lines again and again, for ever unless -n says how many" },
  zeroTerminated: { kind: "switch", short: "z", help: "lines end in NUL, not in a newline" },
} as const satisfies FlagTable;

export const shuf = defineBuiltin({
  name: "shuf",
  summary: "Print lines in random order.",
  standard: "https://www.gnu.org/software/coreutils/manual/html_node/shuf-invocation.html",
  reference: "GNU coreutils 9.1",
  readsStreams: true,
  operands: { kind: "paths", access: "read" },
  flags: FLAGS,
  examples: [
    { command: "shuf -i 1-9 | sort | head -n 2", stdout: "1\n2\n" },
    { command: "shuf -e a b c | sort", stdout: "a\nb\nc\n" },
    {
      command: "shuf -n 1 --random-source seed f",

      files: { seed: "0123456789", f: "a\nb\nc\nd\n" },
      stdout: "a\n",
      note: "the same line each time",
    },
  ],
  deviations: [
    { from: "GNU shuf", what: "-o FILE is refused", why: "tee does, and records it: shuf … | tee FILE" },
    {
      from: "GNU shuf",
      what: "--random-source with -n chooses other lines from a pipe",
      why: "GNU shuf then samples as it reads; here all lines are held, as it does for files",
    },
  ],
  check(invocation) {
    checkOccurrences(invocation.occurrences);
    checkFlags(invocation);
  },
  async *run(invocation) {
    const { operands } = invocation;
    const settings = settingsOf(invocation.flags);
    const { count, repeats, lineEnd } = settings;
    const output = new BlockBuilder();
    try {
      const lines = count === 0 ? NO_LINES : await linesOf(invocation, settings);
      // A file that no byte is needed of is not opened, unless lines may repeat.
      const isNeeded = repeats || (count > 0 && lines.count > 0);
      const numbers = new RandomNumbers(
        isNeeded ? await sourceOf(invocation, settings.randomSource, lines.count) : () => new Uint8Array(0),
      );
      const print = (at: number): void => {
        lines.add(at, output);
        output.addByte(lineEnd);
      };
      if (repeats && count > 0) {
        if (lines.count === 0) throw new ShufFailure("no lines to repeat");
        for (let left = count; left > 0; left--) {
          print(numbers.below(lines.count));
          if (output.full) yield output.take();
        }
      } else {
        const most = Math.min(count, lines.count);
        if (most > MOST_HELD) throw new ShufFailure("memory exhausted");
        if (most * 64 > invocation.limits.heldBytes && settings.inputRange !== undefined)
          throw new LimitReached("held", invocation.limits.heldBytes, "bytes");
        // All of it before the first line goes out: the random bytes may come to their end.
        for (const at of [...randomOrder(numbers, most, lines.count)]) {
          print(at);
          if (output.full) yield output.take();
        }
      }
    } catch (thrown) {
      const message =
        thrown instanceof ShufFailure ? thrown.message : thrown instanceof FileError ? complaint(thrown, operands[0]) : undefined;
      if (message === undefined) throw thrown;
      if (!output.empty) yield output.take();
      invocation.warn(message);
      return 1;
    }
    if (!output.empty) yield output.take();
    return 0;
  },
});

type Shuffling = Invocation<typeof FLAGS>;

interface Settings {
  /** The operands are the lines. */
  readonly isEcho: boolean;
  readonly inputRange: string | undefined;
  /** Lines to print at most. */
  readonly count: number;
  readonly randomSource: string | undefined;
  readonly repeats: boolean;
  readonly lineEnd: number;
}

function settingsOf({ echo, inputRange, headCount, randomSource, repeat, zeroTerminated, ...others }: Shuffling["flags"]): Settings {
  allFlagsRead(others);
  const lineEnd = zeroTerminated ? 0 : NEWLINE;
  return { isEcho: echo, inputRange, count: Math.min(...headCount, Infinity), randomSource, repeats: repeat, lineEnd };
}

class ShufFailure extends Error {}

function complaint(error: FileError, operand: string | undefined): string {
  return error.code === "EISDIR" || operand === undefined ? `read error: ${error.message}` : `${quoteName(operand)}: ${error.message}`;
}

function readCount(text: string): number {
  const { value, problem } = scanCount(text, { suffixes: "" });
  if (problem === "overflow") return Infinity;
  if (problem !== undefined) throw new BadValue(`invalid line count: ${quoteCurly(text)}`);
  return Number(value);
}

/** More places than a machine's memory has: GNU shuf keeps one for each line. */
const MOST_HELD = 2 ** 34;

interface NumberRange {
  readonly low: bigint;
  readonly count: number;
}

/** What a double counts exactly. */
const MOST_NUMBERS = 2n ** 53n;

/** Throws UsageError. */
function readRange(text: string): NumberRange {
  try {
    return rangeOf(text);
  } catch (thrown) {
    if (!(thrown instanceof BadValue)) throw thrown;
    throw new UsageError("bad-value", thrown.message, { subject: text });
  }
}

function rangeOf(text: string): NumberRange {
  const options = { complaint: "invalid input range" };
  const dash = text.indexOf("-");
  const low = dash < 0 ? 0n : readExact(text.slice(0, dash), options);
  const high = readExact(text.slice(dash + 1), options);
  const count = high - low + 1n;
  if (dash < 0 || count < 0n) throw new BadValue(`invalid input range: ${quoteCurly(text)}`);
  if (count > MOST_NUMBERS) throw new BadValue(`input range of more than ${MOST_NUMBERS} numbers: ${quoteCurly(text)}`);
  return { low, count: Number(count) };
}

/** Throws UsageError, in the order in which GNU shuf comes to them. */
function checkOccurrences(occurrences: readonly Occurrence<typeof FLAGS>[]): void {
  const given = new Map<string, unknown>();
  for (const { key, value } of occurrences) {
    const before = given.get(key);
    if (key === "inputRange") {
      if (before !== undefined) throw new UsageError("bad-value", "multiple -i options specified");
      if (value !== undefined) readRange(value);
    }
    if (key === "randomSource" && before !== undefined && before !== value)
      throw new UsageError("bad-value", "multiple random sources specified");
    given.set(key, value);
  }
}

function checkFlags({ flags, operands }: StaticInvocation<typeof FLAGS>): void {
  const usage = (message: string): UsageError => new UsageError("bad-value", message, { pointsToHelp: true });
  const { isEcho, inputRange } = settingsOf(flags);
  const isRange = inputRange !== undefined;
  if (isEcho && isRange) throw usage("cannot combine -e and -i options");
  const extra = isEcho ? undefined : operands[isRange ? 0 : 1];
  if (extra !== undefined)
    throw new UsageError("extra-operand", `extra operand ${quoteCurly(extra)}`, { subject: extra, pointsToHelp: true });
}

interface Lines {
  readonly count: number;
  add(at: number, output: BlockBuilder): void;
}

const NO_LINES: Lines = { count: 0, add() {} };

/** Throws FileError, and LimitReached("held"). */
async function linesOf(invocation: Shuffling, { inputRange, isEcho, lineEnd }: Settings): Promise<Lines> {
  const { operands, limits } = invocation;
  if (inputRange !== undefined) {
    const range = readRange(inputRange);
    return { count: range.count, add: (at, output) => output.addLatin1(String(range.low + BigInt(at))) };
  }
  if (isEcho) return { count: operands.length, add: (at, output) => output.add(toBytes(operands[at] as string)) };
  const blocks: Buffer[] = [];
  const places: number[] = [];
  let held = 0;
  for await (const given of lineBlocks(openInput(invocation, operands[0] ?? "-"), limits.lineBytes, lineEnd)) {
    const block = Buffer.from(given);
    held += block.length;
    for (let start = 0; start < block.length; ) {
      const end = endOfLine(block, start, lineEnd);
      places.push(blocks.length, start, end);
      start = end + 1;
    }
    if (held + places.length * 8 > limits.heldBytes) throw new LimitReached("held", limits.heldBytes, "bytes");
    blocks.push(block);
  }
  return {
    count: places.length / 3,
    add: (at, output) => output.add(blocks[places[3 * at] as number] as Buffer, places[3 * at + 1], places[3 * at + 2]),
  };
}

/** Throws ShufFailure for a file that cannot be opened; the source does for one that gives too little. */
async function sourceOf(invocation: Shuffling, file: string | undefined, lines: number): Promise<RandomSource> {
  if (file === undefined) return buffered(invocation.randomBytes);
  const blocks: Buffer[] = [];
  let length = 0;
  let end = "end of file";
  try {
    for await (const block of openInput(invocation, file === "-" ? "./-" : file)) {
      length += block.length;
      if (length > invocation.limits.heldBytes) throw new LimitReached("held", invocation.limits.heldBytes, "bytes");
      blocks.push(Buffer.from(block));
      // Of a source without an end: more than that is not used up.
      if (length > MOST_USED_BYTES * lines + (1 << 16)) break;
    }
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    if (thrown.code !== "EISDIR") throw new ShufFailure(`${quoteName(file)}: ${thrown.message}`);
    // Told of only where a byte is needed.
    end = `read error: ${thrown.message}`;
  }
  const bytes = Buffer.concat(blocks);
  let at = 0;
  return (count) => {
    if (at + count > bytes.length) throw new ShufFailure(`${quoteCurly(file)}: ${end}`);
    at += count;
    return bytes.subarray(at - count, at);
  };
}

/** Random bytes that choosing one line may use up: a number of 64 bits, and again where it was out of the range. */
const MOST_USED_BYTES = 64;

/** Asks for many bytes at once. */
function buffered(randomBytes: Shuffling["randomBytes"]): RandomSource {
  let bytes: Uint8Array = new Uint8Array(0);
  let at = 0;
  return (count) => {
    if (at + count > bytes.length) {
      bytes = randomBytes(4096);
      at = 0;
    }
    at += count;
    return bytes.subarray(at - count, at);
  };
}
