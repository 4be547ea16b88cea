/** An argument of the command that xargs -I makes. */
import type { Argument } from "../../src/builtin/arguments.ts";

/** `word` with `item` in the place of `replace`; without an item, the word as it stands, whose text is not known yet. What came from an item is no flag. */
export function argumentFor(word: string, item: string | undefined, replace: string | undefined): Argument {
  if (replace === undefined || (replace === "" ? word !== "" : !word.includes(replace))) return { text: word };
  const filled: Argument = item === undefined ? { text: word, unknown: true } : { text: word.replaceAll(replace, () => item) };
  return word.startsWith("-") ? filled : { ...filled, operandOnly: true };
}
