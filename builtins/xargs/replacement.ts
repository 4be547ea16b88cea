/** An argument of the command that xargs -I makes. */
import type { Argument } from "../../src/builtin/arguments.ts";

/** `word` with `item` in the place of `replace`. What came from an item is no flag. */
export function argumentFor(word: string, item: string, replace: string | undefined): Argument {
  if (replace === undefined || (replace === "" ? word !== "" : !word.includes(replace))) return { text: word };
  const filled = word === item ? word : word.replaceAll(replace, () => item);
  return word.startsWith("-") ? { text: filled } : { text: filled, operandOnly: true };
}
