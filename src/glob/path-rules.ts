/** A list of path rules as of gitignore(5), held against whole paths: all paths below a matched directory match too. */
import { byteString } from "./byte-glob-parser.ts";
import { parseIgnoreFile } from "./ignore-rules.ts";

/** Compiles a test of canonical paths relative to the root: true if a rule matches. `rules` are lines of a .gitignore at the root. */
export function pathMatcher(rules: readonly string[]): (canonical: string) => boolean {
  const compiled = parseIgnoreFile(Buffer.from(rules.join("\n")));
  if (compiled === undefined) return () => false;
  return (canonical) => {
    const path = byteString(canonical);
    for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
      const above = path.slice(0, slash);
      if (compiled.verdict(above, nameOf(above), true) === "ignore") return true;
    }
    // The path may be of a directory or of a file: a rule for directories alone holds for a path that is to be one.
    return compiled.verdict(path, nameOf(path), true) === "ignore" || compiled.verdict(path, nameOf(path), false) === "ignore";
  };
}

/** A rule that matches `path` alone, and what is below it. */
export const ruleFor = (path: string): string => `/${literalPattern(path)}`;

/**
 * Rules about paths below the directory `directory` as rules about paths from `/` on, which may name the directory as well: one that
 * begins with a slash is both, in this order. `namedAlone`: a rule that is not taken back is of what it names in the directory alone.
 */
export function rulesBelow(directory: string, rules: readonly string[], { namedAlone = false } = {}): readonly string[] {
  const above = literalPattern(directory);
  return rules.flatMap((rule) => {
    if (rule === "" || rule.startsWith("#")) return [];
    const [not, pattern] = rule.startsWith("!") ? ["!", rule.slice(1)] : ["", rule];
    if (namedAlone && not === "") return pattern.startsWith(`${directory}/`) && pattern.length > directory.length + 1 ? [rule] : [];
    const isAnchored = /\/./s.test(pattern.trimEnd());
    const below = `${not}${above}/${isAnchored ? pattern.replace(/^\//, "") : `**/${pattern}`}`;
    return pattern.startsWith("/") ? [below, rule] : [below];
  });
}

const literalPattern = (path: string): string => path.replace(/[\\*?[\]{} ]/g, "\\$&").replaceAll("\n", "?");

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
