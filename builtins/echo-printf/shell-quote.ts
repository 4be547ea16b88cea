/** `%q`: text so that bash reads it back, in bash's own choice of quotes. Byte strings. */
import { ansiQuoted, needsAnsiQuotes } from "../../src/display/ansi-quote.ts";
import { toBytes, toText } from "../../src/io/text.ts";

export function quoteForShell(bytes: string): string {
  if (bytes === "") return "''";
  const text = toText(Buffer.from(bytes, "latin1"));
  if (needsAnsiQuotes(text)) return toBytes(ansiQuoted(text)).toString("latin1");
  let quoted = "";
  for (let at = 0; at < bytes.length; at++) {
    const character = bytes.charAt(at);
    const isSpecial =
      SPECIAL.test(character) || (at === 0 && character === "#") || (character === "~" && (at === 0 || /[:=]/.test(bytes.charAt(at - 1))));
    quoted += isSpecial ? `\\${character}` : character;
  }
  return quoted;
}

const SPECIAL = /[ \t\n!"$&'()*,;<>?[\\\]^`{|}]/;
