/** The characters that stand for the expansions of a word while its quotes are read, one each. */
import type { Expansion } from "./tree.ts";

/** Most expansions in one word. */
export const MOST_EXPANSIONS = 0x200;
/** Half a surrogate pair: no line holds one from here on (see parse.ts), so it can stand for an expansion. */
const FIRST = 0xdd00;

/** The character for the expansion with this index. */
export const standIn = (index: number): string => String.fromCharCode(FIRST + index);

/** The expansion that `character` stands for; undefined where it is a character of the line. */
export function expansionOf(character: string, expansions: readonly Expansion[]): Expansion | undefined {
  const unit = character.charCodeAt(0);
  return character.length === 1 && unit >= FIRST && unit < FIRST + MOST_EXPANSIONS ? expansions[unit - FIRST] : undefined;
}
