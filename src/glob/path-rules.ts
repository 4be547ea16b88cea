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

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
