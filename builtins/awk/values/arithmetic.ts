/** Division, remainder and powers as gawk has them. */
import { FatalError } from "../syntax/program-error.ts";

/** Throws FatalError where `bottom` is 0. */
export function divided(top: number, bottom: number, message: string): number {
  if (bottom === 0) throw new FatalError(message);
  return top / bottom;
}

/** fmod(3). Throws FatalError where `bottom` is 0. */
export function remainder(top: number, bottom: number, message: string): number {
  if (bottom === 0) throw new FatalError(message.replace("%%", "%"));
  return top % bottom;
}

/** pow(3), by repeated squaring where the exponent is a whole number, as gawk has it. */
export function power(base: number, exponent: number): number {
  // JavaScript has no number for 1 ** Infinity.
  if (base === 1 || (base === -1 && Math.abs(exponent) === Infinity)) return 1;
  if (!Number.isInteger(exponent) || Math.abs(exponent) >= 2 ** 63) return base ** exponent;
  if (exponent === 0) return 1;
  let left = Math.abs(exponent);
  let factor = base;
  let result = 1;
  for (;;) {
    if (left % 2 === 1) result *= factor;
    left = Math.floor(left / 2);
    if (left === 0) break;
    factor *= factor;
  }
  return exponent < 0 ? 1 / result : result;
}

/** As C's long: of what does not fit gawk makes the least one. */
export function toLong(value: number): number {
  return Math.abs(value) < 2 ** 63 ? Math.trunc(value) : -(2 ** 63);
}
