/** seq: numbers in steps. Whole numbers of any size are counted digit by digit, all others in x87's long double. */
import { defineBuiltin, type FlagTable, type StaticInvocation } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { BlockBuilder } from "../../src/io/output.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { compare, fromInteger, parseLongDouble } from "../../src/numbers/long-double.ts";
import { countUp } from "./counting.ts";
import { decimalSteps } from "./decimal-steps.ts";
import { defaultFormat, readFormat, readOperand, type Operand } from "./number-format.ts";
import { floatSteps, type Range } from "./float-steps.ts";

const FLAGS = {
  format: {
    kind: "value",
    short: "f",
    arg: "FORMAT",
    read: (text: string) => text,
    otherwise: undefined,
    help: "print each number as printf does: %g, %05.2f, x%g.txt",
  },
  separator: {
    kind: "value",
    short: "s",
    arg: "STRING",
    read: toBytes,
    otherwise: undefined,
    help: "put STRING between numbers, not a newline",
  },
  equalWidth: { kind: "switch", short: "w", help: "pad with zeros, so that all are equally wide" },
} as const satisfies FlagTable;

export const seq = defineBuiltin({
  name: "seq",
  summary: "Print numbers from FIRST (default 1) to LAST, in steps of INCREMENT (default 1).",
  standard: "https://www.gnu.org/software/coreutils/manual/html_node/seq-invocation.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "values", min: 1, max: 3 },
  syntax: "posix",
  // A negative number is an operand, and the first operand ends the flags.
  operandLike: (argument) => /^-[.\d]/.test(argument),
  flags: FLAGS,
  examples: [
    { command: "seq 3", stdout: "1\n2\n3\n" },
    { command: "seq -s , 0 5 20", stdout: "0,5,10,15,20\n" },
    { command: "seq -w 8 10", stdout: "08\n09\n10\n" },
    { command: "seq 1 -0.5 0", stdout: "1.0\n0.5\n0.0\n" },
    { command: "seq -f 'part-%03g.txt' 2", stdout: "part-001.txt\npart-002.txt\n" },
  ],
  check(invocation) {
    plan(invocation);
  },
  async *run(invocation) {
    const output = new BlockBuilder();
    for (const step of plan(invocation)(output)) {
      if (step && output.full) yield output.take();
    }
    if (!output.empty) yield output.take();
    return 0;
  },
});

/** Writes all numbers, and pauses often enough for the output to be taken. */
type Steps = (output: BlockBuilder) => Iterable<boolean>;

/** Throws UsageError. In the order in which GNU seq looks at its arguments. */
function plan({ flags, operands }: StaticInvocation<typeof FLAGS>): Steps {
  const { format: typed, separator = NEWLINE, equalWidth, ...others } = flags;
  allFlagsRead(others);
  const given = typed === undefined ? undefined : readFormat(typed);
  if (given !== undefined && equalWidth) {
    throw usage("format string may not be specified when printing equal width strings");
  }
  const isPlain = given === undefined && !equalWidth && separator.length === 1;
  const last = operands.at(-1) as string;
  const first = operands.length > 1 ? (operands[0] as string) : "1";
  const step = operands.length > 2 ? (operands[1] as string) : "1";
  const isCounted = (text: string): boolean => /^\d+$/.test(text);
  const byte = separator[0] as number;
  if (isPlain && isCounted(first) && isCounted(last) && isCounted(step) && isFastStep(BigInt(step))) {
    if (BigInt(first) <= BigInt(last)) return (output) => countUp(BigInt(first), BigInt(last), Number(step), byte, output);
  }
  const range = readRange(operands);
  const { first: from, step: by, last: to } = range;
  if (isPlain && [from, by, to].every(({ precision }) => precision === 0)) {
    const [start, stride, end] = [wholeOf(from), wholeOf(by), to.value.kind === "infinite" && !to.value.negative ? undefined : wholeOf(to)];
    const reaches = end === undefined ? to.value.kind === "infinite" && !to.value.negative : start !== undefined && start <= end;
    if (start !== undefined && stride !== undefined && isFastStep(stride) && reaches) {
      return (output) => countUp(start, end, Number(stride), byte, output);
    }
  }
  const format = given ?? defaultFormat(range, equalWidth);
  return (output) =>
    (given === undefined && decimalSteps(range, format, separator, operands, output)) || floatSteps(range, format, separator, output);
}

function readRange(operands: readonly string[]): Range {
  const one: Operand = { value: fromInteger(1n), width: 1, precision: 0 };
  const [a, b, c] = operands;
  const read = (text: string): Operand => {
    const { value, rest, outOfRange } = parseLongDouble(text);
    const isZero = value.kind === "finite" && value.mantissa === 0n;
    if (text === "" || rest !== "" || (outOfRange && !isZero)) throw usage(`invalid floating point argument: ${quoteCurly(text)}`);
    if (value.kind === "nan") throw usage(`invalid ${quoteCurly("not-a-number")} argument: ${quoteCurly(text)}`);
    return readOperand(text, value);
  };
  const one1 = read(a as string);
  if (b === undefined) return { first: one, step: one, last: one1 };
  const second = read(b);
  if (c === undefined) return { first: one1, step: one, last: second };
  if (compare(second.value, fromInteger(0n)) === 0) throw usage(`invalid Zero increment value: ${quoteCurly(b)}`);
  return { first: one1, step: second, last: read(c) };
}

/** Past this step GNU seq does not count by digits. */
const isFastStep = (step: bigint): boolean => step > 0n && step <= 200n;

/** A whole number that is not negative, not even −0. */
function wholeOf({ value }: Operand): bigint | undefined {
  if (value.kind !== "finite" || value.negative) return undefined;
  const { mantissa, exponent } = value;
  if (exponent >= 0) return mantissa << BigInt(exponent);
  const whole = mantissa >> BigInt(-exponent);
  return whole << BigInt(-exponent) === mantissa ? whole : undefined;
}

const usage = (message: string): UsageError => new UsageError("bad-value", message, { pointsToHelp: true });
const NEWLINE = Buffer.of(0x0a);
