/**
 * The 80-bit floating point of x86, which bash's printf and GNU seq and numfmt compute with: 64 bits of mantissa, so that
 * `printf %.20f 0.1` prints 0.10000000000000000000. Exact, on bigints.
 */
export type LongDouble =
  | {
      readonly kind: "finite";
      readonly negative: boolean;
      /** Below 2^64. */
      readonly mantissa: bigint;
      /** Power of two. */
      readonly exponent: number;
    }
  | { readonly kind: "infinite" | "nan"; readonly negative: boolean };

const MANTISSA_BITS = 64;
/** Exponents of the last mantissa bit: of the smallest subnormal, and of the largest number. */
const MIN_EXPONENT = -16445;
const MAX_EXPONENT = 16384 - MANTISSA_BITS;
/** Past this many decimal places a number is 0 or infinite whatever its digits. */
const FAR = 6000;

export function fromInteger(value: bigint): LongDouble {
  return rounded(value < 0n, value < 0n ? -value : value, 1n).value;
}

export interface ParsedLongDouble {
  readonly value: LongDouble;
  /** Text after the number, which strtold(3) did not take. */
  readonly rest: string;
  readonly outOfRange: boolean;
}

/** strtold(3): decimal and hexadecimal numbers, inf, infinity, nan, nan(…). */
export function parseLongDouble(text: string): ParsedLongDouble {
  const [lead = "", sign = ""] = /^[ \t\n\v\f\r]*([+-]?)/.exec(text) ?? [];
  const negative = sign === "-";
  const body = text.slice(lead.length);
  const named = /^(?:inf(?:inity)?|nan(?:\(\w*\))?)/i.exec(body)?.[0];
  if (named !== undefined) {
    const kind = /^i/i.test(named) ? "infinite" : "nan";
    return { value: { kind, negative }, rest: body.slice(named.length), outOfRange: false };
  }
  const hexadecimal = /^0[xX](?=\.?[0-9a-fA-F])([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?(?:[pP]([+-]?\d+))?/.exec(body);
  if (hexadecimal !== null) {
    const [all, whole = "", fraction = "", power = "0"] = hexadecimal;
    const exponent = Math.max(-200_000, Math.min(200_000, Number(power))) - 4 * fraction.length;
    const size = BigInt(`0x0${whole}${fraction}`);
    return {
      ...(exponent < 0 ? rounded(negative, size, 1n << BigInt(-exponent)) : rounded(negative, size << BigInt(exponent), 1n)),
      rest: body.slice(all.length),
    };
  }
  const decimal = /^(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?/.exec(body);
  if (decimal === null) return { value: fromInteger(0n), rest: text, outOfRange: false };
  const [all, whole = "", fraction = "", power = "0"] = decimal;
  const rest = body.slice(all.length);
  const digits = (whole + fraction).replace(/^0+/, "");
  if (digits === "") return { value: { kind: "finite", negative, mantissa: 0n, exponent: 0 }, rest, outOfRange: false };
  const exponent = Number(power) - fraction.length;
  const magnitude = exponent + digits.length;
  if (magnitude > FAR) return { value: { kind: "infinite", negative }, rest, outOfRange: true };
  if (magnitude < -FAR) return { value: { kind: "finite", negative, mantissa: 0n, exponent: 0 }, rest, outOfRange: true };
  const size = BigInt(digits);
  return {
    ...(exponent < 0 ? rounded(negative, size, 10n ** BigInt(-exponent)) : rounded(negative, size * 10n ** BigInt(exponent), 1n)),
    rest,
  };
}

/** The nearest long double to `size / divisor`, ties to even. */
function rounded(negative: boolean, size: bigint, divisor: bigint): { value: LongDouble; outOfRange: boolean } {
  if (size === 0n) return { value: { kind: "finite", negative, mantissa: 0n, exponent: 0 }, outOfRange: false };
  let exponent = Math.max(MIN_EXPONENT, bitLength(size) - bitLength(divisor) - MANTISSA_BITS);
  let mantissa = scaledQuotient(size, divisor, exponent);
  while (bitLength(mantissa) > MANTISSA_BITS) mantissa = scaledQuotient(size, divisor, ++exponent);
  if (exponent > MAX_EXPONENT) return { value: { kind: "infinite", negative }, outOfRange: true };
  return {
    value: { kind: "finite", negative, mantissa, exponent },
    outOfRange:
      mantissa === 0n ||
      (bitLength(mantissa) < MANTISSA_BITS && exponent === MIN_EXPONENT && mantissa * divisor !== size << BigInt(-exponent)),
  };
}

function scaledQuotient(size: bigint, divisor: bigint, exponent: number): bigint {
  return exponent < 0 ? dividedToEven(size << BigInt(-exponent), divisor) : dividedToEven(size, divisor << BigInt(exponent));
}

/** `size / divisor` to the nearest integer, ties to even. */
export function dividedToEven(size: bigint, divisor: bigint): bigint {
  const quotient = size / divisor;
  const twice = (size - quotient * divisor) * 2n;
  return twice > divisor || (twice === divisor && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}

export const bitLength = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

/** a + b; infinities of different signs make a nan with its sign set, as on x86. */
export function add(a: LongDouble, b: LongDouble): LongDouble {
  if (a.kind === "finite" && b.kind === "finite") {
    if (a.mantissa === 0n && b.mantissa === 0n) return { ...a, negative: a.negative && b.negative };
    const exponent = Math.min(a.exponent, b.exponent);
    const [left, right] = [a.mantissa << BigInt(a.exponent - exponent), b.mantissa << BigInt(b.exponent - exponent)];
    const sum = (a.negative ? -left : left) + (b.negative ? -right : right);
    return scaled(sum < 0n, sum < 0n ? -sum : sum, exponent);
  }
  if (a.kind === "nan" || b.kind === "finite") return a;
  if (b.kind === "nan" || a.kind === "finite") return b;
  return a.negative === b.negative ? a : { kind: "nan", negative: true };
}

/** a × b; infinity times 0 is a nan with its sign set. */
export function multiply(a: LongDouble, b: LongDouble): LongDouble {
  const negative = a.negative !== b.negative;
  if (a.kind === "finite" && b.kind === "finite") return scaled(negative, a.mantissa * b.mantissa, a.exponent + b.exponent);
  if (a.kind === "nan") return a;
  if (b.kind === "nan") return b;
  return isZero(a) || isZero(b) ? { kind: "nan", negative: true } : { kind: "infinite", negative };
}

/** Below 0, 0 or above 0; undefined where one is no number. */
export function compare(a: LongDouble, b: LongDouble): number | undefined {
  if (a.kind === "nan" || b.kind === "nan") return undefined;
  if (a.kind === "infinite" || b.kind === "infinite") {
    const size = (x: LongDouble): number => (x.kind === "infinite" ? (x.negative ? -1 : 1) : 0);
    return size(a) - size(b);
  }
  const difference = add(a, { ...b, negative: !b.negative });
  return isZero(difference) ? 0 : difference.negative ? -1 : 1;
}

const isZero = (x: LongDouble): boolean => x.kind === "finite" && x.mantissa === 0n;

function scaled(negative: boolean, mantissa: bigint, exponent: number): LongDouble {
  if (mantissa === 0n) return { kind: "finite", negative, mantissa, exponent: 0 };
  return (exponent >= 0 ? rounded(negative, mantissa << BigInt(exponent), 1n) : rounded(negative, mantissa, 1n << BigInt(-exponent))).value;
}

/** a ÷ b, of numbers that are finite; b is not 0. */
export function divide(a: LongDouble, b: LongDouble): LongDouble {
  if (a.kind !== "finite" || b.kind !== "finite") return a;
  const shift = a.exponent - b.exponent;
  const negative = a.negative !== b.negative;
  return shift >= 0
    ? rounded(negative, a.mantissa << BigInt(shift), b.mantissa).value
    : rounded(negative, a.mantissa, b.mantissa << BigInt(-shift)).value;
}

/** The nearest double; a subnormal one is rounded twice. */
export function toDouble(x: LongDouble): number {
  if (x.kind === "nan") return NaN;
  // In two steps, because 2 ** exponent alone may be out of range.
  const half = Math.trunc((x.kind === "finite" ? x.exponent : 0) / 2);
  const size = x.kind === "finite" ? Number(x.mantissa) * 2 ** half * 2 ** (x.exponent - half) : Infinity;
  return x.negative ? -size : size;
}
