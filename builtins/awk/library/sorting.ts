/** asort, asorti and PROCINFO["sorted_in"]: arrays in an order. */
import { AwkArray } from "../values/array.ts";
import type { Key } from "../values/array-order.ts";
import { enter, leave } from "../compile/frames.ts";
import type { ExpressionCompiler } from "../compile/expression-compiler.ts";
import { FatalError } from "../syntax/program-error.ts";
import type { Runtime } from "../run/runtime.ts";
import { Bool, Input, toNumber, USED_AS_PARAMETER, type Scalar, type Value } from "../values/values.ts";
import { toText } from "../values/text-conversion.ts";

type Entry = readonly [Key, Value];
type Compare = (a: Entry, b: Entry) => number;

/** The subscripts as `for (… in …)` visits them. */
export function forInOrder(array: AwkArray, expressions: ExpressionCompiler): readonly Key[] {
  const { runtime } = expressions;
  const information = runtime.getGlobal("PROCINFO");
  const how = information instanceof AwkArray && information.has("sorted_in") ? toText(information.peek("sorted_in"), runtime) : "";
  const keys = array.keys();
  if (how === "" || how === "@unsorted") return keys;
  // gawk compares variables and functions by their types wherever it compares values.
  if (keys.length === 0) return keys;
  const compare = comparison(array.isOwn ? how.replace(/^@val_(?:str|num)/, "@val_type") : how, expressions, array);
  return sortedEntries(
    keys.map((key) => [key, array.valueToSort(key)]),
    compare,
  ).map(([key]) => key);
}

/** Entries of `array` by `how`: the name of an order or of a function. */
export function sortedArray(array: AwkArray, how: string, expressions: ExpressionCompiler): readonly Entry[] {
  const entries = array.keys().map((key): Entry => [key, array.peek(key)]);
  return how === "@unsorted" ? entries : sortedEntries(entries, comparison(how, expressions, array));
}

/**
 * As glibc's qsort merges, because a comparison that is none (`return v1 > v2`) sorts what it sorts there, and because what
 * a function of the program prints shows which two are compared.
 */
function sortedEntries(entries: readonly Entry[], compare: Compare): readonly Entry[] {
  if (entries.length < 2) return entries;
  const middle = entries.length >> 1;
  const left = sortedEntries(entries.slice(0, middle), compare);
  const right = sortedEntries(entries.slice(middle), compare);
  const merged: Entry[] = [];
  let [leftAt, rightAt] = [0, 0];
  while (leftAt < left.length && rightAt < right.length) {
    const [first, second] = [left[leftAt] as Entry, right[rightAt] as Entry];
    if (compare(first, second) <= 0) {
      merged.push(first);
      leftAt++;
    } else {
      merged.push(second);
      rightAt++;
    }
  }
  while (leftAt < left.length) merged.push(left[leftAt++] as Entry);
  while (rightAt < right.length) merged.push(right[rightAt++] as Entry);
  return merged;
}

const ORDERS = /^@(ind|val)_(str|num|type)_(asc|desc)$/;

function comparison(how: string, expressions: ExpressionCompiler, array: AwkArray): Compare {
  const { runtime } = expressions;
  const [, of, by, direction] = ORDERS.exec(how) ?? [];
  if (of === undefined) return userComparison(how, expressions, array);
  const compare = builtinComparison(of as "ind" | "val", by as "str" | "num" | "type", runtime, array.textKeys());
  return direction === "asc" ? compare : (a, b) => compare(b, a);
}

function builtinComparison(of: "ind" | "val", by: "str" | "num" | "type", runtime: Runtime, textKey: (key: Key) => string): Compare {
  // Texts that differ in their case alone are in the order of their bytes, whatever IGNORECASE says.
  const texts = (a: string, b: string): number => runtime.compareTexts(a, b) || bytes(a, b);
  if (of === "ind") {
    if (by === "num") {
      return (a, b) => byNumbers(runtime.numberOf(a[0]), runtime.numberOf(b[0])) || texts(String(a[0]), String(b[0]));
    }
    return (a, b) => texts(String(a[0]), String(b[0]));
  }
  const withKeys =
    (compare: (a: Scalar, b: Scalar) => number): Compare =>
    (a, b) => {
      const wasUnused = isUnused(a[1]);
      if (wasUnused !== isUnused(b[1])) return wasUnused ? -1 : 1;
      const [left, right] = [runtime.raw(a[1]), runtime.raw(b[1])];
      const leftIsArray = left instanceof AwkArray;
      const rightIsArray = right instanceof AwkArray;
      if (leftIsArray !== rightIsArray) return leftIsArray ? 1 : -1;
      return (leftIsArray || rightIsArray ? 0 : compare(left, right)) || texts(textKey(a[0]), textKey(b[0]));
    };
  if (by === "str") return withKeys((a, b) => texts(toText(a, runtime), toText(b, runtime)));
  if (by === "num") {
    return withKeys((a, b) => byNumbers(runtime.numberOf(a), runtime.numberOf(b)) || texts(toText(a, runtime), toText(b, runtime)));
  }
  return withKeys((a, b) => {
    const [left, right] = [isNumber(a), isNumber(b)];
    if (left && right) return byNumbers(toNumber(a), toNumber(b));
    if (left !== right) return left ? -1 : 1;
    return texts(toText(a, runtime), toText(b, runtime));
  });
}

/** Elements that never were a scalar by themselves come first. */
const isUnused = (value: Value): boolean => value === undefined || value === USED_AS_PARAMETER;

function isNumber(value: Scalar): boolean {
  return typeof value === "number" || value === undefined || value instanceof Bool || (value instanceof Input && value.number !== null);
}

function byNumbers(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

const bytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A function of the program that gets two subscripts and their values. */
function userComparison(name: string, expressions: ExpressionCompiler, array: AwkArray): Compare {
  const { runtime, scope, calls } = expressions;
  const slot = scope.functions.get(name);
  if (slot === undefined) throw new FatalError(`sort comparison function \`${name}' is not defined`);
  const { length } = slot.definition.parameters;
  const subscript = array.subscripts();
  return (a, b) => {
    if (length < 4) runtime.warn(`function \`${name}' called with more arguments than declared`);
    const frame: Value[] = [subscript(a[0]), a[1], subscript(b[0]), b[1]].slice(0, length);
    while (frame.length < length) frame.push(undefined);
    const saved = { frame: runtime.frame, place: runtime.place };
    enter(runtime, frame);
    const completion = (slot.code as { run: () => number }).run();
    leave(runtime, saved);
    const result = toNumber(calls.result(completion));
    return result < 0 ? -1 : result > 0 ? 1 : 0;
  };
}
