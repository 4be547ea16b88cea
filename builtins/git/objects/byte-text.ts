/**
 * Text inside the git builtin is byte strings: every unit is one byte (0–255), as names, messages and object ids have no
 * encoding in a repository. The two ends are here: words of the command line, and names that the workspace takes.
 */
import { toBytes, toText } from "../../../src/io/text.ts";

/** A byte string of text in the encoding of src/io/text.ts. */
export const fromWord = (text: string): string => (/^[\0-\x7f]*$/.test(text) ? text : toBytes(text).toString("latin1"));

/** The inverse of `fromWord`. */
export const toWord = (bytes: string): string => (/^[\0-\x7f]*$/.test(bytes) ? bytes : toText(Buffer.from(bytes, "latin1")));

export const bytesOf = (text: string): Buffer => Buffer.from(text, "latin1");

const UNUSUAL = /[\0-\x1f"\\\x7f-\xff]/;
const UNUSUAL_ASCII = /[\0-\x1f"\\\x7f]/;
const LETTERS: ReadonlyMap<string, string> = new Map([
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\v", "\\v"],
  ["\f", "\\f"],
  ["\r", "\\r"],
  ['"', '\\"'],
  ["\\", "\\\\"],
]);

/** Quotes a name as git prints it: with core.quotePath (`all`) bytes past ASCII are unusual too. */
export function quotedName(name: string, all: boolean): string {
  return (all ? UNUSUAL : UNUSUAL_ASCII).test(name) ? `"${escapedName(name, all)}"` : name;
}

function escapedName(name: string, all: boolean): string {
  return name.replace(
    all ? /[\0-\x1f"\\\x7f-\xff]/g : /[\0-\x1f"\\\x7f]/g,
    (unit) => LETTERS.get(unit) ?? `\\${unit.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
}

/** Compares byte strings as memcmp(3) does. */
export const compareBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/** Without white space at the end. A byte string has other ideas of it than String.trimEnd: 0xA0 is part of a letter. */
export function withoutTrailingSpace(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Without white space at both ends. */
export function withoutOuterSpace(text: string): string {
  let start = 0;
  while (start < text.length && isSpace(text.charCodeAt(start))) start++;
  return withoutTrailingSpace(text.slice(start));
}
