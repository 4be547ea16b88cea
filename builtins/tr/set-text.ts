/**
 * The text of a tr set → its elements: escapes, ranges, classes, equivalence classes and repeats.
 * Everything is bytes, as in GNU tr: a UTF-8 character of two bytes is two members.
 */
import { quoteCurly } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";
import { classBytes } from "./classes.ts";

export type Element =
  /** One byte, `a` (`last` is the same), or a range `a-z`. */
  | { readonly kind: "range"; readonly first: number; readonly last: number }
  | { readonly kind: "class"; readonly name: string; readonly bytes: readonly number[] }
  | { readonly kind: "equivalence"; readonly byte: number }
  /** `[x*5]`; `count` is undefined for `[x*]`, which fills up to the length of the first set. */
  | { readonly kind: "repeat"; readonly byte: number; readonly count: bigint | undefined };

/** A set is not one: the message is GNU tr's, without its name. */
export class BadSet extends Error {
  override readonly name = "BadSet";
}

/** Parses one set; `warn` gets GNU tr's warnings. Throws BadSet. */
export function parseSet(text: string, warn: (message: string) => void): Element[] {
  const { bytes, escaped } = unescape(toBytes(text), warn);
  const is = (at: number, wanted: string): boolean => bytes[at] === wanted.charCodeAt(0) && escaped[at] !== true;
  const elements: Element[] = [];
  let at = 0;
  while (at + 2 < bytes.length) {
    const delimiter = is(at, "[") ? (is(at + 1, ":") ? ":" : is(at + 1, "=") ? "=" : undefined) : undefined;
    if (delimiter !== undefined) {
      const end = closing(at + 2, delimiter);
      if (end >= 0) {
        const element = bracketed(delimiter, bytes.subarray(at + 2, end), () => isRepeatTail(at + 2));
        if (element !== undefined) {
          elements.push(element);
          at = end + 2;
          continue;
        }
      }
    }
    const repeat = is(at, "[") && is(at + 2, "*") ? closingBracket(at + 3) : -1;
    if (repeat >= 0) {
      elements.push({ kind: "repeat", byte: byteAt(at + 1), count: repeatCount(bytes.subarray(at + 3, repeat)) });
      at = repeat + 1;
    } else if (is(at + 1, "-")) {
      elements.push(range(byteAt(at), byteAt(at + 2)));
      at += 3;
    } else {
      elements.push({ kind: "range", first: byteAt(at), last: byteAt(at) });
      at++;
    }
  }
  for (; at < bytes.length; at++) elements.push({ kind: "range", first: byteAt(at), last: byteAt(at) });
  return elements;

  function byteAt(index: number): number {
    return bytes[index] as number;
  }
  /** Where `:]` or `=]` closes the bracket whose content starts at `from`, or -1. */
  function closing(from: number, delimiter: string): number {
    for (let index = from; index + 1 < bytes.length; index++) if (is(index, delimiter) && is(index + 1, "]")) return index;
    return -1;
  }
  /** The `]` that ends a repeat count starting at `from`; an escaped byte in between makes it no repeat. */
  function closingBracket(from: number): number {
    for (let index = from; index < bytes.length && escaped[index] !== true; index++) if (bytes[index] === 0x5d) return index;
    return -1;
  }
  /** `[:*5]…:]` is a repeat of `:`, for want of a class with that name. */
  function isRepeatTail(from: number): boolean {
    if (!is(from, "*")) return false;
    let index = from + 1;
    while (index < bytes.length && byteAt(index) >= 0x30 && byteAt(index) <= 0x39) index++;
    return is(index, "]");
  }
}

function bracketed(delimiter: ":" | "=", content: Buffer, looksLikeRepeat: () => boolean): Element | undefined {
  if (content.length === 0) {
    throw new BadSet(delimiter === ":" ? "missing character class name '[::]'" : "missing equivalence class character '[==]'");
  }
  if (delimiter === "=") {
    if (content.length === 1) return { kind: "equivalence", byte: content[0] as number };
    if (looksLikeRepeat()) return undefined;
    throw new BadSet(`${printable(content)}: equivalence class operand must be a single character`);
  }
  const name = content.toString("latin1");
  const bytes = classBytes(name);
  if (bytes !== undefined) return { kind: "class", name, bytes };
  if (looksLikeRepeat()) return undefined;
  throw new BadSet(`invalid character class ${quoteCurly(printable(content))}`);
}

function range(first: number, last: number): Element {
  if (first <= last) return { kind: "range", first, last };
  throw new BadSet(`range-endpoints of '${printableByte(first)}-${printableByte(last)}' are in reverse collating sequence order`);
}

/** Octal where the first digit is 0; an absent count and 0 mean as many as are needed. */
function repeatCount(content: Buffer): bigint | undefined {
  if (content.length === 0) return undefined;
  const text = content.toString("latin1");
  const [, digits] = /^[ \t\n\v\f\r]*\+?(\d+)$/.exec(text) ?? [];
  const octal = text.startsWith("0");
  if (digits !== undefined && !(octal && /[89]/.test(digits))) {
    const count = BigInt(octal ? `0o${digits}` : digits);
    if (count <= MOST_MEMBERS) return count === 0n ? undefined : count;
  }
  throw new BadSet(`invalid repeat count ${quoteCurly(printable(content))} in [c*n] construct`);
}

/** UINTMAX_MAX - 1: the longest set GNU tr counts. */
export const MOST_MEMBERS = (1n << 64n) - 2n;

interface Unescaped {
  readonly bytes: Buffer;
  /** True where a backslash stood before, so that the byte means itself. */
  readonly escaped: readonly boolean[];
}

function unescape(text: Buffer, warn: (message: string) => void): Unescaped {
  const bytes: number[] = [];
  const escaped: boolean[] = [];
  const octal = (at: number): number => {
    const digit = (text[at] ?? 0) - 0x30;
    return digit >= 0 && digit <= 7 ? digit : -1;
  };
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] as number;
    const next = text[at + 1];
    if (byte !== 0x5c || next === undefined) {
      if (byte === 0x5c) warn("warning: an unescaped backslash at end of string is not portable");
      bytes.push(byte);
      escaped.push(false);
      continue;
    }
    at++;
    let value = ESCAPES.get(next) ?? next;
    if (octal(at) >= 0) {
      value = octal(at);
      if (octal(at + 1) >= 0) {
        at++;
        value = value * 8 + octal(at);
        const third = octal(at + 1);
        if (third >= 0 && value * 8 + third < 256) {
          at++;
          value = value * 8 + third;
        } else if (third >= 0) {
          const [a, b] = [octal(at - 1), octal(at)];
          warn(
            `warning: the ambiguous octal escape \\${a}${b}${third} is being\n\tinterpreted as the 2-byte sequence \\0${a}${b}, ${third}`,
          );
        }
      }
    }
    bytes.push(value);
    escaped.push(true);
  }
  return { bytes: Buffer.from(bytes), escaped };
}

const ESCAPES: ReadonlyMap<number, number> = new Map(
  [
    ["a", 7],
    ["b", 8],
    ["t", 9],
    ["n", 10],
    ["v", 11],
    ["f", 12],
    ["r", 13],
  ].map(([letter, code]) => [String(letter).charCodeAt(0), Number(code)]),
);
const ESCAPE_LETTERS: ReadonlyMap<number, string> = new Map(
  [...ESCAPES].map(([letter, code]) => [code, `\\${String.fromCharCode(letter)}`]),
);

function printable(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => (byte === 0x5c ? "\\\\" : (ESCAPE_LETTERS.get(byte) ?? printableByte(byte)))).join("");
}

function printableByte(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
}
