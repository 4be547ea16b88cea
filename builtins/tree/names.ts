/** Names as tree prints them: what is not printable as its number in octal, byte by byte where the name is no UTF-8. */
import { toBytes } from "../../src/io/text.ts";
import { characterClass } from "../../src/glob/character-class.ts";

export interface NameStyle {
  readonly literal: boolean;
  readonly question: boolean;
  readonly quote: boolean;
}

const isPrintable = characterClass("print") ?? (() => true);
const LETTERS = "abtnvfr";

/** As text (src/io/text.ts). */
export function printedName(name: string, { literal, question, quote }: NameStyle): string {
  const mark = quote ? '"' : "";
  if (literal || /^[ -~]*$/.test(name)) {
    // Bytes that are no UTF-8 are what makes a backslash or a space special, below.
    return mark + name + mark;
  }
  if (name.isWellFormed()) {
    const shown = [...name].map((character) => {
      const code = character.codePointAt(0) as number;
      return isPrintable(code) ? character : question ? "?" : octal(code);
    });
    return mark + shown.join("") + mark;
  }
  let shown = "";
  for (const byte of toBytes(name)) {
    if ((byte >= 7 && byte <= 13) || byte === 92 || (byte === 34 && quote) || (byte === 32 && !quote))
      shown += `\\${byte > 13 ? String.fromCharCode(byte) : (LETTERS[byte - 7] ?? "")}`;
    else if (byte > 31 && byte < 127) shown += String.fromCharCode(byte);
    else if (!question) shown += octal(byte);
    else shown += byte > 127 ? String.fromCharCode(0xdc00 + byte) : "?";
  }
  return mark + shown + mark;
}

const octal = (code: number): string => `\\${code.toString(8).padStart(3, "0")}`;
