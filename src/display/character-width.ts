/** Width of a character in columns of a terminal, and the test for printable characters: glibc's answers in C.UTF-8. */
import { CHARACTER_WIDTH_RUNS } from "./character-width-table.ts";

/** wcwidth(3): 0, 1 or 2 columns; -1 for code points that are not printable (controls, unassigned, an escaped byte U+DCNN). */
export function characterWidth(codePoint: number): -1 | 0 | 1 | 2 {
  if (codePoint < 0x7f) return codePoint < 0x20 ? -1 : 1;
  let low = 0;
  let high = RUNS.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((RUNS.starts[middle] as number) <= codePoint) low = middle;
    else high = middle - 1;
  }
  return RUNS.widths[low] as -1 | 0 | 1 | 2;
}

/** iswprint(3). */
export function isPrintable(codePoint: number): boolean {
  return characterWidth(codePoint) >= 0;
}

/** gnulib mbswidth(): the columns `text` takes. Controls take none; an escaped byte and an unassigned code point take one. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text.replace(CUT_SHORT, "?")) {
    const columns = characterWidth(character.codePointAt(0) as number);
    width += columns >= 0 ? columns : CONTROL.test(character) ? 0 : 1;
  }
  return width;
}

/** A character whose last bytes are missing at the end of a text counts as one. */
export const CUT_SHORT = /(?:[\udcc2-\udcdf]|[\udce0-\udcef][\udc80-\udcbf]?|[\udcf0-\udcf4][\udc80-\udcbf]{0,2})$/;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

const PLAIN = /^[ -~]*$/;

const RUNS = decode(CHARACTER_WIDTH_RUNS);

function decode(text: string): { starts: Uint32Array; widths: Int8Array } {
  const starts: number[] = [];
  const widths: number[] = [];
  let at = 0;
  for (const [, letter, length] of text.matchAll(/([NZOW])([0-9a-z]+)/g)) {
    starts.push(at);
    widths.push("NZOW".indexOf(letter as string) - 1);
    at += Number.parseInt(length as string, 36);
  }
  return { starts: Uint32Array.from(starts), widths: Int8Array.from(widths) };
}
