/** -n and -h: decimal numbers of any length, compared as GNU strnumcmp does, without a locale's thousands separator. */
import { isBlank } from "./fields.ts";

const [ZERO, NINE, DOT, MINUS] = [0x30, 0x39, 0x2e, 0x2d];
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;

/** What was read last. `exact`: two exact numbers with the same value are the same number. One object, for speed. */
export interface Reading {
  value: number;
  exact: boolean;
}

export function skipBlanks(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && isBlank(bytes[at] as number)) at++;
  return at;
}

/** The number that `bytes[from..to)` begins with, after blanks; 0 where it begins with none. */
export function readDecimal(bytes: Buffer, from: number, to: number, into: Reading): void {
  const start = skipBlanks(bytes, from, to);
  let at = start;
  const negative = at < to && bytes[at] === MINUS;
  if (negative) at++;
  let value = 0;
  let significant = 0;
  let decimals = 0;
  for (; at < to; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) break;
    if (significant > 0 || digit > 0) significant++;
    value = value * 10 + digit;
  }
  if (at + 1 < to && bytes[at] === DOT) {
    for (at++; at < to; at++) {
      const digit = (bytes[at] as number) - ZERO;
      if (digit < 0 || digit > 9) break;
      if (significant > 0 || digit > 0) significant++;
      decimals++;
      value = value * 10 + digit;
    }
  }
  into.exact = significant <= 15 && decimals <= 22;
  if (!into.exact) {
    const read = Number.parseFloat(bytes.toString("latin1", start, at));
    into.value = Number.isNaN(read) ? 0 : read;
    return;
  }
  if (decimals > 0) value /= POWERS_OF_TEN[decimals] as number;
  into.value = negative && value !== 0 ? -value : value;
}

const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

/** Compares the numbers at the start of two ranges digit by digit. */
export function compareDecimals(a: Uint8Array, aFrom: number, aTo: number, b: Uint8Array, bFrom: number, bTo: number): number {
  const left = digitsOf(a, skipBlanks(a, aFrom, aTo), aTo);
  const right = digitsOf(b, skipBlanks(b, bFrom, bTo), bTo);
  if (left.sign !== right.sign) return left.sign - right.sign;
  return left.sign * compareMagnitudes(a, left, b, right);
}

interface Digits {
  /** 0 for zero, whatever its sign. */
  readonly sign: -1 | 0 | 1;
  /** Digits before the point without leading zeros, and after it without trailing ones. */
  readonly wholeFrom: number;
  readonly wholeTo: number;
  readonly partFrom: number;
  readonly partTo: number;
}

function digitsOf(bytes: Uint8Array, from: number, to: number): Digits {
  let at = from;
  const negative = at < to && bytes[at] === MINUS;
  if (negative) at++;
  while (at < to && bytes[at] === ZERO) at++;
  const wholeFrom = at;
  while (at < to && isDigit(bytes[at])) at++;
  const wholeTo = at;
  const partFrom = at < to && bytes[at] === DOT ? at + 1 : at;
  let partTo = partFrom;
  if (partFrom > at) {
    while (partTo < to && isDigit(bytes[partTo])) partTo++;
    while (partTo > partFrom && bytes[partTo - 1] === ZERO) partTo--;
  }
  const sign = wholeFrom === wholeTo && partFrom === partTo ? 0 : negative ? -1 : 1;
  return { sign, wholeFrom, wholeTo, partFrom, partTo };
}

function compareMagnitudes(a: Uint8Array, left: Digits, b: Uint8Array, right: Digits): number {
  const byLength = left.wholeTo - left.wholeFrom - (right.wholeTo - right.wholeFrom);
  if (byLength !== 0) return byLength;
  for (let i = left.wholeFrom, j = right.wholeFrom; i < left.wholeTo; i++, j++) {
    if (a[i] !== b[j]) return (a[i] as number) - (b[j] as number);
  }
  for (let i = left.partFrom, j = right.partFrom; i < left.partTo || j < right.partTo; i++, j++) {
    const difference = (i < left.partTo ? (a[i] as number) : ZERO) - (j < right.partTo ? (b[j] as number) : ZERO);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** -h: 1 for K … 8 for Y behind a number that is not 0, negative behind a negative one, else 0. */
export function unitOrder(bytes: Uint8Array, from: number, to: number): number {
  let at = skipBlanks(bytes, from, to);
  const negative = at < to && bytes[at] === MINUS;
  if (negative) at++;
  let largest = 0;
  for (; at < to && isDigit(bytes[at]); at++) largest = Math.max(largest, bytes[at] as number);
  if (at < to && bytes[at] === DOT) {
    for (at++; at < to && isDigit(bytes[at]); at++) largest = Math.max(largest, bytes[at] as number);
  }
  if (largest <= ZERO || at >= to) return 0;
  const order = UNITS.get(bytes[at] as number) ?? 0;
  return negative ? -order : order;
}

/** `k` is K too, because that is the prefix of the SI. */
const UNITS: ReadonlyMap<number, number> = new Map([
  ...["K", "M", "G", "T", "P", "E", "Z", "Y"].map((letter, at) => [letter.charCodeAt(0), at + 1] as const),
  ["k".charCodeAt(0), 1],
]);
