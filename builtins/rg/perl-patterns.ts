/**
 * -P without PCRE2: which patterns mean the same in ripgrep's default engine. Whatever may not is named, so that it is
 * refused and never searched for something else. Rust's engine itself rejects what it does not know; named here is
 * what it would accept and read differently (pcre2pattern(3), https://docs.rs/regex/1/regex/#syntax), and what is
 * common enough to deserve its name.
 */
import type { GivenKey, Occurrence } from "../../src/builtin/definition.ts";
import type { flags } from "./flags.ts";

/** Keys of the flags that choose an engine; the last one given wins. */
export const ENGINE_FLAGS = ["pcre2", "noPcre2", "engine", "autoHybridRegex", "noAutoHybridRegex"] as const satisfies readonly GivenKey<
  typeof flags
>[];

/** True if PCRE2 was asked for. */
export function usesPerl(occurrences: readonly Occurrence<typeof flags>[]): boolean {
  const last = occurrences.findLast(({ key }) => ENGINE_FLAGS.some((flag) => flag === key));
  return last !== undefined && (last.key === "pcre2" || (last.key === "engine" && last.value === "pcre2"));
}

/** The part of `pattern` that needs PCRE2, in words; undefined if nothing does. */
export function perlOnly(pattern: string): string | undefined {
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    if (rest.startsWith("[")) {
      const end = classEnd(pattern, at);
      if (end === undefined) return undefined;
      const found = classOnly(pattern.slice(at + 1, end));
      if (found !== undefined) return found;
      at = end + 1;
      continue;
    }
    for (const [words, shape] of PERL_ONLY) if (shape.test(rest)) return words;
    at += rest.startsWith("\\") ? 2 : 1;
  }
  return undefined;
}

/** Tells whether the default engine surely has an error for `pattern`, so that --engine=auto takes PCRE2. */
export function needsPerl(pattern: string): boolean {
  const construct = perlOnly(pattern);
  if (construct === "an escape that only Perl has") return /\\[CEGHNQRVXZ]/.test(pattern);
  return construct !== undefined && ERRORS_ELSEWHERE.has(construct);
}

const ERRORS_ELSEWHERE: ReadonlySet<string> = new Set([
  "look-around",
  "an atomic group",
  "a conditional group",
  "a branch reset group",
  "recursion",
  "a back-reference",
  "\\K",
]);

const PERL_ONLY: readonly (readonly [words: string, shape: RegExp])[] = [
  ["look-around", /^\(\?<?[=!]/],
  ["look-around", /^\(\*/],
  ["an atomic group", /^\(\?>/],
  ["a conditional group", /^\(\?\(/],
  ["a branch reset group", /^\(\?\|/],
  ["a comment group", /^\(\?#/],
  ["recursion", /^\(\?(R|[+-]?\d|&|P>|C)/],
  ["a back-reference", /^\(\?P=/],
  ["a back-reference", /^\\([1-9]|g|k)/],
  ["extended mode", /^\(\?[a-zA-Z^-]*x/],
  ["a possessive quantifier", /^([*+?]|\{\d+(,\d*)?\})\+/],
  ["\\K", /^\\K/],
  ["an escape that only Perl has", /^\\[ABCEGHNQRVXZaehlouv<>]/],
  ["a brace after \\b", /^\\[bB]\{/],
];

/** The index of the `]` that ends the class that begins at `start`. */
function classEnd(pattern: string, start: number): number | undefined {
  let at = start + 1;
  if (pattern[at] === "^") at++;
  if (pattern[at] === "]") at++;
  for (; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]") return at;
  }
  return undefined;
}

/** In a class Rust knows sets of sets, and its POSIX classes are ASCII. */
function classOnly(body: string): string | undefined {
  if (/\[:/.test(body)) return "a POSIX class";
  if (/(?<!\\)\[|&&|--|~~/.test(body)) return "'[', '&&', '--' or '~~' in a class";
  return /\\[ABCEGHNQRVXZabehklouv1-9]/.test(body) ? "an escape that only Perl has" : undefined;
}
