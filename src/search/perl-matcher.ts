/** Stand-in until the dialect is written. */
import { PatternError } from "./pattern-error.ts";
import type { LineMatcher } from "./posix-matcher.ts";
export function compilePerl(_patterns: readonly string[], _options: object): LineMatcher {
  throw new PatternError("-P is not there yet");
}
