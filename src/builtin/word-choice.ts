/** A flag's value that is one of a few words, as gnulib's argmatch reads and words it. */
import { BadValue } from "./usage-error.ts";
import { quoteCurly } from "../io/quote.ts";

/**
 * A flag's `read` for one of `words`, which may be cut short while it stays clear; words that mean the same stand in
 * one array and give its first. `flag` is what the message names: "--group".
 */
export function wordReader<const W extends string>(words: readonly (W | readonly [W, ...W[]])[], flag: string): (text: string) => W {
  const groups: readonly (readonly W[])[] = words.map((word) => (typeof word === "string" ? [word] : word));
  return (text) => {
    const fitting = groups.filter((group) => group.some((word) => word.startsWith(text)));
    const found = groups.find((group) => group.some((word) => word === text)) ?? (fitting.length === 1 ? fitting[0] : undefined);
    const value = found?.[0];
    if (value !== undefined) return value;
    const problem = fitting.length > 1 ? "ambiguous" : "invalid";
    const listed = groups.map((group) => `\n  - ${group.map(quoteCurly).join(", ")}`).join("");
    throw new BadValue(`${problem} argument ${quoteCurly(text)} for ${quoteCurly(flag)}\nValid arguments are:${listed}`, { pointsToHelp: true });
  };
}
