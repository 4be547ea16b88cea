/** `%q`: text so that bash reads it back, in bash's own choice of quotes. Byte strings. */
import { isPrintable } from "../../src/display/character-width.ts";
import { toText } from "../../src/io/text.ts";

export function quoteForShell(bytes: string): string {
  if (bytes === "") return "''";
  const characters = [...toText(Buffer.from(bytes, "latin1"))];
  if (!characters.every((character) => isPrintable(character.codePointAt(0) as number))) return `$'${characters.map(ansi).join("")}'`;
  let quoted = "";
  for (let at = 0; at < bytes.length; at++) {
    const character = bytes.charAt(at);
    const isSpecial =
      SPECIAL.test(character) || (at === 0 && character === "#") || (character === "~" && (at === 0 || /[:=]/.test(bytes.charAt(at - 1))));
    quoted += isSpecial ? `\\${character}` : character;
  }
  return quoted;
}

/** One character inside `$'…'`. */
function ansi(character: string): string {
  const named = NAMED[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) as number;
  const bytes = code >= 0xdc80 && code <= 0xdcff ? Buffer.of(code - 0xdc00) : Buffer.from(character, "utf8");
  if (isPrintable(code)) return bytes.toString("latin1");
  return [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

const SPECIAL = /[ \t\n!"$&'()*,;<>?[\\\]^`{|}]/;
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
