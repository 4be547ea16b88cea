/** Patterns of names that a walk passes over, as gnulib's exclude reads them: grep --include and --exclude, du --exclude. */
import { compileFnmatch } from "./fnmatch.ts";

/** One pattern, and whether files that match it are wanted or not. */
export interface NamePattern {
  readonly glob: string;
  readonly wanted: boolean;
}

export class NameFilter {
  readonly #patterns: readonly { readonly matches: (name: string) => boolean; readonly wanted: boolean }[];

  /** Patterns in the order they were given. The last one that matches a name decides. */
  constructor(patterns: readonly NamePattern[]) {
    this.#patterns = patterns.map(({ glob, wanted }) => ({ matches: matcherFor(glob), wanted }));
  }

  /** Tells whether a name met in a walk is passed over: the patterns are for the whole of it. */
  skips(name: string): boolean {
    return this.#skips(([whole]) => [whole as string], name);
  }

  /** Tells whether a name typed on the command line is passed over: the part after any slash may match too. */
  skipsTyped(path: string): boolean {
    return this.#skips((tails) => tails, path);
  }

  #skips(candidates: (tails: readonly string[]) => readonly string[], path: string): boolean {
    const first = this.#patterns[0];
    if (first === undefined) return false;
    const names = candidates(tailsOf(path));
    for (let at = this.#patterns.length - 1; at >= 0; at--) {
      const pattern = this.#patterns[at];
      if (pattern !== undefined && names.some((name) => pattern.matches(name))) return !pattern.wanted;
    }
    return first.wanted;
  }
}

/** The path itself and its part after each slash, which is empty after the last one of `d/`. */
function tailsOf(path: string): readonly string[] {
  const tails = [path];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    if (path[at + 1] !== "/") tails.push(path.slice(at + 1));
  }
  return tails;
}

function matcherFor(glob: string): (name: string) => boolean {
  if (!/[*?[\\]/.test(glob)) return (name) => name === glob;
  const matcher = compileFnmatch(glob);
  return (name) => matcher.matches(name);
}
