/** length, substr, index, case, sprintf, match, split and patsplit. */
import { arrayArgument } from "../compile/array-argument.ts";
import { AwkArray } from "../values/array.ts";
import { byteOffset, characterCount, hasStrayByte, isAscii, toLower, toUpper, withoutStrayBytes } from "../run/characters.ts";
import type { NumberOf, ScalarOf, TextOf } from "../compile/closures.ts";
import type { ExpressionCompiler } from "../compile/expression-compiler.ts";
import { FieldTable } from "../run/field-table.ts";
import { numeric, type BuiltinCall, type FunctionClosures } from "./function-closures.ts";
import { FatalError } from "../syntax/program-error.ts";
import { Scratch } from "../run/regex.ts";
import { byteSplitter, CSV, patternSplitter, regexSplitter, type Splitter } from "../run/splitter.ts";
import type { Expression } from "../syntax/tree.ts";
import { Regexp, Untyped, type Scalar } from "../values/values.ts";
import { toText } from "../values/text-conversion.ts";

export function textFunction(call: BuiltinCall, expressions: ExpressionCompiler): FunctionClosures | undefined {
  const { runtime } = expressions;
  const { name, values } = call;
  const text = (at: number): TextOf => expressions.text(values[at] as Expression);
  const count = (given: string): number => {
    if (runtime.bytesAreCharacters || isAscii(given)) return given.length;
    runtime.checkCharacters(given);
    return characterCount(given);
  };
  /** Text as gawk makes it where it changes case: what is no character becomes U+FFFD. */
  const whole = (given: string): string => {
    if (runtime.bytesAreCharacters || isAscii(given) || !hasStrayByte(given)) return given;
    runtime.checkCharacters(given);
    return withoutStrayBytes(given);
  };
  switch (name) {
    case "length":
      return numeric(lengthOf(values[0], expressions, count));
    case "substr":
      return substring(call, expressions);
    case "index": {
      const hay = expressions.settledValue(values[0] as Expression);
      const needle = text(1);
      return numeric(() => {
        const within = toText(hay(), runtime);
        const wanted = needle();
        if (wanted === "") return 1;
        if (!isAscii(within)) count(within);
        if (!isAscii(wanted)) count(wanted);
        const at = runtime.ignoreCase ? toLower(within).indexOf(toLower(wanted)) : within.indexOf(wanted);
        return at < 0 ? 0 : at === 0 ? 1 : count(within.slice(0, at)) + 1;
      });
    }
    case "tolower": {
      const given = text(0);
      if (runtime.bytesAreCharacters) return { value: () => given().replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) };
      return { value: () => toLower(whole(given())) };
    }
    case "toupper": {
      const given = text(0);
      if (runtime.bytesAreCharacters) return { value: () => given().replace(/[a-z]+/g, (letters) => letters.toUpperCase()) };
      return { value: () => toUpper(whole(given())) };
    }
    case "sprintf": {
      if (values.length === 0) {
        return {
          value: () => {
            throw new FatalError("sprintf: no arguments");
          },
        };
      }
      const format = text(0);
      const rest = values.slice(1).map((value) => expressions.settledValue(value));
      return {
        value: () => {
          const pattern = format();
          return runtime.formatted(
            pattern,
            rest.map((value) => value()),
          );
        },
      };
    }
    case "match":
      return numeric(matched(call, expressions, count));
    case "split":
      return numeric(split(call, expressions, false));
    case "patsplit":
      return numeric(split(call, expressions, true));
    default:
      return undefined;
  }
}

function lengthOf(argument: Expression | undefined, expressions: ExpressionCompiler, count: (text: string) => number): NumberOf {
  const { runtime, places, scope } = expressions;
  const { record } = runtime;
  if (argument === undefined) return () => count(record.text);
  if (argument.kind === "name" && !scope.functions.has(argument.name)) {
    const raw = places.rawName(argument.name);
    return () => {
      const value = raw();
      const array = value instanceof Untyped ? value.array : value;
      if (array instanceof AwkArray) return array.size;
      if (value === undefined) runtime.markScalar(argument.name, scope.parameters.get(argument.name));
      if (value instanceof Untyped) value.becomeScalar();
      return value instanceof Untyped ? 0 : count(toText(value, runtime));
    };
  }
  if (argument.kind === "element") {
    const array = places.array(argument.array);
    const key = places.key(argument.subscripts);
    return () => {
      const at = key();
      const value = array().get(at);
      return value instanceof AwkArray ? value.size : count(toText(value, runtime));
    };
  }
  const text = expressions.text(argument);
  return () => count(text());
}

function substring({ values }: BuiltinCall, expressions: ExpressionCompiler): FunctionClosures {
  const { runtime } = expressions;
  const text = expressions.text(values[0] as Expression);
  const start = expressions.number(values[1] as Expression);
  const length = values[2] === undefined ? undefined : expressions.number(values[2]);
  return {
    value: () => {
      const whole = text();
      let from = start();
      let size = length === undefined ? Infinity : length();
      [from, size] = substringBounds(from, size);
      if (!(size >= 1)) return "";
      if (runtime.bytesAreCharacters || isAscii(whole)) return whole.substring(from - 1, from - 1 + size);
      runtime.checkCharacters(whole);
      const begin = byteOffset(whole, from - 1);
      return size === Infinity ? whole.slice(begin) : whole.slice(begin, byteOffset(whole, size, begin));
    },
  };
}

/** The first character from 1, and how many. */
function substringBounds(start: number, length: number): [number, number] {
  let from = Number.isNaN(start) ? 1 : Math.trunc(start);
  const size = Number.isNaN(length) ? 0 : Math.trunc(length);
  // The first number past a size_t becomes 0 on the machines of today, and then the first character.
  if (from < 1 || from === 2 ** 64) from = 1;
  return [from, size];
}

function matched({ values }: BuiltinCall, expressions: ExpressionCompiler, count: (text: string) => number): NumberOf {
  const { runtime } = expressions;
  const text = expressions.text(values[0] as Expression);
  const regex = expressions.regex(values[1] as Expression);
  const groups = values[2] === undefined ? undefined : arrayArgument(expressions, "match", 2, values[2]);
  const [startNumber, lengthNumber] = [runtime.globalNumber("RSTART"), runtime.globalNumber("RLENGTH")];
  return () => {
    const subject = text();
    const search = regex();
    const into = groups?.();
    into?.clear();
    search.load(subject);
    if (!search.find(0, into !== undefined)) {
      runtime.globals[startNumber] = 0;
      runtime.globals[lengthNumber] = -1;
      return 0;
    }
    if (!runtime.bytesAreCharacters && !isAscii(subject)) runtime.checkCharacters(subject);
    const { offsets } = search;
    const [from = 0, to = 0] = [offsets[0], offsets[1]];
    const start = count(subject.slice(0, from)) + 1;
    runtime.globals[startNumber] = start;
    runtime.globals[lengthNumber] = count(subject.slice(from, to));
    if (into !== undefined) {
      for (let group = 0; group <= search.groupCount; group++) {
        const [groupFrom = -1, groupTo = -1] = [offsets[2 * group], offsets[2 * group + 1]];
        if (groupFrom < 0 || groupTo < groupFrom) continue;
        const part = subject.slice(groupFrom, groupTo);
        into.set(group, runtime.input(part));
        into.set(`${group}${runtime.subscriptSeparator}start`, count(subject.slice(0, groupFrom)) + 1);
        into.set(`${group}${runtime.subscriptSeparator}length`, count(part));
      }
    }
    return start;
  };
}

/** `split(text, array, separator, separators)`, and patsplit, which takes what the fields look like. */
function split({ name, values }: BuiltinCall, expressions: ExpressionCompiler, byPattern: boolean): NumberOf {
  const { runtime } = expressions;
  const text = expressions.text(values[0] as Expression);
  const array = arrayArgument(expressions, name, 1, values[1] as Expression);
  const separator = separatorOf(values[2], expressions, byPattern);
  const separators = values[3] === undefined ? undefined : arrayArgument(expressions, name, 3, values[3]);
  const table = new FieldTable();
  const scratch = new Scratch();
  return () => {
    const subject = text();
    const into = array();
    const seps = separators?.();
    if (seps !== undefined && seps === into) throw new FatalError(`${name}: cannot use the same array for second and fourth args`);
    separator.read();
    into.clear();
    seps?.clear();
    // What would separate nothing need not be a regular expression.
    if (subject === "") return 0;
    const [how, trims] = separator.splitter();
    const length = scratch.put(subject);
    const { bytes } = scratch;
    table.reset(0);
    how.split(bytes, length, table, Infinity);
    const { count } = table;
    for (let at = 0; at < count; at++) {
      into.set(at + 1, runtime.input(table.decoded?.get(at) ?? subject.slice(table.starts[at], table.ends[at])));
    }
    if (seps !== undefined) {
      if (byPattern || trims) {
        const first = subject.slice(0, count === 0 ? length : table.starts[0]);
        if (byPattern || first !== "") seps.set(0, first);
      }
      const last = byPattern || trims ? count : count - 1;
      for (let at = 1; at <= last; at++) {
        const between = subject.slice(table.ends[at - 1], at < count ? table.starts[at] : length);
        if (at < count || byPattern || between !== "") seps.set(at, between);
      }
    }
    return count;
  };
}

interface Separator {
  /** Works out the argument. Throws FatalError. */
  read(): void;
  /** The argument as a splitter, and true if that leaves out the text around the fields. Throws FatalError. */
  splitter(): readonly [Splitter, boolean];
}

/** The separator that an argument means. */
function separatorOf(argument: Expression | undefined, expressions: ExpressionCompiler, byPattern: boolean): Separator {
  const { runtime } = expressions;
  const value: ScalarOf =
    argument === undefined
      ? () => (runtime.raw(runtime.getGlobal(byPattern ? "FPAT" : "FS")) as string | undefined) ?? ""
      : argument.kind === "regex" || argument.kind === "typed-regex"
        ? constant(new Regexp(argument.source))
        : expressions.value(argument);
  let lastText: string | undefined;
  let lastFolds = false;
  let lastIsRegex = false;
  let lastTrims = false;
  let last: [Splitter, boolean] | undefined;
  let given: Scalar;
  const read = (): void => {
    given = value();
    if (byPattern && toText(given, runtime) === "") throw new FatalError("patsplit: third argument must be non-null");
  };
  if (argument === undefined && !byPattern && runtime.options.csv) return { read, splitter: constant([CSV, false]) };
  const splitter = (): readonly [Splitter, boolean] => {
    const trims = runtime.finder.isParagraph && toText(runtime.raw(runtime.getGlobal("FS")) as Scalar, runtime) === " ";
    const source = toText(given, runtime);
    const isRegex = given instanceof Regexp;
    if (
      last !== undefined &&
      source === lastText &&
      runtime.ignoreCase === lastFolds &&
      isRegex === lastIsRegex &&
      trims === lastTrims &&
      source.length > 1
    )
      return last;
    lastText = source;
    lastFolds = runtime.ignoreCase;
    lastIsRegex = isRegex;
    lastTrims = trims;
    if (byPattern) last = [patternSplitter(runtime.regexes.fresh(source, runtime.ignoreCase)), false];
    // An expression of one letter is that letter, whatever it means elsewhere.
    else if (isRegex && source.length === 1 && (source !== " " || argument?.kind === "regex"))
      last = [byteSplitter(source.charCodeAt(0), false), false];
    else if (isRegex && source !== "" && !(source === " " && argument?.kind !== "regex"))
      last = [regexSplitter(runtime.regexes.fresh(source, runtime.ignoreCase), trims), trims];
    else if (source.length > 1) last = [regexSplitter(runtime.regexes.fresh(source, runtime.ignoreCase), trims), trims];
    else last = [runtime.fieldSplitter(source, false), source === " "];
    return last;
  };
  return { read, splitter };
}

const constant =
  <T>(value: T): (() => T) =>
  () =>
    value;
