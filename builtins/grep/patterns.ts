/** The patterns of a command line (-e, -f, the first operand) and the matcher they make together. */
import { UsageError } from "../../src/builtin/usage-error.ts";
import { compilePerl } from "../../src/search/perl-matcher.ts";
import { PatternError } from "../../src/search/pattern-error.ts";
import { compilePosix, type LineMatcher } from "../../src/search/posix-matcher.ts";

export type Dialect = "basic" | "extended" | "fixed" | "perl";

export interface PatternOptions {
  readonly dialect: Dialect;
  readonly foldCase: boolean;
  readonly extent: "any" | "word" | "line";
  readonly lineEnd: 10 | 0;
  readonly warn: (message: string) => void;
}

/** Compiles `patterns`, any of which may match. Throws UsageError "bad-program" in the words of GNU grep. */
export function compilePatterns(patterns: readonly string[], options: PatternOptions): LineMatcher {
  const { dialect, foldCase, extent, lineEnd, warn } = options;
  const distinct = [...new Set(patterns)];
  try {
    if (dialect === "perl") return compilePerl(distinct, { foldCase, extent, lineEnd });
    return compilePosix(distinct, { syntax: dialect, foldCase, extent, lineEnd, warn });
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    throw new UsageError("bad-program", thrown.message, { subject: patterns.join("\n") });
  }
}

/** The lines of a pattern list: each is a pattern of its own. */
export const patternLines = (text: string): string[] => text.split("\n");

/** Patterns of a file: as many as it has lines. */
export function fileLines(text: string): string[] {
  return text === "" ? [] : patternLines(text.endsWith("\n") ? text.slice(0, -1) : text);
}
