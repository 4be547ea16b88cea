/** The flags allowed before the starting points of find: -H -L -P -O -D and `--`. */
import { UsageError } from "../../src/builtin/usage-error.ts";
import type { FindSettings } from "./command-line.ts";
import { quoteArgument } from "./primary.ts";

/** Returns where they end. Throws UsageError. */
export function leadingFlags(words: readonly string[], settings: FindSettings): number {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === "-H") settings.follow = "starting-points";
    else if (word === "-L") settings.follow = "always";
    else if (word === "-P") settings.follow = "never";
    else if (word === "--") return at + 1;
    else if (word.startsWith("-O")) checkLevel(word, at);
    else if (word === "-D") {
      const kept = words.slice(at + 2).map(quoteArgument);
      const suggestion = ["find", ...words.slice(0, at), ...kept].join(" ");
      throw new UsageError("refused-flag", "-D: there is nothing to trace here", { argument: at, subject: word, suggestion });
    } else return at;
  }
  return words.length;
}

/** The order of tests cannot be told from their results, so a valid level changes nothing. */
function checkLevel(word: string, at: number): void {
  if (word === "-O") {
    const message = "The -O option must be immediately followed by a decimal integer";
    throw new UsageError("bad-value", message, { argument: at, subject: word });
  }
  if (!/^-O[0-9]/.test(word))
    throw new UsageError("bad-value", "Please specify a decimal number immediately after -O", { argument: at, subject: word });
  if (!/^-O[0-9]+$/.test(word))
    throw new UsageError("bad-value", `Invalid optimisation level ${word.slice(2)}`, { argument: at, subject: word });
}
