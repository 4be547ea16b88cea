/** The patterns of a command line (-e, -f, the first operand) and the matcher they make together. */
import { UsageError } from "../../src/builtin/usage-error.ts";
import { toBytes } from "../../src/io/text.ts";
import { byteLines, wideText } from "../../src/regex/byte-characters.ts";
import { compilePerl } from "../../src/regex/perl-matcher.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";
import { compilePosix, type LineMatcher } from "../../src/regex/posix-matcher.ts";

export type Dialect = "basic" | "extended" | "fixed" | "perl";

export interface PatternOptions {
  readonly dialect: Dialect;
  readonly foldCase: boolean;
  readonly extent: "any" | "word" | "line";
  readonly lineEnd: 10 | 0;
  readonly characters: "utf-8" | "bytes";
  readonly warn: (message: string) => void;
}

/** Compiles `patterns`, any of which may match. Throws UsageError "bad-program" in the words of GNU grep. */
export function compilePatterns(patterns: readonly string[], options: PatternOptions): LineMatcher {
  const { dialect, foldCase, extent, lineEnd, characters, warn } = options;
  const distinct = [...new Set(patterns)];
  const compiled = (texts: readonly string[]): LineMatcher =>
    dialect === "perl"
      ? compilePerl(texts, { foldCase, extent, lineEnd, bytesAreCharacters: characters === "bytes" })
      : compilePosix(texts, { syntax: dialect, foldCase, extent, lineEnd, warn });
  try {
    if (characters === "utf-8") return compiled(distinct);
    return byteLines(compiled(distinct.map((text) => widePattern(text, dialect))), lineEnd);
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    throw new UsageError("bad-program", thrown.message, { subject: patterns.join("\n") });
  }
}

/** With -P a byte may also be given by its number. */
function widePattern(text: string, dialect: Dialect): string {
  const bytes = toBytes(text).toString("latin1");
  const written =
    dialect !== "perl"
      ? bytes
      : bytes.replace(/\\(?:x(?:([89a-fA-F][0-9a-fA-F])|\{([89a-fA-F][0-9a-fA-F])\})|[^])/g, (escape, two, braced) => {
          const digits: string | undefined = two ?? braced;
          return digits === undefined ? escape : String.fromCharCode(Number.parseInt(digits, 16));
        });
  return wideText(written);
}

/** The lines of a pattern list: each is a pattern of its own. */
export const patternLines = (text: string): string[] => text.split("\n");

/** Patterns of a file: as many as it has lines. */
export function fileLines(text: string): string[] {
  return text === "" ? [] : patternLines(text.endsWith("\n") ? text.slice(0, -1) : text);
}
