/**
 * Words → fields: parameters, command substitutions and arithmetic, then field splitting (POSIX 2.6). Pathname
 * expansion comes after (expand.ts). Text that was expanded is never parsed again as shell text.
 *
 * Written as generators that yield each command substitution and are sent its output: the engine runs it; the guard, which only
 * needs the values known in advance, stops there.
 */
import { evaluateArithmetic } from "./arithmetic.ts";
import { type Field, fieldText, type Segment, splitFields } from "./fields.ts";
import { lengthOf, recased, removed, replaced, sliced, sliceStart } from "./parameter.ts";
import { textWord, type CommandSubstitution, type ParameterExpansion, type ParameterOperation, type Word } from "./tree.ts";
import { DEFAULT_IFS, ExpansionError, parameterValue, type Scope, type Value } from "./variables.ts";
import { globParts } from "./word-parts.ts";

/** Asks for what a command substitution prints. */
export type Expanding<T> = Generator<CommandSubstitution, T, string>;

/** The fields of a word: none, one or several. */
export function* expandToFields(word: Word, scope: Scope): Expanding<readonly Field[]> {
  const segments = yield* segmentsOf(word, scope);
  return splitFields(segments, segments.some((segment) => segment.kind === "split") ? ifsOf(scope) : DEFAULT_IFS);
}

/** A field of `from` as a word of text and patterns, for pathname expansion. */
export function fieldWord(field: Field, from: Word, extended = false): Word {
  const special = extended ? /[*?[]|[+@!]\(/ : /[*?[]/;
  const literal = field.every(({ kind, text }) => kind === "quoted" || !special.test(text));
  const parts = literal
    ? textWord(fieldText(field), from.span).parts
    : globParts(
        field.map(({ text, kind }) => ({ text, quoted: kind === "quoted" })),
        extended,
      );
  return { parts, span: from.span, ...(from.isOperand === true ? { isOperand: true } : {}) };
}

/** Tells whether the first character of the field was typed in the line, so that a dash there begins a flag. */
export const beginsTyped = (field: Field): boolean => field.find(({ text }) => text !== "")?.typed ?? true;

/** Expands a word to one text, unsplit: an assigned value, a here-string, the word of `case`. */
export function* expandToValue(word: Word, scope: Scope): Expanding<Value> {
  const segments = yield* segmentsOf(word, scope);
  return { text: fieldText(segments), typed: word.isOperand !== true && segments.every((segment) => segment.typed) };
}

export function* expandToText(word: Word, scope: Scope): Expanding<string> {
  return (yield* expandToValue(word, scope)).text;
}

/** The source of a glob: what was quoted has lost its meaning. */
export function* expandToPattern(word: Word, scope: Scope): Expanding<string> {
  const segments = yield* segmentsOf(word, scope);
  return segments.map(({ text, kind }) => (kind === "quoted" ? text.replace(/[*?[\]\\!^+@(|)-]/g, "\\$&") : text)).join("");
}

/** The source of an extended regular expression, likewise. */
export function* expandToRegex(word: Word, scope: Scope): Expanding<string> {
  const segments = yield* segmentsOf(word, scope);
  return segments.map(({ text, kind }) => (kind === "quoted" ? text.replace(/[.[\]{}()*+?^$|\\]/g, "\\$&") : text)).join("");
}

export function* expandArithmetic(word: Word, scope: Scope): Expanding<bigint> {
  return evaluateArithmetic(yield* expandToText(word, scope), scope);
}

export function ifsOf(scope: Scope): string {
  return scope.get("IFS")?.text ?? DEFAULT_IFS;
}

function* segmentsOf(word: Word, scope: Scope): Expanding<readonly Segment[]> {
  const segments: Segment[] = [];
  for (const part of word.parts) {
    switch (part.kind) {
      case "text":
        segments.push({ text: part.text, kind: part.quoted ? "quoted" : "typed", typed: true });
        break;
      case "glob":
        segments.push({ text: part.source, kind: "typed", typed: true });
        break;
      case "home":
        segments.push({ text: homeText(word, scope), kind: "quoted", typed: true });
        break;
      case "parameter":
        for (const segment of yield* parameterSegments(part, part.quoted, scope))
          segments.push(part.quoted ? { ...segment, kind: "quoted" } : segment.kind === "typed" ? { ...segment, kind: "split" } : segment);
        break;
      case "command":
        segments.push({ text: yield part, kind: part.quoted ? "quoted" : "split", typed: false });
        break;
      case "arithmetic":
        segments.push({
          text: String(yield* expandArithmetic(part.expression, scope)),
          kind: part.quoted ? "quoted" : "split",
          typed: false,
        });
        break;
    }
  }
  return segments;
}

/** `~/x` in a root that is `/` has one slash. */
function homeText(word: Word, { rootPath }: Scope): string {
  const next = word.parts[1];
  return rootPath === "/" && next?.kind === "text" && next.text.startsWith("/") ? "" : rootPath;
}

function* parameterSegments(part: ParameterExpansion, quoted: boolean, scope: Scope): Expanding<readonly Segment[]> {
  const { name, operation } = part;
  const value = parameterValue(name, scope);
  const given = (text: string, typed: boolean): readonly Segment[] => [{ text, kind: "split", typed }];
  switch (operation?.kind) {
    case "default":
      return isGiven(value, operation.orEmpty) ? given(value.text, value.typed) : yield* segmentsOf(operation.word, scope);
    case "alternative":
      if (isGiven(value, operation.orEmpty)) return yield* segmentsOf(operation.word, scope);
      return quoted ? given("", true) : [];
    case "assign": {
      if (isGiven(value, operation.orEmpty)) return given(value.text, value.typed);
      if (!/^[A-Za-z_]/.test(name)) throw new ExpansionError(`$${name}: cannot assign in this way`);
      const assigned = yield* expandToValue(operation.word, scope);
      scope.set(name, assigned);
      return given(assigned.text, assigned.typed);
    }
    case "demand": {
      if (isGiven(value, operation.orEmpty)) return given(value.text, value.typed);
      const message = yield* expandToText(operation.word, scope);
      const plain = operation.word.parts.length === 0;
      throw new ExpansionError(
        `${name}: ${plain ? (operation.orEmpty ? "parameter null or not set" : "parameter not set") : message}`,
        127,
      );
    }
    case "length":
      if (value === undefined && !/^[@*]$/.test(name)) scope.missing(name);
      return given(/^[@*]$/.test(name) ? "0" : String(lengthOf(value?.text ?? "")), true);
    default: {
      // `"$@"` is no word at all.
      if (value === undefined && name === "@") return [];
      if (value === undefined && name !== "*") scope.missing(name);
      const changed = operation === undefined ? (value?.text ?? "") : yield* changedValue(name, value, operation, scope);
      return given(changed, value?.typed ?? true);
    }
  }
}

function isGiven(value: Value | undefined, orEmpty: boolean): value is Value {
  return value !== undefined && (!orEmpty || value.text !== "");
}

function* changedValue(
  name: string,
  given: Value | undefined,
  operation: Extract<ParameterOperation, { kind: "remove" | "replace" | "slice" | "case" }>,
  scope: Scope,
): Expanding<string> {
  const value = given?.text ?? "";
  switch (operation.kind) {
    case "remove":
      return removed(value, yield* expandToPattern(operation.pattern, scope), operation, scope.extended);
    case "replace": {
      const pattern = yield* expandToPattern(operation.pattern, scope);
      const { pieces, isMatch } = replacementOf(yield* segmentsOf(operation.by, scope));
      return given !== undefined ? replaced(value, pattern, pieces, isMatch, operation.where, scope.extended) : "";
    }
    case "slice": {
      if (given === undefined) return "";
      const offset = evaluateArithmetic(yield* expandToText(operation.offset, scope), scope, name);
      const start = sliceStart(value, offset);
      if (start === undefined) return "";
      if (operation.length === undefined) return sliced(value, start);
      const source = yield* expandToText(operation.length, scope);
      return sliced(value, start, { value: evaluateArithmetic(source, scope, name), source });
    }
    case "case": {
      const { pattern } = operation;
      // An unquoted value that is empty is no pattern, which stands for any character.
      const isEmptied = pattern?.parts.every((part) => (part.kind === "parameter" || part.kind === "command") && !part.quoted) === true;
      const glob = pattern && (yield* expandToPattern(pattern, scope));
      return recased(value, isEmptied && glob === "" ? undefined : glob, operation);
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
