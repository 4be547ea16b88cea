/** C's floating-point conversions of a double, exact to the last digit, ties to even, as glibc prints them. */
import { dividedToEven } from "../../../src/numbers/long-double.ts";

/** A finite number that is not negative, as digits × 10^power: `digits` has `count` digits, the first is not 0 (but for 0). */
interface Decimal {
  readonly digits: string;
  /** Power of ten of the first digit. */
  readonly power: number;
}

/** More digits than this are worked out on bigints at once. */
const MAX_NATIVE_DIGITS = 17;

/** `value` (finite, ≥ 0) to `count` significant digits (at least 1). */
export function significantDigits(value: number, count: number): Decimal {
  if (value === 0) return { digits: "0".repeat(count), power: 0 };
  if (count <= MAX_NATIVE_DIGITS) {
    // Past this many digits nothing but zeros can follow a tie.
    const longer = value.toExponential(Math.min(100, count + 30));
    const e = longer.indexOf("e");
    const after = longer.charAt(0) + longer.slice(2, e);
    const rest = after.slice(count);
    if (!/^50*$/.test(rest)) {
      const text = value.toExponential(count - 1);
      const mark = text.indexOf("e");
      return { digits: text.charAt(0) + text.slice(2, mark), power: Number(text.slice(mark + 1)) };
    }
  }
  return exactDigits(value, count);
}

/** `value` (finite, ≥ 0) with `places` digits after the point. */
export function fixedDigits(value: number, places: number): string {
  const [mantissa, exponent] = parts(value);
  const scale = 10n ** BigInt(places);
  const scaled = exponent >= 0 ? (mantissa << BigInt(exponent)) * scale : dividedToEven(mantissa * scale, 1n << BigInt(-exponent));
  const text = scaled.toString().padStart(places + 1, "0");
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
}

function exactDigits(value: number, count: number): Decimal {
  const [mantissa, exponent] = parts(value);
  let power = Math.floor(Math.log10(value));
  for (;;) {
    // value × 10^(count - 1 - power), to the nearest integer
    const shift = count - 1 - power;
    const top = shift >= 0 ? mantissa * 10n ** BigInt(shift) : mantissa;
    const bottom = shift >= 0 ? 1n : 10n ** BigInt(-shift);
    const scaled = exponent >= 0 ? dividedToEven(top << BigInt(exponent), bottom) : dividedToEven(top, bottom << BigInt(-exponent));
    const digits = scaled.toString();
    if (digits.length === count) return { digits, power };
    // The estimate was off by one, or rounding made one digit more.
    if (digits.length > count && /^10*$/.test(digits)) return { digits: digits.slice(0, count), power: power + 1 };
    power += digits.length > count ? 1 : -1;
  }
}

/** mantissa × 2^exponent */
function parts(value: number): [bigint, number] {
  VIEW.setFloat64(0, value);
  const bits = VIEW.getBigUint64(0);
  const fraction = bits & 0xfffffffffffffn;
  const biased = Number((bits >> 52n) & 0x7ffn);
  return biased === 0 ? [fraction, -1074] : [fraction | 0x10000000000000n, biased - 1075];
}

const VIEW = new DataView(new ArrayBuffer(8));

/** `%e` without sign. */
export function scientific(value: number, precision: number, alternate: boolean): string {
  const { digits, power } = significantDigits(value, precision + 1);
  const point = precision > 0 || alternate ? "." : "";
  return `${digits.charAt(0)}${point}${digits.slice(1)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** `%f` without sign. */
export function fixed(value: number, precision: number, alternate: boolean): string {
  return fixedDigits(value, precision) + (alternate && precision === 0 ? "." : "");
}

/** `%g` without sign. */
export function general(value: number, precision: number, alternate: boolean): string {
  const count = precision === 0 ? 1 : precision;
  const { digits, power } = significantDigits(value, count);
  if (power < -4 || power >= count) {
    const kept = alternate ? digits : digits.replace(/0+$/, "") || "0";
    const point = kept.length > 1 || alternate ? "." : "";
    return `${kept.charAt(0)}${point}${kept.slice(1)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  const whole = power < 0 ? "0" : digits.slice(0, power + 1);
  const all = power < 0 ? "0".repeat(-power - 1) + digits : digits.slice(power + 1);
  const fraction = alternate ? all : all.replace(/0+$/, "");
  return fraction === "" && !alternate ? whole : `${whole}.${fraction}`;
}

/** `%a` without sign. */
export function hexadecimal(value: number, precision: number | undefined, alternate: boolean): string {
  if (value === 0) return `0x0${precision === undefined || precision === 0 ? (alternate ? "." : "") : `.${"0".repeat(precision)}`}p+0`;
  let [mantissa, exponent] = parts(value);
  exponent += 52;
  if (precision !== undefined && precision < 13) {
    mantissa = dividedToEven(mantissa, 1n << BigInt(4 * (13 - precision))) << BigInt(4 * (13 - precision));
  }
  const text = mantissa.toString(16).padStart(14, "0");
  let fraction = text.slice(-13);
  if (precision === undefined) fraction = fraction.replace(/0+$/, "");
  else fraction = fraction.slice(0, precision).padEnd(precision, "0");
  const point = fraction !== "" || alternate ? "." : "";
  return `0x${text.slice(0, -13)}${point}${fraction}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}

/** `+inf`, `-inf`, `-nan`: what awk prints for what is no number. x86 makes negative ones of invalid operations. */
export function specialText(value: number): string {
  if (Number.isNaN(value)) return "-nan";
  return value > 0 ? "+inf" : "-inf";
}
