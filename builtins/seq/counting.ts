/** Whole numbers counted up in their decimal digits, whatever their size. */
import type { BlockBuilder } from "../../src/io/output.ts";

/** From `first` to `last` (undefined: for ever), each followed by `separator`, the last one by a newline. */
export function* countUp(
  first: bigint,
  last: bigint | undefined,
  step: number,
  separator: number,
  output: BlockBuilder,
): Generator<true, void> {
  let digits: Buffer = Buffer.from(String(first));
  const count = last === undefined ? Infinity : Number((last - first) / BigInt(step));
  for (let left = count; ; left--) {
    output.add(digits);
    if (left <= 0) break;
    output.addByte(separator);
    digits = increased(digits, step);
    if (output.full) yield true;
  }
  output.addByte(0x0a);
  yield true;
}

/** `digits` plus `step` (below 1000), in place where there is room. */
function increased(digits: Buffer, step: number): Buffer {
  let carry = step;
  for (let at = digits.length - 1; at >= 0; at--) {
    const sum = (digits[at] as number) - ZERO + carry;
    if (sum < 10) {
      digits[at] = ZERO + sum;
      return digits;
    }
    digits[at] = ZERO + (sum % 10);
    carry = Math.floor(sum / 10);
  }
  return Buffer.concat([Buffer.from(String(carry)), digits]);
}

const ZERO = 0x30;
