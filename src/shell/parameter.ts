/**
 * Operations on a variable's value: `${x#p}`, `${x/p/r}`, `${x:1:2}` and `${x^}` (bash manual §3.5.3). Characters are those
 * of C.UTF-8.
 */
import { codePoints, compileGlob } from "../glob/glob-match.ts";
import type { GlobOptions } from "../glob/glob-pattern.ts";
import { compileSpans } from "../glob/glob-span.ts";
import { LimitReached } from "../io/limit-reached.ts";
import type { ParameterOperation } from "./tree.ts";
import { ExpansionError } from "./variables.ts";

type Operation<K extends ParameterOperation["kind"]> = Extract<ParameterOperation, { kind: K }>;

/** The longest value of a variable, and all of them together, in UTF-16 code units. */
export const MOST_VALUE_UNITS = 32 << 20;

/** `pattern` is glob source. */
export function removed(value: string, pattern: string, { from, longest }: Operation<"remove">, extended = false): string {
  const text = codePoints(value);
  const spans = compileSpans(pattern, { extended });
  if (from === "start") return textOf(text.slice(spans.prefix(text, 0, longest) ?? 0));
  return textOf(text.slice(0, spans.suffix(text, longest) ?? text.length));
}

/** `by` is made of literal text and of the match (`&`). */
export function replaced(
  value: string,
  pattern: string,
  by: readonly (string | "match")[],
  matchMarks: readonly boolean[],
  where: Operation<"replace">["where"],
  { extended = false, caseFold = false }: Pick<GlobOptions, "extended" | "caseFold"> = {},
): string {
  const text = codePoints(value);
  // bash looks at the pattern's first character where there is no text.
  if (text.length === 0 && where !== "end" && pattern !== "" && !pattern.startsWith("*")) return value;
  const spans = compileSpans(pattern, { extended, caseFold });
  const replacement = (match: readonly number[]): string =>
    by.map((piece, at) => (matchMarks[at] === true ? textOf(match) : piece)).join("");
  if (where === "end") {
    const start = spans.suffix(text, true);
    // bash takes no match of nothing there for a pattern that does not begin as one that may be empty.
    if (start === text.length && pattern !== "" && !/^[*?]/.test(pattern)) return value;
    return start === undefined ? value : textOf(text.slice(0, start)) + replacement(text.slice(start));
  }
  if (where === "start") {
    const length = spans.prefix(text, 0, true);
    return length === undefined ? value : replacement(text.slice(0, length)) + textOf(text.slice(length));
  }
  if (pattern === "") return value;
  if (text.length === 0) return spans.prefix(text, 0, true) === undefined ? value : replacement([]);
  let out = "";
  let from = 0;
  const add = (piece: string): void => {
    out += piece;
    if (out.length > MOST_VALUE_UNITS) throw new LimitReached("held", MOST_VALUE_UNITS, "characters of a value");
  };
  for (let at = 0; at < text.length; ) {
    const length = spans.prefix(text, at, true);
    if (length === undefined) {
      at++;
      continue;
    }
    add(textOf(text.slice(from, at)));
    add(replacement(text.slice(at, at + length)));
    from = at + length;
    at += Math.max(length, 1);
    if (where === "first") break;
  }
  return out + textOf(text.slice(from));
}

/** Start of `${x:offset…}`, in code points; undefined outside `value`, where bash does not evaluate the length. */
export function sliceStart(value: string, offset: bigint): number | undefined {
  const size = BigInt(codePoints(value).length);
  const start = offset < 0n ? size + offset : offset;
  return start < 0n || start > size ? undefined : Number(start);
}

/** Throws ExpansionError where the length says less than nothing. `source` is the length as typed, for the message. */
export function sliced(value: string, start: number, length?: { readonly value: bigint; readonly source: string }): string {
  const text = codePoints(value);
  if (length === undefined) return textOf(text.slice(start));
  const end = length.value < 0n ? BigInt(text.length) + length.value : BigInt(start) + length.value;
  if (end < BigInt(start)) throw new ExpansionError(`${length.source}: substring expression < 0`);
  return textOf(text.slice(start, Number(end < BigInt(text.length) ? end : text.length)));
}

export function recased(value: string, pattern: string | undefined, { to, all }: Operation<"case">, extended = false): string {
  const glob = pattern === undefined ? undefined : compileGlob(pattern, { extended });
  const text = codePoints(value);
  return text
    .map((code, at) => {
      const character = String.fromCodePoint(code);
      if ((!all && at > 0) || glob?.matches(character) === false) return character;
      const changed = to === "upper" ? character.toUpperCase() : character.toLowerCase();
      // towupper(3) gives one character for one.
      return [...changed].length === 1 ? changed : character;
    })
    .join("");
}

export const lengthOf = (value: string): number => codePoints(value).length;

function textOf(codes: readonly number[]): string {
  let text = "";
  for (const code of codes) text += String.fromCodePoint(code);
  return text;
}
