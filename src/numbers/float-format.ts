/** C's floating-point conversions of a long double: exact digits, ties to even, as glibc prints them on x86. */
import { inField, padded, signOf, type Shape } from "./integer-format.ts";
import { bitLength, dividedToEven, type LongDouble } from "./long-double.ts";

export type FloatConversion = "a" | "A" | "e" | "E" | "f" | "F" | "g" | "G";

export function formatFloat(value: LongDouble, conversion: FloatConversion, shape: Shape): string {
  const sign = signOf(value.negative, shape);
  const isUpper = conversion < "a";
  const inCase = (text: string): string => (isUpper ? text.toUpperCase() : text);
  if (value.kind !== "finite") return padded(sign + inCase(value.kind === "nan" ? "nan" : "inf"), shape);
  const number: Finite = value;
  switch (conversion) {
    case "a":
    case "A":
      return inField(sign + inCase("0x"), inCase(hexadecimal(number, shape)), true, shape);
    case "e":
    case "E":
      return inField(sign, inCase(scientific(number, shape.precision ?? 6, shape.alternate)), true, shape);
    case "f":
    case "F":
      return inField(sign, fixed(number, shape.precision ?? 6, shape.alternate), true, shape);
    case "g":
    case "G":
      return inField(sign, inCase(general(number, shape)), true, shape);
  }
}

type Finite = Extract<LongDouble, { kind: "finite" }>;

/** value × 10^places, to the nearest integer. */
function scaled({ mantissa, exponent }: Finite, places: number): bigint {
  const size = places > 0 ? mantissa * 10n ** BigInt(places) : mantissa;
  const divisor = places < 0 ? 10n ** BigInt(-places) : 1n;
  return exponent < 0 ? dividedToEven(size, divisor << BigInt(-exponent)) : dividedToEven(size << BigInt(exponent), divisor);
}

function fixed(value: Finite, precision: number, alternate: boolean): string {
  const digits = scaled(value, precision)
    .toString()
    .padStart(precision + 1, "0");
  const whole = digits.slice(0, digits.length - precision);
  return precision === 0 ? (alternate ? `${whole}.` : whole) : `${whole}.${digits.slice(-precision)}`;
}

/** The digits of value, `count` of them, and the power of ten of the first. */
function significant(value: Finite, count: number): { digits: string; power: number } {
  if (value.mantissa === 0n) return { digits: "0".repeat(count), power: 0 };
  let power = Math.floor((bitLength(value.mantissa) + value.exponent) * Math.log10(2));
  while (!reaches(value, power)) power--;
  const digits = scaled(value, count - 1 - power).toString();
  // 9.99 to two digits is 10: one more power.
  return digits.length === count ? { digits, power } : { digits: digits.slice(0, count), power: power + 1 };
}

/** Tells whether value ≥ 10^power. */
function reaches({ mantissa, exponent }: Finite, power: number): boolean {
  const left = (exponent > 0 ? mantissa << BigInt(exponent) : mantissa) * (power < 0 ? 10n ** BigInt(-power) : 1n);
  const right = (exponent < 0 ? 1n << BigInt(-exponent) : 1n) * (power > 0 ? 10n ** BigInt(power) : 1n);
  return left >= right;
}

function scientific(value: Finite, precision: number, alternate: boolean): string {
  const { digits, power } = significant(value, precision + 1);
  const point = precision > 0 || alternate ? "." : "";
  const size = String(Math.abs(power)).padStart(2, "0");
  return `${digits.charAt(0)}${point}${digits.slice(1)}e${power < 0 ? "-" : "+"}${size}`;
}

function general(value: Finite, shape: Shape): string {
  const precision = shape.precision === 0 ? 1 : (shape.precision ?? 6);
  const { power } = significant(value, precision);
  const text =
    power < -4 || power >= precision
      ? scientific(value, precision - 1, shape.alternate)
      : fixed(value, precision - 1 - power, shape.alternate);
  if (shape.alternate) return text;
  const [number = "", tail = ""] = text.split(/(?=e)/);
  return (number.includes(".") ? number.replace(/\.?0+$/, "") : number) + tail;
}

/** `8.cp+0` after the 0x: the first digit holds the mantissa's four highest bits. */
function hexadecimal(value: Finite, shape: Shape): string {
  const { precision } = shape;
  const places = 15;
  let { mantissa, exponent } = value;
  // A subnormal number keeps its place: its first digit is 0.
  if (mantissa === 0n) exponent = -4 * places;
  let kept = places;
  if (precision !== undefined && precision < places) {
    mantissa = dividedToEven(mantissa, 1n << BigInt(4 * (places - precision)));
    kept = precision;
    exponent += 4 * (places - precision);
    if (bitLength(mantissa) > 4 * (kept + 1)) {
      mantissa >>= 4n;
      exponent += 4;
    }
  }
  const digits = mantissa.toString(16).padStart(kept + 1, "0");
  const power = exponent + 4 * kept;
  let fraction = digits.slice(1);
  if (precision === undefined) fraction = fraction.replace(/0+$/, "");
  else fraction = fraction.padEnd(precision, "0");
  const point = fraction !== "" || shape.alternate ? "." : "";
  return `${digits.charAt(0)}${point}${fraction}p${power < 0 ? "-" : "+"}${Math.abs(power)}`;
}
