/**
 * Matches a whole text against the patterns of `case` and `[[ ]]`, in time linear in the text for each character of the
 * pattern.
 */
import { toBytes } from "../io/text.ts";
import { PatternError } from "../regex/pattern-error.ts";
import { compilePosix } from "../regex/posix-matcher.ts";
import { compileGlob } from "../glob/glob-match.ts";
import type { GlobOptions } from "../glob/glob-pattern.ts";

/** Tells whether the shell pattern matches all of `text`. */
export const patternMatches = (pattern: string, text: string, options: GlobOptions = {}): boolean =>
  compileGlob(pattern, options).matches(text);

/** Tells whether the extended regular expression matches somewhere in `text`; undefined if it is not valid. */
export function regexMatches(pattern: string, text: string): boolean | undefined {
  const bytes = toBytes(text);
  try {
    // NUL ends no line here: no value holds one.
    return compilePosix([pattern], { syntax: "extended", lineEnd: 0 }).test(bytes, 0, bytes.length);
  } catch (thrown) {
    if (thrown instanceof PatternError) return undefined;
    throw thrown;
  }
}
