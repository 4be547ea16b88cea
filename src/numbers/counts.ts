/**
 * Numbers as the GNU tools read them from an argument: gnulib's xstrtoumax and xdectoumax, with the unit suffixes
 * and the error texts.
 */
import { BadValue } from "../builtin/usage-error.ts";
import { quoteCurly } from "../display/quote.ts";
import { strtol } from "./strtol.ts";

/**
 * The suffixes of head, tail, split, od: `b` 512; `k K m M G T P E Z Y` powers of 1024; with the "0" also
 * `kB` (powers of 1000) and `KiB` (powers of 1024).
 */
export const SIZE_SUFFIXES = "bkKmMGTPEZY0";

export interface CountOptions {
  /** Suffix letters that are taken, as xstrtoumax's `valid_suffixes`; default none. */
  readonly suffixes?: string;
  /** Smallest value taken (default 0). */
  readonly min?: bigint;
  /** Largest value taken (default 2^64-1, or 2^63-1 where signed). */
  readonly max?: bigint;
  /** Read as intmax_t (xdectoimax), so that "-3" is a number; default where `min` is below 0. */
  readonly signed?: boolean;
  /** The message before the value: "invalid number of lines". */
  readonly complaint: string;
  /** The text that the message quotes, if it is not the whole value (`head -n -x` quotes ‘x’). */
  readonly quoted?: string;
}

/**
 * A flag's `read` that gives a number, with xdectoumax's words: `COMPLAINT: ‘text’`, and
 * `: Value too large for defined data type` or `: Numerical result out of range` after it where it does not fit.
 * A value past 2^53 is rounded: no count of ours gets that far.
 */
export function countReader(options: CountOptions): (text: string) => number {
  return (text) => Number(readCount(text, options));
}

/** Reads a count as `countReader` does, without rounding. Throws BadValue. */
export function readCount(text: string, options: CountOptions): bigint {
  const min = options.min ?? 0n;
  const signed = options.signed ?? min < 0n;
  const max = options.max ?? (signed ? MAX_SIGNED : MAX_UNSIGNED);
  const { value, problem } = scanCount(text, { suffixes: options.suffixes ?? "", signed });
  const said = `${options.complaint}: ${quoteCurly(options.quoted ?? text)}`;
  if (problem === "overflow") throw new BadValue(`${said}: ${TOO_LARGE}`);
  if (problem !== undefined) throw new BadValue(said);
  if (value < min || value > max) {
    throw new BadValue(`${said}: ${value > INT_MAX / 2n || value < INT_MIN / 2n ? TOO_LARGE : OUT_OF_RANGE}`);
  }
  return value;
}

/** Result of xstrtoumax. A value that overflows is the largest that its type holds. */
export interface ScannedCount {
  readonly value: bigint;
  /** LONGINT_INVALID, LONGINT_OVERFLOW, LONGINT_INVALID_SUFFIX_CHAR (with or without overflow). */
  readonly problem: "invalid" | "overflow" | "suffix" | undefined;
}

/** gnulib's xstrtoumax (xstrtoimax where `signed`) in `base` (default 10), for tools that word their own errors. */
export function scanCount(
  text: string,
  options: { readonly suffixes: string; readonly signed?: boolean; readonly base?: 0 | 10 },
): ScannedCount {
  const { suffixes } = options;
  const max = options.signed === true ? MAX_SIGNED : MAX_UNSIGNED;
  const min = options.signed === true ? MIN_SIGNED : 0n;
  if (/^[ \t-\r]*-/.test(text) && options.signed !== true) return { value: 0n, problem: "invalid" };
  const number = strtol(text, options.base ?? 10);
  // A unit alone is one of it.
  if (number === undefined && (text === "" || !suffixes.includes(text.charAt(0)))) return { value: 0n, problem: "invalid" };
  let { value, rest } = number ?? { value: 1n, rest: text };
  let overflowed = false;
  const clamp = (): void => {
    if (value <= max && value >= min) return;
    overflowed = true;
    value = value > max ? max : min;
  };
  clamp();
  if (rest !== "") {
    const unit = unitOf(rest, suffixes);
    if (unit === undefined) return { value, problem: "suffix" };
    value *= unit.factor;
    clamp();
    if (unit.length < rest.length) return { value, problem: "suffix" };
  }
  return { value, problem: overflowed ? "overflow" : undefined };
}

/** The unit at the start of `rest` and the number of characters it takes; undefined if `rest` begins with no unit. */
function unitOf(rest: string, suffixes: string): { factor: bigint; length: number } | undefined {
  const letter = rest.charAt(0);
  if (letter === "0" || !suffixes.includes(letter)) return undefined;
  const fixed = FIXED_UNITS[letter];
  if (fixed !== undefined) return { factor: fixed, length: 1 };
  const power = POWERS[letter];
  if (power === undefined) return undefined;
  let base = 1024n;
  let length = 1;
  if (suffixes.includes("0")) {
    if (rest.startsWith("iB", 1)) length = 3;
    else if (rest.charAt(1) === "B" || rest.charAt(1) === "D") {
      base = 1000n;
      length = 2;
    }
  }
  return { factor: base ** power, length };
}

const FIXED_UNITS: Readonly<Record<string, bigint>> = { b: 512n, B: 1024n, c: 1n, w: 2n };
const POWERS: Readonly<Record<string, bigint>> = {
  k: 1n,
  K: 1n,
  m: 2n,
  M: 2n,
  g: 3n,
  G: 3n,
  t: 4n,
  T: 4n,
  P: 5n,
  E: 6n,
  Z: 7n,
  Y: 8n,
  R: 9n,
  Q: 10n,
};

const MAX_UNSIGNED = (1n << 64n) - 1n;
const MAX_SIGNED = (1n << 63n) - 1n;
const MIN_SIGNED = -(1n << 63n);
const INT_MAX = (1n << 31n) - 1n;
const INT_MIN = -(1n << 31n);
const TOO_LARGE = "Value too large for defined data type";
const OUT_OF_RANGE = "Numerical result out of range";
