/** Numbers ↔ text, in bases from 2 on. */
import { COLON, POINT } from "./code.ts";
import {
  add,
  atScale,
  divide,
  fromInteger,
  integerDigits,
  isZero,
  multiply,
  negate,
  num,
  power10,
  subtract,
  toLong,
  ZERO,
  type Num,
} from "./number.ts";

/** As `obase` has it: digits up to 16 are letters and figures, above that each is a number with a blank before it. */
export function shownNumber(value: Num, base: number): string {
  const sign = value.negative ? "-" : "";
  if (isZero(value)) return `${sign}0`;
  if (base === 10) return `${sign}${decimal(value)}`;
  const width = integerDigits(fromInteger(base - 1));
  const whole = atScale({ ...value, negative: false }, 0);
  const digits = wholeDigits(whole.digits, base, width);
  return `${sign}${digits}${value.scale > 0 ? `.${fractionDigits(value, whole, base, width)}` : ""}`;
}

function decimal({ digits, scale }: Num): string {
  const text = digits.toString().padStart(scale, "0");
  return scale === 0 ? text : `${text.slice(0, text.length - scale)}.${text.slice(text.length - scale)}`;
}

function wholeDigits(digits: bigint, base: number, width: number): string {
  if (digits === 0n) return "";
  if (base <= 16) return digits.toString(base).toUpperCase();
  const found: string[] = [];
  for (let rest = digits; rest > 0n; rest /= BigInt(base)) found.push(` ${(rest % BigInt(base)).toString().padStart(width, "0")}`);
  return found.reverse().join("");
}

/** As many digits as the base needs for those of the fraction. */
function fractionDigits(value: Num, whole: Num, base: number, width: number): string {
  const found: string[] = [];
  let rest = subtract({ ...value, negative: false }, whole);
  for (let reached = 1n; reached.toString().length <= value.scale; reached *= BigInt(base)) {
    rest = multiply(rest, fromInteger(base), value.scale);
    const digit = Number(toLong(rest));
    rest = subtract(rest, fromInteger(digit));
    found.push(base <= 16 ? digit.toString(16).toUpperCase() : String(digit).padStart(width, "0"));
  }
  return found.join(base <= 16 ? "" : " ");
}

/** What `next` of readNumber gives for a blank. */
export const BLANK = 0x7e;

/**
 * The number that `next` gives digit by digit, in any base: digits are their values, and anything else ends it. A digit too large
 * for the base counts as the largest, but where it stands alone.
 */
export function readNumber(next: () => number, base: number): Num {
  const radix = fromInteger(base);
  const within = (digit: number): bigint => BigInt(Math.min(digit, base - 1));
  let digit = next();
  while (digit === BLANK) digit = next();
  const isNegative = digit === 0x2d;
  if (digit === 0x2b || digit === 0x2d) digit = next();
  let whole = 0n;
  if (digit < 36) {
    const first = digit;
    digit = next();
    whole = digit < 36 ? within(first) : BigInt(first);
  }
  for (; digit < 36; digit = next()) whole = whole * BigInt(base) + within(digit);
  let value = num(whole, 0);
  if (digit === POINT) {
    let fraction = ZERO;
    let divisor = fromInteger(1);
    let count = 0;
    for (digit = next(); digit < 36; digit = next(), count++) {
      fraction = add(multiply(fraction, radix, 0), num(within(digit), 0));
      divisor = multiply(divisor, radix, 0);
    }
    value = add(value, divide(fraction, divisor, count));
  }
  return isNegative ? negate(value) : value;
}

/** A constant in base ten at `from` of compiled code, and the address after it. */
export function readDecimal(body: readonly number[], from: number): { readonly value: Num; readonly end: number } {
  const end = body.indexOf(COLON, from);
  const digits = body.slice(from, end);
  const point = digits.indexOf(POINT);
  const scale = point < 0 ? 0 : digits.length - point - 1;
  power10(digits.length);
  // A digit above nine counts as nine, but where it stands alone.
  const text = digits.length === 1 ? String(digits[0]) : digits.map((digit) => (digit === POINT ? "" : Math.min(digit, 9))).join("");
  return { value: num(BigInt(text === "" ? "0" : text), scale), end: end + 1 };
}
