/** Times that touch is told: a STAMP of digits, and dates. */
import type { LocalTime } from "../../src/dates/date-format.ts";

/** Parts of `[[CC]YY]MMDDhhmm[.ss]`; undefined where the text is none (POSIX touch -t, gnulib posixtime.c). */
export function stampParts(text: string, thisYear: number): StampParts | undefined {
  const [, digits = "", dot] = /^(\d{8}|\d{10}|\d{12})(?:\.(\d\d))?$/.exec(text) ?? [];
  if (digits === "") return undefined;
  const numbers = (digits.match(/../g) ?? []).map(Number);
  const [minute = 0, hour = 0, day = 0, month = 0, short, century] = numbers.reverse();
  const year = short === undefined ? thisYear : century === undefined ? short + (short <= 68 ? 2000 : 1900) : century * 100 + short;
  const second = dot === undefined ? 0 : Number(dot);
  const isValid = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) && hour <= 23 && minute <= 59 && second <= 60;
  return isValid ? { year, month, day, hour, minute, second } : undefined;
}

export interface StampParts {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

/** Nanoseconds since the epoch of a local time; undefined where the clock skips it. */
export function instantOf(parts: StampParts, localTime: (nanoseconds: bigint) => LocalTime): bigint | undefined {
  const { year, month, day, hour, minute, second } = parts;
  const asUtc = BigInt(Date.UTC(2000 + (year % 400), month - 1, day, hour, minute, second) / 1000 + cycles(year) * CYCLE_SECONDS);
  let guess = asUtc;
  for (let round = 0; round < 3; round++) {
    const offset = BigInt(localTime(guess * SECOND).offsetSeconds);
    if (guess + offset === asUtc) return guess * SECOND;
    guess = asUtc - offset;
  }
  return undefined;
}

const SECOND = 1_000_000_000n;
const CYCLE_SECONDS = 146_097 * 86_400;
const cycles = (year: number): number => (year - (year % 400)) / 400 - 5;
