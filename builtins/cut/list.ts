/** The LIST of cut: `1,3-5,7-` → ranges. */
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { toBytes, toText } from "../../src/io/text.ts";

/** Positions from `low` to `high`, both included, counted from 1; `high` may be Infinity. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** What GNU cut calls the positions in its messages. */
export interface ListWords {
  readonly zero: string;
  readonly badRange: string;
  readonly badValue: string;
  readonly tooLarge: string;
}

export const FIELD_WORDS: ListWords = {
  zero: "fields are numbered from 1",
  badRange: "invalid field range",
  badValue: "invalid field value",
  tooLarge: "field number",
};

export const POSITION_WORDS: ListWords = {
  zero: "byte/character positions are numbered from 1",
  badRange: "invalid byte or character range",
  badValue: "invalid byte/character position",
  tooLarge: "byte/character offset",
};

/**
 * The ranges of `text` in ascending order; overlapping ones are one, ranges that only touch stay apart (an output
 * delimiter goes between them). Throws UsageError with GNU cut's words.
 */
export function parseList(text: string, words: ListWords): Range[] {
  const ranges: Range[] = [];
  const bytes = toBytes(text);
  const refuse = (message: string): never => {
    throw new UsageError("bad-value", message, { subject: text, pointsToHelp: true });
  };
  let low: bigint | undefined;
  let high: bigint | undefined;
  let isRange = false;
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at];
    if (byte === DASH) {
      if (isRange) refuse(words.badRange);
      if (low === 0n) refuse(words.zero);
      isRange = true;
    } else if (byte === undefined || byte === COMMA || byte === SPACE || byte === TAB) {
      if (isRange && low === undefined && high === undefined) refuse("invalid range with no endpoint: -");
      if (isRange && high !== undefined && high < (low ?? 1n)) refuse("invalid decreasing range");
      if (!isRange && (low ?? 0n) === 0n) refuse(words.zero);
      const from = Number(low ?? 1n);
      ranges.push({ low: from, high: !isRange ? from : high === undefined ? Infinity : Number(high) });
      low = high = undefined;
      isRange = false;
    } else if (byte >= ZERO && byte <= NINE) {
      const digits = /^\d+/.exec(bytes.toString("latin1", at))?.[0] ?? "";
      const value = BigInt(digits.length > 40 ? digits.slice(0, 40) : digits);
      if (digits.length > 40 ? /[1-9]/.test(digits) : value >= TOO_LARGE) refuse(`${words.tooLarge} ${quoteCurly(digits)} is too large`);
      if (isRange) high = value;
      else low = value;
      at += digits.length - 1;
    } else {
      refuse(`${words.badValue} ${quoteCurly(toText(bytes.subarray(at)))}`);
    }
  }
  return merged(ranges);
}

function merged(ranges: readonly Range[]): Range[] {
  const out: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.low - b.low)) {
    const last = out.at(-1);
    if (last !== undefined && range.low <= last.high) out[out.length - 1] = { low: last.low, high: Math.max(last.high, range.high) };
    else out.push(range);
  }
  return out;
}

/** The positions that are in none of `ranges`. */
export function complementOf(ranges: readonly Range[]): Range[] {
  const out: Range[] = [];
  let next = 1;
  for (const { low, high } of ranges) {
    if (low > next) out.push({ low: next, high: low - 1 });
    next = high + 1;
  }
  if (next < Infinity) out.push({ low: next, high: Infinity });
  return out;
}

const [TAB, SPACE, COMMA, DASH, ZERO, NINE] = [0x09, 0x20, 0x2c, 0x2d, 0x30, 0x39];
/** UINTMAX_MAX itself stands for "to the end". */
const TOO_LARGE = (1n << 64n) - 1n;
