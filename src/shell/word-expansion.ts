/**
 * Words → fields: parameters, command substitutions and arithmetic, then field splitting (POSIX 2.6). Pathname
 * expansion comes after (expand.ts). Text that was expanded is never parsed again as shell text.
 *
 * Written as generators that yield each command substitution and are sent its output: the engine runs it; the guard, which only
 * needs the values known in advance, stops there.
 */
import { evaluateArithmetic } from "./arithmetic.ts";
import { type Field, fieldText, type Segment, splitFields } from "./fields.ts";
import type { ElementKey } from "./arrays.ts";
import { type Expanding, parameterSegments, type WordExpander } from "./parameter-expansion.ts";
import { type ElementSubscript, textWord, type Word, type WordPart } from "./tree.ts";
import { DEFAULT_IFS, type Scope, type Value } from "./variables.ts";
import { globParts } from "./word-parts.ts";

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

/**
 * Expands a word to one text, as bash does with the operands of `[[` and `case` and in the list of an associative array: beside a
 * list in quotes (`"${a[@]}"`) all of the word is split, and spaces join the fields.
 */
export function* expandUnsplit(word: Word, scope: Scope): Expanding<Value> {
  if (!word.parts.some(isQuotedList)) return yield* expandToValue(word, scope);
  const fields = yield* expandToFields(word, scope);
  const typed = word.isOperand !== true && fields.every((field) => field.every((segment) => segment.typed));
  return { text: fields.map(fieldText).join(" "), typed };
}

function isQuotedList(part: WordPart): boolean {
  if (part.kind !== "parameter" || !part.quoted || part.operation?.kind === "length") return false;
  return part.subscript?.kind === "all" ? !part.subscript.joined : part.name === "@";
}

export function* expandToText(word: Word, scope: Scope): Expanding<string> {
  return (yield* expandToValue(word, scope)).text;
}

/** The source of a glob: what was quoted has lost its meaning. */
export function* expandToPattern(word: Word, scope: Scope): Expanding<string> {
  return (yield* expandToPatternValue(word, scope)).text;
}

function* expandToPatternValue(word: Word, scope: Scope): Expanding<Value> {
  const segments = yield* segmentsOf(word, scope);
  const sources = segments.map(({ text, kind }) => (kind === "quoted" ? text.replace(SPECIAL, "\\$&") : text));
  return { text: sources.join(""), typed: segments.every(({ typed }) => typed) };
}

/** The same, and as the trace of `[[ ]]` shows it: each character that was quoted behind a backslash. */
export function* expandToShownPattern(word: Word, scope: Scope): Expanding<{ readonly pattern: string; readonly shown: string }> {
  const segments = yield* segmentsOf(word, scope);
  const escaped = (characters: RegExp): string =>
    segments.map(({ text, kind }) => (kind === "quoted" ? text.replace(characters, "\\$&") : text)).join("");
  return { pattern: escaped(SPECIAL), shown: escaped(/[^]/gu) };
}

/** Characters that a pattern gives a meaning, extended ones included. */
const SPECIAL = /[*?[\]\\!^+@(|)-]/g;

/** The source of an extended regular expression, likewise. */
export function* expandToRegex(word: Word, scope: Scope): Expanding<string> {
  const segments = yield* segmentsOf(word, scope);
  return segments.map(({ text, kind }) => (kind === "quoted" ? text.replace(/[.[\]{}()*+?^$|\\]/g, "\\$&") : text)).join("");
}

export function* expandArithmetic(word: Word, scope: Scope): Expanding<bigint> {
  return evaluateArithmetic(yield* expandArithmeticText(word, scope), scope);
}

/** The text of arithmetic. What is expanded within a subscript is escaped, because the subscript may be a key. */
export function* expandArithmeticText(word: Word, scope: Scope): Expanding<string> {
  let text = "";
  let depth = 0;
  for (const part of word.parts) {
    if (part.kind === "text") {
      text += part.text;
      depth += part.text.split("[").length - part.text.split("]").length;
      continue;
    }
    const expanded = yield* expandToText({ parts: [part], span: word.span }, scope);
    text += depth > 0 ? expanded.replace(/[[\]\\'"$`]/g, "\\$&") : expanded;
  }
  return text;
}

/** The key that a subscript means; undefined for a place before the first element. */
export function* elementKey(name: string, subscript: ElementSubscript, scope: Scope): Expanding<ElementKey | undefined> {
  if (scope.array(name)?.kind === "associative") return yield* expandToText(subscript.key, scope);
  const text = yield* expandArithmeticText(subscript.index, scope);
  return scope.elementIndex(name, evaluateArithmetic(text, scope));
}

const EXPANDER: WordExpander = { segments: segmentsOf, value: expandToValue, pattern: expandToPatternValue, key: elementKey };

function ifsOf(scope: Scope): string {
  return scope.get("IFS")?.text ?? DEFAULT_IFS;
}

function* segmentsOf(word: Word, scope: Scope): Expanding<readonly Segment[]> {
  const segments: Segment[] = [];
  /** Quoted results that are empty: beside a list without elements in the same quotes they make no field. */
  const empty = new Map<Segment, number | undefined>();
  const emptyLists = new Set<number | undefined>();
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
        {
          const found = yield* parameterSegments(part, part.quoted, scope, EXPANDER);
          if (part.quoted && found.length === 0) emptyLists.add(part.quotation);
          for (const segment of found) {
            const kind = segment.kind === "break" ? "break" : part.quoted ? "quoted" : segment.kind === "typed" ? "split" : segment.kind;
            segments.push({ ...segment, kind });
            if (part.quoted && segment.text === "" && found.length === 1) empty.set(segments.at(-1) as Segment, part.quotation);
          }
        }
        break;
      case "command":
        segments.push({ text: yield part, kind: part.quoted ? "quoted" : "split", typed: false });
        break;
      case "process":
        segments.push({ text: yield part, kind: "quoted", typed: true });
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
  if (emptyLists.size === 0) return segments;
  return segments.filter((segment) => !empty.has(segment) || !emptyLists.has(empty.get(segment)));
}

/** `~/x` in a root that is `/` has one slash. */
function homeText(word: Word, { rootPath }: Scope): string {
  const next = word.parts[1];
  return rootPath === "/" && next?.kind === "text" && next.text.startsWith("/") ? "" : rootPath;
}
