/**
 * Decimal fractions stepped in whole units of their last place: exact where long double would round, and the same
 * once printed, because its error is far below a unit as long as all units stay below 2^53.
 */
import { formatFloat } from "../../src/numbers/float-format.ts";
import type { BlockBuilder } from "../../src/io/output.ts";
import type { Range } from "./float-steps.ts";
import { stepped } from "./float-steps.ts";
import type { NumberFormat } from "./number-format.ts";

/** undefined where the operands are no plain decimals, or too many places for this. */
export function decimalSteps(
  range: Range,
  format: NumberFormat,
  separator: Uint8Array,
  operands: readonly string[],
  output: BlockBuilder,
): Generator<true, void> | undefined {
  if (format.conversion !== "f" || !operands.every((text) => /^-?\d*\.?\d*$/.test(text) && !/^-[0.]*$/.test(text))) return undefined;
  const places = Math.max(range.first.precision, range.step.precision, range.last.precision);
  const shown = format.shape.precision ?? 0;
  const units = (text: string): number => {
    const [whole = "", fraction = ""] = text.split(".");
    return Number(whole + fraction.padEnd(places, "0"));
  };
  const last = units(operands.at(-1) as string);
  const first = operands.length > 1 ? units(operands[0] as string) : 10 ** places;
  const step = operands.length > 2 ? units(operands[1] as string) : 10 ** places;
  if ([first, step, last].some((number) => Math.abs(number) > MAX_UNITS) || places > 15) return undefined;
  return steps(range, format, separator, output, { first, step, last, scale: 10 ** (places - shown), shown });
}

const MAX_UNITS = 2 ** 52;

interface Units {
  readonly first: number;
  readonly step: number;
  readonly last: number;
  /** Units per place shown. */
  readonly scale: number;
  readonly shown: number;
}

function* steps(range: Range, { shape }: NumberFormat, separator: Uint8Array, output: BlockBuilder, units: Units): Generator<true, void> {
  const { first, step, last, scale, shown } = units;
  if (step < 0 ? first < last : first > last) return;
  for (let count = 0; ; count++) {
    const number = first + count * step;
    if (step < 0 ? number < last : number > last) break;
    if (count > 0) output.add(separator);
    if (number === 0 && count > 0) {
      // Rounding may leave a zero with a sign.
      output.addLatin1(formatFloat(stepped(range.first.value, range.step.value, BigInt(count)), "f", shape));
    } else {
      const digits = String(Math.abs(number) / scale).padStart(shown + 1, "0");
      const text = shown === 0 ? digits : `${digits.slice(0, -shown)}.${digits.slice(-shown)}`;
      const sign = number < 0 ? "-" : "";
      output.addLatin1(sign + text.padStart(shape.width - sign.length, "0"));
    }
    if (output.full) yield true;
  }
  output.addByte(0x0a);
  yield true;
}
