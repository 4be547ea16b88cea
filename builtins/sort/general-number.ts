/** sort -g: numbers as strtold(3) reads them, at the precision of its long double (64 bits of mantissa). */
import { compare, parseLongDouble, toDouble } from "../../src/numbers/long-double.ts";

/** `rank`: 0 no number, 1 a NaN, 2 a number. */
export interface GeneralNumber {
  readonly rank: 0 | 1 | 2;
  /** Rounded to double. */
  readonly value: number;
  /** Two exact numbers with the same value are the same number. */
  readonly exact: boolean;
  /** What `value` was read from. */
  readonly text: string;
}

const NO_NUMBER: GeneralNumber = { rank: 0, value: 0, exact: true, text: "" };
const NOT_A_NUMBER: GeneralNumber = { ...NO_NUMBER, rank: 1 };

/** A decimal number, read without a bigint. */
const DECIMAL = /^[ \t\n\v\f\r]*[+-]?(?!0x)(?=\.?\d)(\d*)(?:\.(\d*))?(?:e[+-]?\d+)?/i;

export function readGeneral(bytes: Buffer, from: number, to: number): GeneralNumber {
  const text = bytes.toString("latin1", from, to);
  const found = DECIMAL.exec(text);
  if (found === null) {
    const { value, rest } = parseLongDouble(text);
    if (rest === text) return NO_NUMBER;
    if (value.kind === "nan") return NOT_A_NUMBER;
    return { rank: 2, value: toDouble(value), exact: value.kind === "infinite", text };
  }
  const [matched, whole = "", part = ""] = found;
  const digits = (whole + part).replace(/^0+/, "");
  const value = Number.parseFloat(matched);
  const size = Math.abs(value);
  const isNormal = digits === "" || (size >= 2.3e-308 && size < Infinity);
  return { rank: 2, value, exact: digits.length <= 15 && isNormal, text: matched };
}

export function compareGeneral(a: GeneralNumber, b: GeneralNumber): number {
  if (a.rank !== 2 || b.rank !== 2) return a.rank - b.rank;
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  if (a.exact && b.exact) return 0;
  return compare(parseLongDouble(a.text).value, parseLongDouble(b.text).value) ?? 0;
}
