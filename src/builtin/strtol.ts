/** Numbers as the C library reads them where a text begins with one: strtol(3), atoi(3). */

/** `rest`: what follows the number. */
export interface LeadingNumber {
  readonly value: bigint;
  readonly rest: string;
}

/**
 * strtol(3), exact however long the number is: white space, a sign, digits. With base 0 they are in C's notation: 0x… is
 * hexadecimal and 0… octal. undefined where no number begins.
 */
export function strtol(text: string, base: 0 | 10): LeadingNumber | undefined {
  const number = (base === 0 ? ANY_BASE : DECIMAL).exec(text);
  if (number === null) return undefined;
  const { sign, hex, octal, decimal = "" } = number.groups as Readonly<Record<string, string | undefined>>;
  const size = BigInt(hex !== undefined ? `0x${hex}` : octal !== undefined ? `0o${octal}` : decimal);
  return { value: sign === "-" ? -size : size, rest: text.slice(number[0].length) };
}

/** atoi(3): 0 where no number begins. */
export function atoi(text: string): number {
  return Number(strtol(text, 10)?.value ?? 0n);
}

const ANY_BASE = /^[ \t-\r]*(?<sign>[+-]?)(?:0[xX](?<hex>[0-9a-fA-F]+)|(?<octal>0[0-7]*)|(?<decimal>[1-9][0-9]*))/;
const DECIMAL = /^[ \t-\r]*(?<sign>[+-]?)(?<decimal>[0-9]+)/;
