/**
 * `$x`, `${a[i]}`, `"${a[@]:1}"`, `${!x}`: the segments that a parameter gives.
 *
 * Generators that yield each command substitution and are sent its output, as in word-expansion.ts.
 */
import { type ArrayView, type ElementKey, IndexedArray } from "./arrays.ts";
import { evaluateArithmetic } from "./arithmetic.ts";
import type { Segment } from "./fields.ts";
import { lengthOf, sliced, sliceStart } from "./parameter.ts";
import { changeOf } from "./parameter-change.ts";
import { transformed, type ValueLetter } from "./transform.ts";
import type {
  CommandSubstitution,
  ProcessSubstitution,
  ElementSubscript,
  ParameterExpansion,
  ParameterOperation,
  Subscript,
  TransformLetter,
  Word,
} from "./tree.ts";
import { listedArray, listedPairs, quotedValue } from "./value-quote.ts";
import { DEFAULT_IFS, ExpansionError, parameterValue, type Scope, type Value } from "./variables.ts";

/** Asks for what a command substitution prints, and for the file name of a process substitution. */
export type Expanding<T> = Generator<CommandSubstitution | ProcessSubstitution, T, string>;

/** Expansion of the words within an expansion. */
export interface WordExpander {
  segments(word: Word, scope: Scope): Expanding<readonly Segment[]>;
  value(word: Word, scope: Scope): Expanding<Value>;
  /** The source of a glob. */
  pattern(word: Word, scope: Scope): Expanding<Value>;
  /** The key that a subscript means; undefined for a place before the first element. */
  key(name: string, subscript: ElementSubscript, scope: Scope): Expanding<ElementKey | undefined>;
}

export function* parameterSegments(
  part: ParameterExpansion,
  quoted: boolean,
  scope: Scope,
  words: WordExpander,
): Expanding<readonly Segment[]> {
  const { operation } = part;
  if (operation?.kind === "names") {
    // Data may have named a variable (read, printf -v).
    const names = scope.names(part.name).map((text) => ({ text, typed: false }));
    return listSegments(names, { joined: operation.joined, quoted, scope });
  }
  if (operation?.kind === "keys") {
    const keys = elementsOf(part.name, scope).map(([key]) => ({ text: String(key), typed: false }));
    return listSegments(keys, { joined: part.subscript?.kind === "all" && part.subscript.joined, quoted, scope });
  }
  if (
    operation?.kind === "length" &&
    part.subscript?.kind === "element" &&
    scope.get(part.name) === undefined &&
    scope.array(part.name) === undefined
  ) {
    scope.missing(`${part.name}[${part.subscript.source}]`, 1);
    return [{ text: "0", kind: "split", typed: true }];
  }
  if (part.bare === true && scope.positional[Number(part.name) - 1] === undefined && part.name !== "0") scope.missing(`$${part.name}`);
  const parameter =
    part.indirect === true ? yield* indirection(part, scope, words) : yield* parameterOf(part.name, part.subscript, scope, words);
  return parameter.kind === "list"
    ? yield* listedSegments(parameter, operation, { quoted, scope, words })
    : yield* singleSegments(parameter, operation, { quoted, scope, words });
}

/** The place of an expansion. */
interface Surroundings {
  readonly quoted: boolean;
  readonly scope: Scope;
  readonly words: WordExpander;
}

/** One value, or the place for one. */
interface Single {
  readonly kind: "single";
  /** The variable, for what is known of it. */
  readonly name: string;
  /** As messages name it: with its subscript. */
  readonly shown: string;
  readonly value: Value | undefined;
  /** An element before the first one. */
  readonly isBefore?: true;
  readonly assign: (value: Value) => Value;
}

/** `$@`, `${a[@]}`. */
interface Listed {
  readonly kind: "list";
  readonly name: string;
  readonly shown: string;
  readonly joined: boolean;
  readonly elements: readonly (readonly [ElementKey, Value])[];
  readonly array: ArrayView | undefined;
}

function* parameterOf(name: string, subscript: Subscript | undefined, scope: Scope, words: WordExpander): Expanding<Single | Listed> {
  if (name === "@" || name === "*") {
    const elements = scope.positional.map((value, at) => [at + 1, value] as const);
    return { kind: "list", name, shown: name, joined: name === "*", elements, array: undefined };
  }
  if (subscript === undefined) {
    const assign = (value: Value): Value => {
      if (!/^[A-Za-z_]/.test(name)) throw new ExpansionError(`$${name}: cannot assign in this way`);
      scope.set(name, value);
      return scope.get(name) ?? value;
    };
    return { kind: "single", name, shown: name, value: parameterValue(name, scope), assign };
  }
  const shown = `${name}[${subscript.source}]`;
  if (!/^[A-Za-z_]/.test(name)) throw new ExpansionError(`\${${shown}}: bad substitution`);
  if (subscript.kind === "all") {
    return { kind: "list", name, shown, joined: subscript.joined, elements: elementsOf(name, scope), array: scope.array(name) };
  }
  const key = yield* words.key(name, subscript, scope);
  return element(name, shown, key, scope);
}

/** `key` undefined: there is no such element and there cannot be. */
function element(name: string, shown: string, key: ElementKey | undefined, scope: Scope): Single {
  const array = scope.array(name);
  const value = key === undefined ? undefined : array === undefined ? (key === 0 ? scope.get(name) : undefined) : array.get(key);
  const assign = (assigned: Value): Value => {
    if (key === undefined) throw new ExpansionError(`${shown}: bad array subscript`);
    scope.setElement(name, key, assigned);
    return scope.array(name)?.get(key) ?? assigned;
  };
  return { kind: "single", name, shown, value, assign, ...(key === undefined ? { isBefore: true } : {}) };
}

/** Elements with their keys; a variable that is no array has one. */
function elementsOf(name: string, scope: Scope): readonly (readonly [ElementKey, Value])[] {
  const array = scope.array(name);
  if (array !== undefined) return array.entries();
  const value = scope.get(name);
  return value === undefined ? [] : [[0, value]];
}

/** `${!x}`. */
function* indirection(part: ParameterExpansion, scope: Scope, words: WordExpander): Expanding<Single | Listed> {
  const { name, subscript } = part;
  const reference = subscript === undefined ? scope.referenceOf(name) : undefined;
  if (reference !== undefined) {
    return { kind: "single", name, shown: name, value: { text: reference, typed: false }, assign: (value) => value };
  }
  const from = yield* parameterOf(name, subscript, scope, words);
  const text = from.kind === "list" ? from.elements.map(([, value]) => value.text).join(" ") : from.value?.text;
  if (text === undefined) throw new ExpansionError(`${from.shown}: invalid indirect expansion`);
  const found = /^(?:([A-Za-z_]\w*)(?:\[([^]*)\])?|(\d+|[@*#?$-]))$/.exec(text);
  if (found === null) throw new ExpansionError(`${text}: invalid variable name`);
  const [, variable, inner, special] = found;
  if (special !== undefined) return yield* parameterOf(special, undefined, scope, words);
  const target = variable as string;
  if (inner === undefined) return yield* parameterOf(target, undefined, scope, words);
  if (inner === "@" || inner === "*")
    return yield* parameterOf(target, { kind: "all", joined: inner === "*", source: inner }, scope, words);
  return element(target, text, keyInText(target, inner, scope), scope);
}

/** The key in a subscript that is not part of the line: `printf -v "a[$i]"`, `${!x}`. Text in it is not expanded again. */
export function keyInText(name: string, subscript: string, scope: Scope): ElementKey | undefined {
  if (scope.array(name)?.kind !== "associative") return scope.elementIndex(name, evaluateArithmetic(subscript, scope));
  if (/['"\\$`]/.test(subscript)) {
    throw new ExpansionError(
      `${name}[${subscript}]: a key with quotes, $ or a backslash can only be given where the array is named in the line`,
    );
  }
  return subscript;
}

function* singleSegments(
  { name, shown, value, assign, isBefore }: Single,
  operation: ParameterOperation | undefined,
  { quoted, scope, words }: Surroundings,
): Expanding<readonly Segment[]> {
  const given = (text: string, typed: boolean): readonly Segment[] => [{ text, kind: "split", typed }];
  if (isBefore === true) {
    if (operation?.kind === "length") throw new ExpansionError(`${shown.slice(name.length + 1)}: bad array subscript`);
    scope.complain(`${name}: bad array subscript`);
    // bash looks for the attributes of the element as well.
    if (operation?.kind === "transform" && /[Aa]/.test(operation.letter)) scope.complain(`${name}: bad array subscript`);
  }
  switch (operation?.kind) {
    case "default":
      return isGiven(value, operation.orEmpty) ? given(value.text, value.typed) : yield* words.segments(operation.word, scope);
    case "alternative":
      if (isGiven(value, operation.orEmpty)) return yield* words.segments(operation.word, scope);
      return quoted ? given("", true) : [];
    case "assign": {
      if (isGiven(value, operation.orEmpty)) return given(value.text, value.typed);
      const assigned = assign(yield* words.value(operation.word, scope));
      return given(assigned.text, assigned.typed);
    }
    case "demand":
      if (isGiven(value, operation.orEmpty)) return given(value.text, value.typed);
      throw yield* demanded(shown, operation, scope, words);
    case "length":
      if (value === undefined) scope.missing(shown);
      return given(String(lengthOf(value?.text ?? "")), true);
    case "slice": {
      if (value === undefined) {
        scope.missing(shown);
        return given("", true);
      }
      const offset = evaluateArithmetic((yield* words.value(operation.offset, scope)).text, scope, shown);
      const start = sliceStart(value.text, offset);
      if (start === undefined) return given("", value.typed);
      if (operation.length === undefined) return given(sliced(value.text, start), value.typed);
      const source = (yield* words.value(operation.length, scope)).text;
      return given(sliced(value.text, start, { value: evaluateArithmetic(source, scope, shown), source }), value.typed);
    }
    case "transform":
      if (value === undefined) scope.missing(shown);
      return given(transformedVariable(name, value, operation.letter, scope), false);
    case "keys":
    case "names":
      return [];
    default: {
      if (value === undefined) scope.missing(shown);
      if (operation === undefined) return given(value?.text ?? "", value?.typed ?? true);
      const change = yield* changeOf(operation, scope, words);
      const { text, typed } = value === undefined ? { text: "", typed: true } : change(value);
      return given(text, typed);
    }
  }
}

const isGiven = (value: Value | undefined, orEmpty: boolean): value is Value => value !== undefined && (!orEmpty || value.text !== "");

type Demand = Extract<ParameterOperation, { kind: "default" | "assign" | "demand" | "alternative" }>;

function* demanded(shown: string, { word, orEmpty }: Demand, scope: Scope, words: WordExpander): Expanding<ExpansionError> {
  const message = (yield* words.value(word, scope)).text;
  const plain = orEmpty ? "parameter null or not set" : "parameter not set";
  return new ExpansionError(`${shown}: ${word.parts.length === 0 ? plain : message}`, 127);
}

/** `name` may be no variable: `${?@Q}`. */
function transformedVariable(name: string, value: Value | undefined, letter: TransformLetter, scope: Scope): string {
  if (letter === "a") return scope.attributes(name) ?? "";
  if (letter === "A" && !/^[A-Za-z_]/.test(name)) return "";
  if (letter !== "A") return value === undefined ? "" : transformed(value.text, letter);
  const attributes = scope.attributes(name) ?? "";
  if (value === undefined) return attributes === "" ? "" : `declare -${attributes} ${name}`;
  return `${attributes === "" ? "" : `declare -${attributes} `}${name}=${quotedValue(value.text)}`;
}

function* listedSegments(
  list: Listed,
  operation: ParameterOperation | undefined,
  { quoted, scope, words }: Surroundings,
): Expanding<readonly Segment[]> {
  const { shown, joined, elements } = list;
  const all = (values: readonly Value[]): readonly Segment[] => listSegments(values, { joined, quoted, scope });
  const values = elements.map(([, value]) => value);
  const isSet = (orEmpty: boolean): boolean => values.length > 0 && (!orEmpty || values.length > 1 || values[0]?.text !== "");
  if (operation === undefined) return all(values);
  switch (operation.kind) {
    case "length":
      if (elements.length === 0 && list.array === undefined && !/^[@*]$/.test(list.name)) scope.missing(list.name, 1);
      return [{ text: String(elements.length), kind: "split", typed: true }];
    case "default":
      return isSet(operation.orEmpty) ? all(values) : yield* words.segments(operation.word, scope);
    case "alternative":
      if (isSet(operation.orEmpty)) return yield* words.segments(operation.word, scope);
      return quoted && joined ? [{ text: "", kind: "split", typed: true }] : [];
    case "assign":
      if (isSet(operation.orEmpty)) return all(values);
      throw new ExpansionError(/^[@*]$/.test(shown) ? `$${shown}: cannot assign in this way` : `${shown}: bad array subscript`);
    case "demand":
      if (isSet(operation.orEmpty)) return all(values);
      throw yield* demanded(shown, operation, scope, words);
    case "slice":
      return all(yield* slicedList(list, operation, scope, words));
    case "transform":
      return transformedList(list, operation.letter, all, scope);
    case "keys":
    case "names":
      return [];
    default: {
      const change = yield* changeOf(operation, scope, words);
      return all(values.map(change));
    }
  }
}

/** Elements by position: of `$@` from 1 (0 is `$0`), of an indexed array by index, of an associative one by their order. */
function* slicedList(
  { name, shown, elements, array }: Listed,
  { offset: offsetWord, length: lengthWord }: Extract<ParameterOperation, { kind: "slice" }>,
  scope: Scope,
  words: WordExpander,
): Expanding<readonly Value[]> {
  const isPositional = name === "@" || name === "*";
  const offset = evaluateArithmetic((yield* words.value(offsetWord, scope)).text, scope, shown);
  if (array === undefined && !isPositional) {
    const [, value] = elements[0] ?? [];
    const from = value && sliceStart(value.text, offset);
    if (value === undefined || from === undefined) return [];
    if (lengthWord === undefined) return [{ ...value, text: sliced(value.text, from) }];
    const source = (yield* words.value(lengthWord, scope)).text;
    return [{ ...value, text: sliced(value.text, from, { value: evaluateArithmetic(source, scope, shown), source }) }];
  }
  const last = array instanceof IndexedArray ? array.last : elements.length - 1;
  const end = BigInt(isPositional || array?.kind === "associative" ? elements.length + 1 : last + 1);
  const start = offset < 0n ? end + offset : offset;
  if (start < 0n || (start >= end && !(start === end && isPositional))) {
    if (elements.length === 0 && lengthWord !== undefined) (yield* words.value(lengthWord, scope)).text;
    return [];
  }
  let most = Infinity;
  if (lengthWord !== undefined) {
    const source = (yield* words.value(lengthWord, scope)).text;
    const length = evaluateArithmetic(source, scope, shown);
    if (length < 0n) throw new ExpansionError(`${source}: substring expression < 0`);
    most = Number(length);
  }
  const from = Number(start);
  const listed = isPositional && from === 0 ? [[0, { text: scope.name, typed: false }] as const, ...elements] : elements;
  const found = array?.kind === "associative" ? listed.slice(Math.max(from - 1, 0)) : listed.filter(([key]) => (key as number) >= from);
  return found.slice(0, most).map(([, value]) => value);
}

function transformedList(
  { name, joined, elements, array }: Listed,
  letter: TransformLetter,
  all: (values: readonly Value[]) => readonly Segment[],
  scope: Scope,
): readonly Segment[] {
  const isPositional = name === "@" || name === "*";
  const value = (text: string): Value => ({ text, typed: false });
  // bash cuts the text into words, also in double quotes.
  const isCut = !joined && /^$| /.test(scope.get("IFS")?.text ?? DEFAULT_IFS);
  const pieces = (texts: readonly string[]): readonly Segment[] => all(isCut ? texts.map(value) : [value(texts.join(" "))]);
  switch (letter) {
    case "a": {
      const attributes = isPositional ? "" : (scope.attributes(name) ?? "");
      if (scope.isDeclaredOnly(name)) return all([value(attributes)]);
      return all(array === undefined && !isPositional && attributes === "" ? [] : elements.map(() => value(attributes)));
    }
    case "A": {
      if (isPositional) {
        const quotes = elements.map(([, { text }]) => quotedValue(text));
        if (quotes.length === 0) return [];
        if (joined) return [...all([value("set -- ")]), ...all(quotes.map(value))];
        return isCut ? pieces(["set", "--", ...quotes]) : all([value(`set -- ${quotes[0]}`), ...quotes.slice(1).map(value)]);
      }
      const only = scope.get(name);
      if (array === undefined) {
        const text = transformedVariable(name, only, "A", scope);
        return all(text === "" ? [] : [value(text)]);
      }
      const attributes = scope.attributes(name) ?? "";
      return scope.isDeclaredOnly(name)
        ? pieces(["declare", `-${attributes}`, name])
        : pieces(["declare", `-${attributes}`, `${name}=${listedArray(array)}`]);
    }
    case "K":
      if (array !== undefined) return all(array.size === 0 ? [] : [value(listedPairs(array))]);
      break;
    case "k":
      if (array !== undefined) return all(elements.flatMap(([key, { text }]) => [value(String(key)), value(text)]));
  }
  return all(elements.map(([, { text }]) => value(transformed(text, letter as ValueLetter))));
}

/** Several values: fields of their own, or one joined by the first character of IFS. */
function listSegments(
  values: readonly Value[],
  { joined, quoted, scope }: { readonly joined: boolean | undefined; readonly quoted: boolean; readonly scope: Scope },
): readonly Segment[] {
  const ifs = scope.get("IFS");
  const [first = ""] = ifs?.text ?? DEFAULT_IFS;
  // What joins the values may be data, too.
  const isJoinedByTyped = joined !== true || ifs?.typed !== false;
  const separator = joined === true ? first : " ";
  const cuts = !quoted && /[^ \t\n]/.test(first);
  if (joined === true && quoted) {
    const text = values.map((value) => value.text).join(separator);
    return [{ text, kind: "split", typed: values.every(({ typed }) => typed) && (values.length < 2 || isJoinedByTyped) }];
  }
  return values.flatMap(({ text, typed }, at): readonly Segment[] => {
    const segment = { text, kind: "split", typed } as const;
    return at === 0 ? [segment] : [{ text: separator, kind: "break", typed: isJoinedByTyped, cuts }, segment];
  });
}
