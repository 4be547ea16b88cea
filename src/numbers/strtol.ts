/** The number at the start of a text, as the C library reads it: strtol(3), atoi(3). */

/** `rest`: what follows the number. */
export interface LeadingNumber {
  readonly value: bigint;
  readonly rest: string;
}

/**
 * strtol(3), exact far past 64 bits: white space, a sign, digits, of which those past MOST_DIGITS do not count. With base 0
 * they are in C's notation: 0x… is hexadecimal and 0… octal. undefined where no number begins.
 */
export function strtol(text: string, base: 0 | 10): LeadingNumber | undefined {
  const number = (base === 0 ? ANY_BASE : DECIMAL).exec(text);
  if (number === null) return undefined;
  const { sign, hex, octal, decimal = "" } = number.groups as Readonly<Record<string, string | undefined>>;
  const prefix = hex !== undefined ? "0x" : octal !== undefined ? "0o" : "";
  const size = BigInt(prefix + (hex ?? octal ?? decimal).replace(/^0+(?=.)/, "").slice(0, MOST_DIGITS));
  return { value: sign === "-" ? -size : size, rest: text.slice(number[0].length) };
}

/** atoi(3): 0 where no number begins. */
export function atoi(text: string): number {
  return Number(strtol(text, 10)?.value ?? 0n);
}

/** Enough for any number that fits, and quickly read. */
const MOST_DIGITS = 400;
const ANY_BASE = /^[ \t-\r]*(?<sign>[+-]?)(?:0[xX](?<hex>[0-9a-fA-F]+)|(?<octal>0[0-7]*)|(?<decimal>[1-9][0-9]*))/;
const DECIMAL = /^[ \t-\r]*(?<sign>[+-]?)(?<decimal>[0-9]+)/;
