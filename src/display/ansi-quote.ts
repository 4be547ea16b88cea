/** `$'…'`: bash's quotes for text that holds characters which cannot be printed. */
import { toBytes } from "../io/text.ts";
import { isPrintable } from "./character-width.ts";

export function needsAnsiQuotes(text: string): boolean {
  if (/^[ -~]*$/.test(text)) return false;
  for (const character of text) if (!isPrintable(character.codePointAt(0) as number)) return true;
  return false;
}

export const ansiQuoted = (text: string): string => `$'${[...text].map(escaped).join("")}'`;

/** One character inside `$'…'`. */
function escaped(character: string): string {
  const named = NAMED[character];
  if (named !== undefined) return named;
  if (isPrintable(character.codePointAt(0) as number)) return character;
  return [...toBytes(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

const NAMED: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\u001b": "\\E",
  "\\": "\\\\",
  "'": "\\'",
};
