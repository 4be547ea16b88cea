/**
 * Decimal numbers with a scale (digits after the point), by the rules of bc: each operation says how many digits its result keeps,
 * and cuts the rest off. POSIX states the scales; where GNU bc computes step by step (square roots), so does this.
 */
import { LimitReached } from "../../src/io/limit-reached.ts";

/** The value is ± `digits` / 10^`scale`. A zero may be negative, as in GNU bc, which then prints "-0". */
export interface Num {
  readonly negative: boolean;
  /** Never below 0. */
  readonly digits: bigint;
  readonly scale: number;
}

export const ZERO: Num = { negative: false, digits: 0n, scale: 0 };
export const ONE: Num = { negative: false, digits: 1n, scale: 0 };
export const TWO: Num = { negative: false, digits: 2n, scale: 0 };

/** The most digits of a number: one operation on such numbers takes about a second. */
const MOST_DIGITS = 1_000_000;
/** Bits of a number of MOST_DIGITS. */
const MOST_BITS = MOST_DIGITS * Math.log2(10);

export const num = (digits: bigint, scale: number): Num => ({ negative: false, digits, scale });
export const fromInteger = (value: number): Num => ({ negative: value < 0, digits: BigInt(Math.abs(value)), scale: 0 });
export const isZero = ({ digits }: Num): boolean => digits === 0n;

/** Digits before the point, at least one. */
export function integerDigits(value: Num): number {
  const whole = wholePart(value);
  return whole === 0n ? 1 : whole.toString().length;
}

const wholePart = ({ digits, scale }: Num): bigint => (scale === 0 ? digits : digits / power10(scale));

const POWERS: readonly bigint[] = Array.from({ length: 256 }, (_, exponent) => 10n ** BigInt(exponent));

export function power10(exponent: number): bigint {
  if (exponent > MOST_DIGITS) throw tooLong();
  return POWERS[exponent] ?? 10n ** BigInt(exponent);
}

const tooLong = (): LimitReached => new LimitReached("held", MOST_DIGITS, "digits in a number");

/** The digits of `value` at another scale; those past it are cut off. */
function digitsAt({ digits, scale }: Num, wanted: number): bigint {
  if (wanted === scale) return digits;
  return wanted > scale ? digits * power10(wanted - scale) : digits / power10(scale - wanted);
}

/** `value` cut off, or filled up, to `scale`; its sign stays. */
export const atScale = (value: Num, scale: number): Num => ({ negative: value.negative, digits: digitsAt(value, scale), scale });

/** The sum, with at least `leastScale` digits after the point. */
export function add(one: Num, other: Num, leastScale = 0): Num {
  const scale = Math.max(one.scale, other.scale);
  const [a, b] = [digitsAt(one, scale), digitsAt(other, scale)];
  const shown = (negative: boolean, digits: bigint): Num => {
    const sum = { negative, digits, scale };
    return leastScale > scale ? atScale(sum, leastScale) : sum;
  };
  if (one.negative === other.negative) return shown(one.negative, a + b);
  if (a === b) return shown(false, 0n);
  return a > b ? shown(one.negative, a - b) : shown(other.negative, b - a);
}

export const subtract = (one: Num, other: Num, leastScale = 0): Num => add(one, { ...other, negative: !other.negative }, leastScale);
export const negate = (value: Num): Num => subtract(ZERO, value);

/** −1, 0 or 1; a negative zero is below zero. */
export function compare(one: Num, other: Num): number {
  if (one.negative !== other.negative) return one.negative ? -1 : 1;
  const scale = Math.max(one.scale, other.scale);
  const [a, b] = [digitsAt(one, scale), digitsAt(other, scale)];
  if (a === b) return 0;
  return a > b !== one.negative ? 1 : -1;
}

export function multiply(one: Num, other: Num, scale: number): Num {
  const full = one.scale + other.scale;
  const kept = Math.min(full, Math.max(scale, one.scale, other.scale));
  if (bitsBound(one) + bitsBound(other) > MOST_BITS) throw tooLong();
  const product = one.digits * other.digits;
  const digits = kept === full ? product : product / power10(full - kept);
  return { negative: digits !== 0n && one.negative !== other.negative, digits, scale: kept };
}

/** No more than the bits of its digits, cheaply: exact enough for a cap. */
function bitsBound({ digits }: Num): number {
  if (digits < 1n << 1024n) return 0;
  return digits.toString(16).length * 4;
}

/** The divisor must not be zero. */
export function divide(one: Num, other: Num, scale: number): Num {
  const shift = scale + other.scale - one.scale;
  const digits = shift >= 0 ? (one.digits * power10(shift)) / other.digits : one.digits / (other.digits * power10(-shift));
  return { negative: digits !== 0n && one.negative !== other.negative, digits, scale };
}

/** The divisor must not be zero. */
export function modulo(one: Num, other: Num, scale: number): Num {
  const kept = Math.max(one.scale, other.scale + scale);
  return subtract(one, multiply(divide(one, other, scale), other, kept), kept);
}

/** As a C long: 0 where it does not fit. */
export function toLong(value: Num): bigint {
  const whole = wholePart(value);
  if (whole > LONG_MAX) return 0n;
  return value.negative ? -whole : whole;
}

const LONG_MAX = (1n << 63n) - 1n;

/** undefined for zero to a negative power. */
export function raise(base: Num, exponent: bigint, scale: number): Num | undefined {
  if (exponent === 0n) return ONE;
  const isInverse = exponent < 0n;
  const times = isInverse ? -exponent : exponent;
  const full = BigInt(base.scale) * times;
  const least = BigInt(Math.max(scale, base.scale));
  const kept = isInverse ? scale : Number(full < least ? full : least);
  if (base.digits > 1n && BigInt(base.digits.toString(2).length - 1) * times > BigInt(Math.floor(MOST_BITS))) throw tooLong();
  if (full > BigInt(MOST_DIGITS)) throw tooLong();
  const negative = base.negative && (times & 1n) === 1n && base.digits !== 0n;
  const power: Num = { negative, digits: base.digits ** times, scale: Number(full) };
  if (isInverse) return isZero(power) ? undefined : divide(ONE, power, kept);
  return power.scale > kept ? atScale(power, kept) : power;
}

const HALF: Num = num(5n, 1);

/** Newton's method, with digits growing threefold as GNU bc has it; undefined for a negative number. */
export function squareRoot(value: Num, scale: number): Num | undefined {
  const order = compare(value, ZERO);
  if (order < 0) return undefined;
  if (order === 0) return ZERO;
  const toOne = compare(value, ONE);
  if (toOne === 0) return ONE;
  const wanted = Math.max(scale, value.scale);
  let guess = toOne < 0 ? ONE : num(power10(Math.floor(integerDigits(value) / 2)), 0);
  let working = toOne < 0 ? value.scale : 3;
  for (;;) {
    const before = guess;
    guess = multiply(add(divide(value, guess, working), before), HALF, working);
    if (!isNearZero(subtract(guess, before, working + 1), working)) continue;
    if (working >= wanted + 1) return divide(guess, ONE, wanted);
    working = Math.min(working * 3, wanted + 1);
  }
}

/** True if at `scale` at most the last digit is there, and is 1. */
function isNearZero(value: Num, scale: number): boolean {
  return digitsAt(value, Math.min(scale, value.scale)) <= 1n;
}
