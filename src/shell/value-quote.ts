/** Values and keys as bash writes them so that it can read them again: `${x@Q}`, `declare -p`. */
import { ansiQuoted, needsAnsiQuotes } from "../display/ansi-quote.ts";
import type { ArrayView, ElementKey } from "./arrays.ts";

/** `${x@Q}`. */
export function quotedValue(text: string): string {
  if (needsAnsiQuotes(text)) return ansiQuoted(text);
  return text === "'" ? "\\'" : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The value of `declare -p`. */
export const doubleQuotedValue = (text: string): string => (needsAnsiQuotes(text) ? ansiQuoted(text) : inDoubleQuotes(text));

/** A word of the trace of `set -x`. */
export const tracedWord = (text: string): string => (text === "" ? "''" : tracedValue(text));

/** An assigned value of that trace. */
export function tracedValue(text: string): string {
  if (SHELL_CHARACTERS.test(text)) return text === "'" ? "\\'" : `'${text.replaceAll("'", "'\\''")}'`;
  return needsAnsiQuotes(text) ? ansiQuoted(text) : text;
}

/** `([0]="x" [1]="y")`. */
export function listedArray(array: ArrayView): string {
  const elements = array.entries().map(([key, { text }]) => `[${quotedKey(key)}]=${doubleQuotedValue(text)}`);
  const blank = array.kind === "associative" && elements.length > 0 ? " " : "";
  return `(${elements.join(" ")}${blank})`;
}

/** `${a[@]@K}`: keys and values in turn. */
export function listedPairs(array: ArrayView): string {
  const pairs = array.entries().map(([key, { text }]) => `${quotedKey(key)} ${doubleQuotedValue(text)}`);
  return pairs.join(" ") + (array.kind === "associative" && pairs.length > 0 ? " " : "");
}

function quotedKey(key: ElementKey): string {
  if (typeof key === "number") return String(key);
  if (needsAnsiQuotes(key)) return ansiQuoted(key);
  return SHELL_CHARACTERS.test(key) || key === "@" ? inDoubleQuotes(key) : key;
}

const inDoubleQuotes = (text: string): string => `"${text.replace(/["$`\\]/g, "\\$&")}"`;

/** Characters that mean something to the shell, where they do. */
const SHELL_CHARACTERS = /[ \t\n'"\\|&;()<>!{}*[\]?^$`]|(^|[=:])~|^#/;
