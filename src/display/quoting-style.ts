/**
 * gnulib's quoting styles (quotearg.c), which `ls --quoting-style`, `stat %N` and every message of the GNU tools use,
 * as they are in a UTF-8 locale. Text in and out is in the encoding of text.ts.
 */
import { isPrintable } from "./character-width.ts";
import { toBytes } from "../io/text.ts";

/** In the order in which the tools list them. */
export const QUOTING_STYLES = [
  "literal",
  "shell",
  "shell-always",
  "shell-escape",
  "shell-escape-always",
  "c",
  "c-maybe",
  "escape",
  "locale",
  "clocale",
] as const;

export type QuotingStyle = (typeof QUOTING_STYLES)[number];

/** `text` in `style`. `also` are further ASCII characters to be quoted (gnulib's set_char_quoting). */
export function quoteInStyle(text: string, style: QuotingStyle, also = ""): string {
  switch (style) {
    case "literal":
      return text;
    case "shell":
      return isShellWord(text, also) ? text : shellQuoted(text, false, "");
    case "shell-escape":
      return isShellWord(text, also) && isAllPrintable(text) ? text : shellQuoted(text, true, "");
    case "shell-always":
      return shellQuoted(text, false, also);
    case "shell-escape-always":
      return shellQuoted(text, true, also);
    case "c":
      return `"${backslashed(text, '"', also)}"`;
    case "c-maybe":
      return isAllPrintable(text) && !text.includes('"') && !includesAny(text, also) ? text : `"${backslashed(text, '"', "")}"`;
    case "escape":
      return backslashed(text, "", also);
    case "locale":
    case "clocale":
      return `\u2018${backslashed(text, "\u2019", also)}\u2019`;
  }
}

/** Tells whether a shell would read `text` as one literal word: `#` and `~` matter only in front, braces only alone. */
function isShellWord(text: string, also: string): boolean {
  return !/^$|^[#~]|^[{}]$|[\t\n\r !"$&'()*;<=>?[\\^`|]/.test(text) && !includesAny(text, also);
}

/** In single quotes; unprintable characters as `$'…'` where `escapes`. Double quotes where that is the shorter way. */
function shellQuoted(text: string, escapes: boolean, also: string): string {
  if (text.includes("'") && readsSameInDoubleQuotes(text)) return quoteInStyle(text, "c", also);
  const escapeFor = (character: string): string | undefined => (escapes && character !== "\\" ? escapeOf(character) : undefined);
  let out = "'";
  // A fault of gnulib's that is printed all the same: where there is a single quote it goes over the text twice, and
  // begins the second time believing itself inside `$'…'` if the first time ended there.
  let isInDollar = text.includes("'") && escapeFor([...text].at(-1) as string) !== undefined;
  for (const character of text) {
    const escaped = escapeFor(character);
    if (escaped !== undefined) {
      out += isInDollar ? escaped : `'$'${escaped}`;
      isInDollar = true;
    } else if (character === "'") {
      out += "'\\''";
      isInDollar = false;
    } else {
      out += isInDollar ? `''${character}` : character;
      isInDollar = false;
    }
  }
  return `${out}'`;
}

/** True if printable, and free of characters special to C or a shell between double quotes (or gnulib thinks they might be). */
function readsSameInDoubleQuotes(text: string): boolean {
  return !/[\t\n\r!"$&()*;<=>?[\\^`|]|.[#~]|[{}]/su.test(text) && isAllPrintable(text);
}

/** As in C: with a backslash before itself, before `right` and before `also`. */
function backslashed(text: string, right: string, also: string): string {
  let out = "";
  let at = 0;
  for (const character of text) {
    at += character.length;
    if (character === "\0") out += /[0-9]/.test(text.charAt(at)) ? "\\000" : "\\0";
    else if (character === right || also.includes(character)) out += `\\${character}`;
    else out += escapeOf(character) ?? character;
  }
  return out;
}

/** The backslash sequence for an unprintable character, and for the backslash. */
function escapeOf(character: string): string | undefined {
  const named = NAMED_ESCAPES[character];
  if (named !== undefined) return named;
  if (isPrintable(character.codePointAt(0) as number)) return undefined;
  let out = "";
  for (const byte of toBytes(character)) out += `\\${byte.toString(8).padStart(3, "0")}`;
  return out;
}

function isAllPrintable(text: string): boolean {
  if (/^[ -~]*$/.test(text)) return true;
  for (const character of text) if (!isPrintable(character.codePointAt(0) as number)) return false;
  return true;
}

function includesAny(text: string, characters: string): boolean {
  for (const character of characters) if (text.includes(character)) return true;
  return false;
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\\": "\\\\",
};
