/** Floating point numbers with as few digits as read back to the same number, as gnulib's ftoastr prints them. */

/** `negative` is the sign bit, for what is not a number. */
export function floatText(value: number, size: "single" | "double", negative: boolean): string {
  if (Number.isNaN(value)) return negative ? "-nan" : "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  if (value === 0) return negative ? "-0" : "0";
  const [digits, smallest, most] = size === "single" ? [6, 2 ** -126, 9] : [15, 2 ** -1022, 17];
  const isSame = size === "single" ? (text: string) => Math.fround(Number(text)) === value : (text: string) => Number(text) === value;
  for (let precision = Math.abs(value) < smallest ? 1 : digits; ; precision++) {
    const rounded = value.toExponential(precision - 1);
    if (precision < most && !isSame(rounded)) continue;
    const text = tieToEven(value, rounded, precision);
    const [mantissa = "", exponent = "0"] = text.replace("-", (sign, at: number) => (at === 0 ? "" : sign)).split("e");
    return (value < 0 ? "-" : "") + general(mantissa.replace(".", ""), Number(exponent), precision);
  }
}

/** JavaScript rounds up what lies right between two, C to the even one. `rounded` has `precision` digits. */
function tieToEven(value: number, rounded: string, precision: number): string {
  if (!/[13579](?=e)/.test(rounded)) return rounded;
  const exact = value.toExponential(precision + TIE_DIGITS);
  const [, before = "", tail = "", power = ""] = /^(.*)(.{21})(e.*)$/.exec(exact) ?? [];
  return /^50*$/.test(tail) ? before.replace(/\.$/, "") + power : rounded;
}

/** So many zeros after a 5 no number has by chance. */
const TIE_DIGITS = 20;

/** printf's %g of `digits` (the first before the point) times ten to `exponent`, at `precision`. */
function general(digits: string, exponent: number, precision: number): string {
  if (exponent < -4 || exponent >= precision) {
    const kept = digits.replace(/0+$/, "") || "0";
    const power = `${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
    return `${kept[0] as string}${kept.length > 1 ? `.${kept.slice(1)}` : ""}e${power}`;
  }
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits.replace(/0+$/, "")}`;
  const fraction = digits.slice(exponent + 1).replace(/0+$/, "");
  return digits.slice(0, exponent + 1) + (fraction === "" ? "" : `.${fraction}`);
}

const INTEGER_BIT = 1n << 63n;

/** An 80-bit extended number in 16 bytes, little-endian. */
export function longDoubleText(bytes: Buffer): string {
  const mantissa = bytes.readBigUInt64LE(0);
  const top = bytes.readUInt16LE(8);
  const sign = (top & 0x8000) !== 0 ? "-" : "";
  const biased = top & 0x7fff;
  if (biased === 0x7fff && mantissa === INTEGER_BIT) return `${sign}inf`;
  if (biased === 0x7fff || (biased !== 0 && mantissa < INTEGER_BIT)) return `${sign}nan`;
  if (mantissa === 0n) return `${sign}0`;
  const power = Math.max(biased, 1) - 16383 - 63;
  for (let precision = biased === 0 ? 1 : 18; ; precision++) {
    const { digits, exponent } = decimal(mantissa, power, precision);
    if (precision >= 21 || readsBack(digits, exponent, precision, mantissa, power)) {
      return sign + general(String(digits), exponent, precision);
    }
  }
}

/** mantissa · 2^power rounded to `precision` digits, as digits · 10^(exponent - precision + 1). */
function decimal(mantissa: bigint, power: number, precision: number): { digits: bigint; exponent: number } {
  let exponent = Math.floor((mantissa.toString(2).length - 1 + power) * Math.LOG10E * Math.LN2);
  for (;;) {
    const scale = precision - 1 - exponent;
    let above = mantissa;
    let below = 1n;
    if (power >= 0) above <<= BigInt(power);
    else below <<= BigInt(-power);
    if (scale >= 0) above *= 10n ** BigInt(scale);
    else below *= 10n ** BigInt(-scale);
    let digits = above / below;
    const twice = (above % below) * 2n;
    if (twice > below || (twice === below && digits % 2n === 1n)) digits++;
    const length = String(digits).length;
    if (length === precision) return { digits, exponent };
    exponent += length > precision ? 1 : -1;
  }
}

/** Whether the decimal number is nearer to mantissa · 2^power than to its neighbours. */
function readsBack(digits: bigint, exponent: number, precision: number, mantissa: bigint, power: number): boolean {
  const scale = exponent - precision + 1;
  let read = digits;
  let exact = mantissa;
  let unit = 1n;
  if (scale >= 0) read *= 10n ** BigInt(scale);
  else {
    exact *= 10n ** BigInt(-scale);
    unit *= 10n ** BigInt(-scale);
  }
  if (power >= 0) {
    exact <<= BigInt(power);
    unit <<= BigInt(power);
  } else read <<= BigInt(-power);
  const off = (read > exact ? read - exact : exact - read) * 2n;
  // Below a power of two the neighbour is only half as far.
  const room = read < exact && mantissa === INTEGER_BIT ? unit / 2n : unit;
  return off < room || (off === room && mantissa % 2n === 0n);
}
