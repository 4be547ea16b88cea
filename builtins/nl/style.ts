/** nl's STYLE: selects the lines that get a number. */
import { BadValue } from "../../src/builtin/usage-error.ts";
import { quoteCurly } from "../../src/display/quote.ts";
import { compilePosix, type LineMatcher } from "../../src/regex/posix-matcher.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";

export type Style = { readonly kind: "all" | "nonempty" | "none" } | { readonly kind: "matching"; readonly matcher: LineMatcher };

/** A flag's `read` for the style of `section`. As in GNU nl only the first letter counts, except after `p`. */
export function readStyle(section: string): (text: string) => Style {
  return (text) => {
    switch (text.charAt(0)) {
      case "a":
        return { kind: "all" };
      case "t":
        return { kind: "nonempty" };
      case "n":
        return { kind: "none" };
      case "p":
        return { kind: "matching", matcher: compile(text.slice(1)) };
      default:
        throw new BadValue(`invalid ${section} numbering style: ${quoteCurly(text)}`, { pointsToHelp: true });
    }
  };
}

function compile(pattern: string): LineMatcher {
  try {
    return compilePosix([pattern], { syntax: "basic", emptyRanges: true });
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    throw new BadValue(thrown.message);
  }
}
