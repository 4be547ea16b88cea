/** Width of a text in columns of a terminal, as util-linux column counts them. */
import { characterWidth } from "../../src/display/character-width.ts";

/** wcswidth(3) without its refusal: what is not printable takes none. */
export function cellWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += Math.max(0, characterWidth(character.codePointAt(0) as number));
  return width;
}

const PLAIN = /^[ -~]*$/;
