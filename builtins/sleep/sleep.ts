/** sleep: lets time pass, within the time limit of the line. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { parseLongDouble } from "../../src/numbers/long-double.ts";
import { quoteCurly } from "../../src/display/quote.ts";

export const sleep = defineBuiltin({
  name: "sleep",
  summary: "Wait for the sum of all operands: NUMBER of seconds, or with s, m, h or d after it.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/sleep.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "values", min: 1 },
  flags: {},
  examples: [{ command: "sleep 0.01", stdout: "" }],
  deviations: [{ from: "GNU sleep", what: "it ends with the time limit of the line", why: "every line ends within its time limit" }],
  check({ name, operands }) {
    secondsOf(name, operands);
  },
  async *run({ name, operands, wait }) {
    await wait(secondsOf(name, operands) * 1000);
    return 0;
  },
});

/** Throws UsageError that tells of every operand that is no interval. */
function secondsOf(name: string, operands: readonly string[]): number {
  const faults: string[] = [];
  let sum = 0;
  for (const operand of operands) {
    const { value, rest } = parseLongDouble(operand);
    const unit = rest === "" ? 1 : UNITS.get(rest);
    const seconds =
      value.kind === "finite" ? Number(value.mantissa) * 2 ** value.exponent : value.kind === "infinite" ? Infinity : Number.NaN;
    const isNumber = !Number.isNaN(seconds) && !(value.negative && seconds > 0) && rest !== operand;
    if (unit === undefined || !isNumber) {
      faults.push(`invalid time interval ${quoteCurly(operand)}`);
      continue;
    }
    sum += seconds * unit;
  }
  if (faults.length > 0) throw new UsageError("bad-value", faults.join(`\n${name}: `), { pointsToHelp: true });
  return sum;
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ["s", 1],
  ["m", 60],
  ["h", 3600],
  ["d", 86_400],
]);
