/** Operations that make another value of each one: `${x#p}`, `${x/p/r}`, `${x^}`. */
import type { Segment } from "./fields.ts";
import { recased, removed, replaced } from "./parameter.ts";
import type { Expanding, WordExpander } from "./parameter-expansion.ts";
import type { ParameterOperation } from "./tree.ts";
import type { Scope, Value } from "./variables.ts";

type Change = Extract<ParameterOperation, { kind: "remove" | "replace" | "case" }>;

/**
 * The change that an operation makes to a value: its pattern is expanded once. Data in the place of a match, or in what is cut
 * away, makes data of the whole.
 */
export function* changeOf(operation: Change, scope: Scope, words: WordExpander): Expanding<(value: Value) => Value> {
  switch (operation.kind) {
    case "remove": {
      const pattern = yield* words.pattern(operation.pattern, scope);
      return ({ text, typed }) => ({ text: removed(text, pattern.text, operation, scope.extended), typed: typed && pattern.typed });
    }
    case "replace": {
      const { text: pattern } = yield* words.pattern(operation.pattern, scope);
      const by = yield* words.segments(operation.by, scope);
      const { pieces, isMatch } = replacementOf(by);
      const isTyped = by.every(({ typed }) => typed);
      return ({ text, typed }) => ({
        text: replaced(text, pattern, pieces, isMatch, operation.where, scope),
        typed: typed && isTyped,
      });
    }
    case "case": {
      const { pattern } = operation;
      // An unquoted value that is empty is no pattern, which stands for any character.
      const isEmptied = pattern?.parts.every((part) => (part.kind === "parameter" || part.kind === "command") && !part.quoted) === true;
      const glob = pattern && (yield* words.pattern(pattern, scope)).text;
      return ({ text, typed }) => ({ text: recased(text, isEmptied && glob === "" ? undefined : glob, operation, scope.extended), typed });
    }
  }
}

/** bash 5.2: an unquoted `&` is what was matched, and a backslash before it takes that away. */
function replacementOf(segments: readonly Segment[]): { readonly pieces: readonly string[]; readonly isMatch: readonly boolean[] } {
  const pieces: string[] = [];
  const isMatch: boolean[] = [];
  const add = (piece: string, match: boolean): void => {
    pieces.push(piece);
    isMatch.push(match);
  };
  for (const { text, kind } of segments) {
    if (kind === "quoted") {
      add(text, false);
      continue;
    }
    for (const [piece] of text.matchAll(/\\[&\\]|&|[^&\\]+|\\/g))
      add(piece.length === 2 && piece.startsWith("\\") ? piece.slice(1) : piece, piece === "&");
  }
  return { pieces, isMatch };
}
