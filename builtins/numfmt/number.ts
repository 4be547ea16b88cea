/** A number as numfmt reads it and prints it, computed as on x86: in long double. */
import { formatFloat } from "../../src/numbers/float-format.ts";
import { add, compare, divide, fromInteger, multiply, type LongDouble } from "../../src/numbers/long-double.ts";
import { quoteCurly } from "../../src/display/quote.ts";

export type Scale = "none" | "auto" | "si" | "iec" | "iec-i";
export type Rounding = "up" | "down" | "from-zero" | "towards-zero" | "nearest";

/** A field that cannot be converted, in numfmt's words. */
export class BadNumber extends Error {
  override readonly name = "BadNumber";
}

const SUFFIXES = "KMGTPEZY";
/** Digits that a long double holds, and digits up to 999Y. */
const MOST_UNSCALED_DIGITS = 18;
const MOST_DIGITS = 27;

const TEN = fromInteger(10n);
const powerOf = (base: number, power: number): LongDouble => fromInteger(BigInt(base) ** BigInt(power));

export interface ReadNumber {
  readonly value: LongDouble;
  /** Digits behind the point. */
  readonly precision: number;
  readonly losesPrecision: boolean;
}

/** Throws BadNumber. */
export function readNumber(text: string, scale: Scale): ReadNumber {
  const said = quoteCurly(text);
  const [whole = "", sign = "", digits = "", , fraction] = /^(-?)(\d*)(\.(\d*))?/.exec(text) ?? [];
  if (digits === "" && fraction === undefined) throw new BadNumber(`invalid number: ${said}`);
  if (fraction === "" && text.charAt(whole.length) !== ".") throw new BadNumber(`invalid number: ${said}`);
  const significant = [digits, fraction ?? ""].map((part) => part.replace(/^0+/, "").length);
  if (significant.some((count) => count > MOST_DIGITS)) throw new BadNumber(`value too large to be converted: ${said}`);
  let value = integer(digits);
  let precision = 0;
  if (fraction !== undefined && fraction !== "") {
    precision = fraction.length;
    value = add(value, divide(integer(fraction), powerOf(10, Math.min(precision, 4000))));
  }
  if (sign === "-") value = { ...value, negative: true };
  let at = whole.length;
  if (at === text.length && scale === "iec-i") throw new BadNumber(`missing 'i' suffix in input: ${said} (e.g Ki/Mi/Gi)`);
  if (at < text.length) {
    while (text[at] === " " || text[at] === "\t") at++;
    const power = at < text.length ? SUFFIXES.indexOf(text[at] as string) + 1 : 0;
    // Blanks at the end are followed by what strchr(3) takes for a suffix: the NUL that ends the text.
    const isBlankEnd = at === text.length;
    if (power === 0 && !isBlankEnd) throw new BadNumber(`invalid suffix in input: ${said}`);
    if (scale === "none") throw new BadNumber(`rejecting suffix in input: ${said} (consider using --from)`);
    at++;
    let base = scale === "iec" || scale === "iec-i" ? 1024 : 1000;
    if (text[at] === "i" && (scale === "auto" || scale === "iec-i")) {
      base = 1024;
      at++;
    } else if (scale === "iec-i") throw new BadNumber(`missing 'i' suffix in input: ${said} (e.g Ki/Mi/Gi)`);
    precision = 0;
    value = multiply(value, powerOf(base, power));
    if (at < text.length) throw new BadNumber(`invalid suffix in input ${said}: ${quoteCurly(text.slice(at))}`);
  }
  return { value, precision, losesPrecision: significant.some((count) => count > MOST_UNSCALED_DIGITS) };
}

function integer(digits: string): LongDouble {
  let value = fromInteger(0n);
  for (const digit of digits) value = add(multiply(value, TEN), fromInteger(BigInt(digit)));
  return value;
}

export interface NumberStyle {
  readonly scale: Scale;
  readonly rounding: Rounding;
  /** What the format says, over the precision of what was read. */
  readonly precision: number | undefined;
  /** Columns that are filled with zeros. */
  readonly zeroWidth: number;
}

/** Throws BadNumber. */
export function showNumber(value: LongDouble, precision: number, style: NumberStyle): string {
  const shape = { left: false, zero: style.zeroWidth > 0, plus: false, space: false, alternate: false, width: style.zeroWidth };
  const used = style.precision ?? precision;
  const { power: digits } = reduced(value, 10);
  const short = (): string => formatFloat(value, "g", { ...shape, zero: false, width: 0, precision: undefined });
  if (style.scale === "none" && digits + used > MOST_UNSCALED_DIGITS) {
    throw new BadNumber(
      used > 0
        ? `value/precision too large to be printed: '${short()}/${used}' (consider using --to)`
        : `value too large to be printed: '${short()}' (consider using --to)`,
    );
  }
  if (digits > MOST_DIGITS - 1) throw new BadNumber(`value too large to be printed: '${short()}' (cannot handle values > 999Y)`);
  if (style.scale === "none") return formatFloat(roundedAt(value, used, style.rounding), "f", { ...shape, precision: used });
  const base = style.scale === "si" || style.scale === "auto" ? 1000 : 1024;
  let { number, power } = reduced(value, base);
  const places = style.precision === undefined ? (isBelow(number, 10) ? 1 : 0) : Math.min(power * 3, style.precision);
  number = roundedAt(number, places, style.rounding);
  if (!isBelow(number, base)) {
    number = divide(number, fromInteger(BigInt(base)));
    power++;
  }
  const isZero = number.kind === "finite" && number.mantissa === 0n;
  const shown = style.precision ?? (!isZero && isBelow(number, 10) && power > 0 ? 1 : 0);
  const unit = power === 0 ? "" : (SUFFIXES[power - 1] ?? "(error)");
  return formatFloat(number, "f", { ...shape, precision: shown }) + unit + (style.scale === "iec-i" && power > 0 ? "i" : "");
}

/** Divided by the base until it is below it. */
function reduced(value: LongDouble, base: number): { number: LongDouble; power: number } {
  const divisor = fromInteger(BigInt(base));
  let number = value;
  let power = 0;
  while (!isBelow(number, base)) {
    number = divide(number, divisor);
    power++;
  }
  return { number, power };
}

const isBelow = (value: LongDouble, limit: number): boolean =>
  (compare({ ...value, negative: false }, fromInteger(BigInt(limit))) ?? -1) < 0;

function roundedAt(value: LongDouble, places: number, rounding: Rounding): LongDouble {
  const factor = powerOf(10, places);
  return divide(rounded(multiply(value, factor), rounding), factor);
}

/** Through an integer, so that -0 becomes 0. */
function rounded(value: LongDouble, rounding: Rounding): LongDouble {
  if (value.kind === "finite" && value.mantissa === 0n) return { ...value, negative: false };
  if (value.kind !== "finite" || value.exponent >= 0) return value;
  const number = rounding === "nearest" ? half(value) : value;
  if (number.kind !== "finite" || number.exponent >= 0) return number;
  const bits = BigInt(-number.exponent);
  let size = number.mantissa >> bits;
  const isWhole = size << bits === number.mantissa;
  const isAway = rounding === "from-zero" || rounding === (number.negative ? "down" : "up");
  if (!isWhole && isAway) size++;
  const whole = fromInteger(size);
  return { ...whole, negative: number.negative && size !== 0n };
}

/** Half more, away from 0. */
function half(value: LongDouble): LongDouble {
  return add(value, divide({ ...fromInteger(1n), negative: value.negative }, fromInteger(2n)));
}
