/** Positions at which a shell pattern matches in a text: prefixes, suffixes, the leftmost longest match (`${x#p}`, `${x/p/r}`). */
import { ExtendedGlob, mayBeExtended } from "./extended-glob.ts";
import { codePoints } from "./glob-match.ts";
import { folder, type GlobOptions, readPattern, type Token } from "./glob-pattern.ts";

export interface GlobSpans {
  /** Length in code points of the shortest or the longest match from `from`; undefined where none begins there. */
  prefix(text: readonly number[], from: number, longest: boolean): number | undefined;
  /** Start of the shortest or longest match that ends the text. */
  suffix(text: readonly number[], longest: boolean): number | undefined;
}

/** All states are followed at once, so that a try takes at most the pattern's length times the text's. */
export function compileSpans(pattern: string, options: Pick<GlobOptions, "extended" | "caseFold"> = {}): GlobSpans {
  if (options.extended === true && mayBeExtended(pattern)) return extendedSpans(pattern, options);
  const tokens = readPattern(codePoints(pattern), options);
  if (tokens === undefined) return { prefix: () => undefined, suffix: () => undefined };
  const fold = folder(options);
  const backwards = [...tokens].reverse();
  return {
    prefix: (text, from, longest) => matchLength(tokens, (at) => text[from + at], longest, fold),
    suffix: (text, longest) => {
      const length = matchLength(backwards, (at) => text[text.length - 1 - at], longest, fold);
      return length === undefined ? undefined : text.length - length;
    },
  };
}

function extendedSpans(pattern: string, options: GlobOptions): GlobSpans {
  const glob = ExtendedGlob.compile(codePoints(pattern), options);
  if (glob === undefined) return { prefix: () => undefined, suffix: () => undefined };
  // The texts of one operation are the same array: what is known of it is kept.
  let last: { readonly text: readonly number[]; readonly match: ReturnType<ExtendedGlob["over"]> } | undefined;
  const endsFrom = (text: readonly number[], start: number): ReadonlySet<number> => {
    if (last?.text !== text) last = { text, match: glob.over(text) };
    return last.match.endsFrom(start);
  };
  return {
    prefix(text, from, longest) {
      let found: number | undefined;
      for (const end of endsFrom(text, from)) if (found === undefined || (longest ? end > found : end < found)) found = end;
      return found === undefined ? undefined : found - from;
    },
    suffix(text, longest) {
      for (let at = 0; at <= text.length; at++) {
        const start = longest ? at : text.length - at;
        if (endsFrom(text, start).has(text.length)) return start;
      }
      return undefined;
    },
  };
}

function matchLength(
  tokens: readonly Token[],
  codeAt: (at: number) => number | undefined,
  longest: boolean,
  fold: (code: number) => number,
): number | undefined {
  let states = new Uint8Array(tokens.length + 1);
  let found: number | undefined;
  reach(states, 0, tokens);
  for (let at = 0; ; at++) {
    if (states[tokens.length] === 1) {
      found = at;
      if (!longest) return found;
    }
    const code = codeAt(at);
    if (code === undefined) return found;
    const next = new Uint8Array(tokens.length + 1);
    let alive = false;
    for (let state = 0; state < tokens.length; state++) {
      if (states[state] !== 1) continue;
      const token = tokens[state] as Token;
      if (token.kind === "star") reach(next, state, tokens);
      else if (token.kind === "any" || (token.kind === "character" ? token.code === fold(code) : token.has(code)))
        reach(next, state + 1, tokens);
      else continue;
      alive = true;
    }
    if (!alive) return found;
    states = next;
  }
}

/** Marks `state` and the states that follow it without a character: a star may match nothing. */
function reach(states: Uint8Array, state: number, tokens: readonly Token[]): void {
  for (let at = state; ; at++) {
    states[at] = 1;
    if (tokens[at]?.kind !== "star") return;
  }
}
