/**
 * Shell patterns (`*`, `?`, `[…]`, backslash) against names, with the semantics of fnmatch(3) in C.UTF-8 (POSIX
 * 2.14). The time is at most the pattern's length times the name's: a star is tried again from the last star alone,
 * which is enough because an earlier one can take over nothing that the last one cannot.
 */
import { ExtendedGlob, mayBeExtended } from "./extended-glob.ts";
import { folder, type GlobOptions, readPattern, type Token } from "./glob-pattern.ts";

export interface Glob {
  matches(name: string): boolean;
}

const SLASH = 47,
  PERIOD = 46;

/** Compiles `pattern`. Never throws: an unclosed `[` stands for itself, an unknown class in a bracket matches nothing. */
export function compileGlob(pattern: string, options: GlobOptions = {}): Glob {
  if (options.extended === true && mayBeExtended(pattern)) return extendedGlob(pattern, options);
  const tokens = readPattern(codePoints(pattern), options);
  if (tokens === undefined) return { matches: () => false };
  const simple = options.caseFold === true ? undefined : simpleMatcher(tokens, options);
  return { matches: simple ?? ((name) => matchTokens(tokens, codePoints(name), options)) };
}

function extendedGlob(pattern: string, options: GlobOptions): Glob {
  const glob = ExtendedGlob.compile(codePoints(pattern), options);
  if (glob === undefined) return { matches: () => false };
  return {
    matches(name) {
      const text = codePoints(name);
      return glob.over(text).endsFrom(0).has(text.length);
    },
  };
}

function matchTokens(tokens: readonly Token[], name: readonly number[], options: GlobOptions): boolean {
  const fold = folder(options);
  let token = 0;
  let at = 0;
  let starToken = -1;
  let starAt = -1;
  for (;;) {
    const current = tokens[token];
    if (current?.kind === "star" && !guarded(name, at, options)) {
      starToken = token++;
      starAt = at;
      continue;
    }
    if (at < name.length && current !== undefined && current.kind !== "star" && accepts(current, name, at, options, fold)) {
      token++;
      at++;
      continue;
    }
    if (at === name.length && current === undefined) return true;
    const taken = name[starAt];
    if (starToken < 0 || taken === undefined || (options.pathname === true && taken === SLASH)) return false;
    starAt++;
    token = starToken + 1;
    at = starAt;
  }
}

function accepts(token: Token, name: readonly number[], at: number, options: GlobOptions, fold: (code: number) => number): boolean {
  const code = name[at] as number;
  switch (token.kind) {
    case "character":
      return token.code === fold(code);
    case "any":
      return !(options.pathname === true && code === SLASH) && !guarded(name, at, options);
    case "set":
      return token.has(code) && !guarded(name, at, options);
    case "star":
      return false;
  }
}

/** True if a `.` stands at `at` that only a `.` in the pattern matches. */
function guarded(name: readonly number[], at: number, options: GlobOptions): boolean {
  return options.period === true && name[at] === PERIOD && (at === 0 || (options.pathname === true && name[at - 1] === SLASH));
}

/** Fast ways for the shapes nearly every pattern has: `text`, `text*`, `*text`, `*text*`. */
function simpleMatcher(tokens: readonly Token[], options: GlobOptions): ((name: string) => boolean) | undefined {
  const starsFirst = tokens[0]?.kind === "star";
  const starsLast = tokens.length > 1 && tokens.at(-1)?.kind === "star";
  const middle = tokens.slice(starsFirst ? 1 : 0, starsLast ? -1 : undefined);
  if (!middle.every((token) => token.kind === "character")) return undefined;
  const text = String.fromCodePoint(...middle.map((token) => (token.kind === "character" ? token.code : 0)));
  if (!starsFirst && !starsLast) return (name) => name === text;
  if (options.pathname === true || /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/.test(text)) return undefined;
  const hidden = options.period === true && starsFirst ? (name: string): boolean => name.startsWith(".") : (): boolean => false;
  if (starsFirst && starsLast) return (name) => name.includes(text) && !hidden(name);
  if (starsFirst) return (name) => name.endsWith(text) && !hidden(name);
  return (name) => name.startsWith(text);
}

export function codePoints(text: string): readonly number[] {
  const codes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) as number;
    codes.push(code);
    if (code > 0xffff) at++;
  }
  return codes;
}
