/** Reader of a flag's value from a list of words, as gnulib's argmatch does: any unambiguous prefix will do. */
import { quoteCurly } from "../display/quote.ts";
import { nearest } from "./nearest.ts";
import { BadValue } from "./usage-error.ts";

/**
 * A `read` that turns a word into the value of its group; `groups` lists synonyms together, as the tool's message
 * does. Throws BadValue with argmatch's own words, and its exit status: 1 in every tool, also where others are 2. `flag` is the long spelling: "--sort".
 */
export function wordReader<T extends string>(flag: string, groups: Readonly<Record<T, readonly string[]>>): (text: string) => T {
  const entries = Object.entries(groups) as [T, readonly string[]][];
  return (text) => {
    for (const [value, words] of entries) if (words.includes(text)) return value;
    const near = entries.filter(([, words]) => words.some((word) => word.startsWith(text)));
    const [only] = near;
    if (near.length === 1 && only !== undefined) return only[0];
    const fault = near.length > 1 ? "ambiguous" : "invalid";
    const list = entries.map(([, words]) => `\n  - ${words.map(quoteCurly).join(", ")}`).join("");
    throw new BadValue(`${fault} argument ${quoteCurly(text)} for ${quoteCurly(flag)}\nValid arguments are:${list}`, {
      pointsToHelp: true,
      exit: 1,
      suggestion:
        near.length > 1
          ? undefined
          : nearest(
              text,
              entries.flatMap(([, words]) => words),
            ),
    });
  };
}
