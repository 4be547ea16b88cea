/**
 * Finds the end of JSON's strings, numbers and words, and tells whether jq prints them as they stand. All functions look at bytes
 * with a 0 behind them, at `end`; they return `short` if the text ends too early.
 */

/** What a scan says instead of where the value ends: the text goes on, or it is for the module. */
export const INCOMPLETE = -1;
export const FOREIGN = -2;

/** A string that jq prints as it stands, without a backslash; also every number and word. */
export const AS_IS = 0;
/** With backslashes, and jq prints it as it stands. */
const ESCAPED = 1;
/** jq prints it in another form. */
export const REWRITTEN = 2;

const MOST_LITERAL = 64;
/** Bytes of a string that say nothing about its form. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x20 && byte !== 0x22 && byte !== 0x5c && byte !== 0x7f ? 1 : 0));

/** Four times the end of the string whose content starts at `from`, and its form; or INCOMPLETE or FOREIGN. */
export function stringEnd(bytes: Uint8Array, from: number, end: number, short: number): number {
  let form = AS_IS;
  for (let at = from; ; ) {
    while (PLAIN[bytes[at] as number] === 1) at++;
    const byte = bytes[at];
    if (byte === 0x22) return ((at + 1) << 2) | form;
    if (byte === 0x7f) {
      form = REWRITTEN;
      at++;
      continue;
    }
    if (byte !== 0x5c) return at >= end ? short : FOREIGN;
    const width = escapeWidth(bytes, at);
    if (width < 0) return at + 12 > end ? short : FOREIGN;
    if (width > 2 || bytes[at + 1] === 0x2f) form = REWRITTEN;
    else if (form === AS_IS) form = ESCAPED;
    at += width;
  }
}

/** Bytes of the escape at `at`, or -1. A pair of surrogates is one. */
function escapeWidth(bytes: Uint8Array, at: number): number {
  const letter = bytes[at + 1] as number;
  if (letter !== 0x75) return SHORT_ESCAPES.includes(letter) ? 2 : -1;
  const unit = hexUnit(bytes, at + 2);
  if (unit < 0xd800 || unit > 0xdfff) return unit < 0 ? -1 : 6;
  if (unit > 0xdbff || bytes[at + 6] !== 0x5c || bytes[at + 7] !== 0x75) return -1;
  const low = hexUnit(bytes, at + 8);
  return low >= 0xdc00 && low <= 0xdfff ? 12 : -1;
}

function hexUnit(bytes: Uint8Array, from: number): number {
  let unit = 0;
  for (let at = from; at < from + 4; at++) {
    const byte = bytes[at] as number;
    const lower = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) unit = unit * 16 + byte - 0x30;
    else if (lower >= 0x61 && lower <= 0x66) unit = unit * 16 + lower - 0x57;
    else return -1;
  }
  return unit;
}

/** The end of the number that starts at `from`, or INCOMPLETE or FOREIGN. */
export function numberEnd(bytes: Uint8Array, from: number, end: number, short: number): number {
  let at = bytes[from] === 0x2d ? from + 1 : from;
  const isFraction = bytes[at] === 0x30;
  const digits = at;
  while (isDigit(bytes[at] as number)) at++;
  if (at === digits || (isFraction && at > digits + 1)) return at >= end ? short : FOREIGN;
  if (bytes[at] === 0x2e) {
    const point = at++;
    // Past five zeros it has an exponent.
    let isSmall = isFraction;
    for (; isDigit(bytes[at] as number); at++) {
      if (bytes[at] !== 0x30) isSmall = false;
      else if (isSmall && at === point + 6) return FOREIGN;
    }
    if (at === point + 1) return at >= end ? short : FOREIGN;
  }
  return at - from > MOST_LITERAL ? FOREIGN : at;
}

/** The end of the `true`, `false` or `null` that starts at `from`, or INCOMPLETE or FOREIGN. */
export function wordEnd(bytes: Uint8Array, from: number, end: number, short: number): number {
  const first = bytes[from];
  const word = first === 0x74 ? TRUE : first === 0x66 ? FALSE : NULL;
  for (let at = 0; at < word.length; at++) if (bytes[from + at] !== word[at]) return from + at >= end ? short : FOREIGN;
  return from + word.length;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

const TRUE = Buffer.from("true");
const FALSE = Buffer.from("false");
const NULL = Buffer.from("null");
const SHORT_ESCAPES = Buffer.from('"\\/bfnrt');
