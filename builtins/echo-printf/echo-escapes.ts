/** Backslash escapes of bash's `echo -e`. */
import { bashUtf8, LETTER_ESCAPES } from "./bash-escapes.ts";
import { toText } from "../../src/io/text.ts";

/** `text` with its escapes replaced; `ended` where `\\c` cut it off, and with it the newline. */
export function expandEscapes(text: string): { expanded: string; ended: boolean } {
  let ended = false;
  const cut = text.replace(CUT, (all, kept: string) => {
    ended = all.length > kept.length;
    return kept;
  });
  const expanded = cut.replace(ESCAPE, (all, octal?: string, hex?: string, short?: string, long?: string, letter?: string) => {
    if (octal !== undefined) return byte(Number.parseInt(octal || "0", 8));
    if (hex !== undefined) return byte(Number.parseInt(hex, 16));
    const code = short ?? long;
    if (code !== undefined) return toText(bashUtf8(Number.parseInt(code, 16)));
    return LETTER_ESCAPES[letter ?? ""] ?? all;
  });
  return { expanded, ended };
}

/** Everything before the first `\\c` that is itself no part of an escape. */
const CUT = /^((?:[^\\]|\\(?!c)[^])*)(?:\\c[^]*)?/;
const ESCAPE = /\\(?:0([0-7]{0,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([abeEfnrtv\\]))/g;

/** One byte, in the encoding of src/io/text.ts. */
function byte(value: number): string {
  const low = value & 0xff;
  return String.fromCharCode(low < 0x80 ? low : 0xdc00 + low);
}
