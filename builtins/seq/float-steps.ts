/** FIRST + i × STEP in long double, as GNU seq steps: a number just past LAST that prints as LAST is one of them. */
import { toBytes } from "../../src/io/text.ts";
import { add, compare, fromInteger, multiply, parseLongDouble, type LongDouble } from "../../src/numbers/long-double.ts";
import type { BlockBuilder } from "../../src/io/output.ts";
import { formatBare, formatNumber, type NumberFormat, type Operand } from "./number-format.ts";

export interface Range {
  readonly first: Operand;
  readonly step: Operand;
  readonly last: Operand;
}

export function* floatSteps(range: Range, format: NumberFormat, separator: Uint8Array, output: BlockBuilder): Generator<true, void> {
  const [first, step, last] = [range.first.value, range.step.value, range.last.value];
  const isPast = (x: LongDouble): boolean => {
    const order = compare(x, last) ?? 0;
    return step.negative ? order < 0 : order > 0;
  };
  if (isPast(first)) return;
  let x = first;
  let past = false;
  for (let count = 1n; ; count++) {
    output.add(toBytes(formatNumber(x, format)));
    if (past) break;
    const before = x;
    x = stepped(first, step, count);
    past = isPast(x);
    if (past && !printsAs(x, before, last, format)) break;
    output.add(separator);
    yield true;
  }
  output.addByte(0x0a);
  yield true;
}

export function stepped(first: LongDouble, step: LongDouble, count: bigint): LongDouble {
  return add(first, multiply(fromInteger(count), step));
}

/** Whether `x` reads as `last` once printed, and not as the number before it. */
function printsAs(x: LongDouble, before: LongDouble, last: LongDouble, format: NumberFormat): boolean {
  const shown = formatBare(x, format);
  const { value, rest } = parseLongDouble(shown);
  return shown !== "" && rest === "" && compare(value, last) === 0 && shown !== formatBare(before, format);
}
