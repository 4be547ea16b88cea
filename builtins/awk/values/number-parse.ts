/** Text → numbers, as strtod(3) reads decimal ones, with gawk's rules for what looks like a number. */
import { latin1 } from "../run/latin1.ts";

const NUMERIC = /^[ \t\n\v\f\r]*[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?[ \t\n\v\f\r]*$/;
const LEADING = /^[ \t\n\v\f\r]*([-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)/;
const SPECIAL = /^[ \t\n\v\f\r]*([-+])(inf|nan)[ \t\n\v\f\r]*$/i;

/** True if `text`, blanks around it aside, is a decimal number: `+inf` and the like count, `inf` and `0x1` do not. */
export function looksNumeric(text: string): boolean {
  const { length } = text;
  if (length === 0) return false;
  const first = text.charCodeAt(0);
  // Most text that is no number begins with a letter.
  if (first > 0x39) return false;
  if (length < 16) {
    let at = 0;
    for (; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code < 0x30 || code > 0x39) break;
    }
    if (at === length) return true;
  }
  return NUMERIC.test(text) || SPECIAL.test(text);
}

/** The number that `text` begins with, or 0. */
export function leadingNumber(text: string): number {
  const { length } = text;
  if (length > 0 && length < 16) {
    let value = 0;
    let at = 0;
    for (; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code < 0x30 || code > 0x39) break;
      value = value * 10 + (code - 0x30);
    }
    if (at === length) return value;
    if (at === 0 && text.charCodeAt(0) > 0x39) return 0;
  }
  const found = LEADING.exec(text);
  if (found !== null) return Number(found[1]);
  const special = SPECIAL.exec(text);
  if (special === null) return 0;
  const size = (special[2] as string).toLowerCase() === "inf" ? Infinity : NaN;
  return special[1] === "-" ? -size : size;
}

const SIGNED_HEXADECIMAL = /^([-+])0[xX](?=\.?[0-9a-fA-F])([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?(?:[pP]([-+]?[0-9]+))?/;
const BASED_NUMERIC =
  /^[ \t\n\v\f\r]*(?:0[xX][0-9a-fA-F]+|0[0-7]+|[-+]0[xX](?:[0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?|\.[0-9a-fA-F]+)(?:[pP][-+]?[0-9]+)?)[ \t\n\v\f\r]*$/;

/** The number of `text` where it begins with 0x or, as one in octal does, with 0. */
function basedNumber(text: string): number | undefined {
  if (!text.startsWith("0")) return undefined;
  const hexadecimal = /^0[xX]([0-9a-fA-F]*)/.exec(text);
  if (hexadecimal !== null) return Number(`0x${hexadecimal[1] || "0"}`);
  const octal = /^0([0-7]+)(?![0-9.eE])/.exec(text);
  return octal === null ? undefined : Number(`0o${octal[1]}`);
}

/** As `leadingNumber`, where hexadecimal and octal numbers count too (--non-decimal-data): with a sign only the first, as strtod(3) reads them. */
export function leadingAnyNumber(text: string): number {
  const number = text.replace(/^[ \t\n\v\f\r]+/, "");
  const signed = SIGNED_HEXADECIMAL.exec(number);
  if (signed === null) return basedNumber(number) ?? leadingNumber(number);
  const [, sign, whole = "", fraction = "", exponent = "0"] = signed;
  const size = Number(`0x${whole}${fraction}`) * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === "-" ? -size : size;
}

/** The number of `text` where, blanks around it aside, it is one; with `anyBase` also of another base. */
export function numberAsWhole(text: string, anyBase: boolean): number | null {
  if (anyBase && BASED_NUMERIC.test(text)) return leadingAnyNumber(text);
  if (!looksNumeric(text)) return null;
  return anyBase ? leadingAnyNumber(text) : leadingNumber(text);
}

/** Reads a text as strtonum does: one that begins with 0x or 0 is hexadecimal or octal, any other is read by `otherwise`. */
export const numberOfAnyBase = (text: string, otherwise: (text: string) => number): number => basedNumber(text) ?? otherwise(text);

/** The number in `bytes`, from `from` to `to`: the common forms without making a string. */
export function numberInBytes(bytes: Buffer, from: number, to: number): number {
  let at = from;
  let negative = false;
  const first = bytes[at];
  if (first === 0x2d || first === 0x2b) {
    negative = first === 0x2d;
    at++;
  }
  if (to - at > 0 && to - at <= 16) {
    let digits = 0;
    let value = 0;
    let point = -1;
    for (; at < to; at++) {
      const byte = bytes[at] as number;
      if (byte >= 0x30 && byte <= 0x39) {
        value = value * 10 + (byte - 0x30);
        digits++;
      } else if (byte === 0x2e && point < 0) point = digits;
      else break;
    }
    if (at === to && digits > 0 && digits <= 15) {
      // Both are exact, so the quotient is the nearest double.
      const size = point < 0 || point === digits ? value : value / (POWERS_OF_TEN[digits - point] as number);
      return negative ? -size : size;
    }
    if (digits === 0 && at < to) {
      const byte = bytes[at] as number;
      if (byte > 0x39 && (byte | 0x20) !== 0x69 && (byte | 0x20) !== 0x6e) return 0;
    }
  }
  return leadingNumber(latin1(bytes, from, to));
}

const POWERS_OF_TEN = Array.from({ length: 23 }, (_, power) => 10 ** power);
