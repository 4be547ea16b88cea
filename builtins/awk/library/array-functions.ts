/** asort, asorti, isarray, typeof, and what concerns open files: close, fflush, system. */
import { arrayArgument, NotAnArray } from "../compile/array-argument.ts";
import { AwkArray } from "../values/array.ts";
import type { ExpressionCompiler } from "../compile/expression-compiler.ts";
import { notOpen, numeric, type BuiltinCall, type FunctionClosures } from "./function-closures.ts";
import { FatalError, NO_WAITING } from "../syntax/program-error.ts";
import { sortedArray } from "./sorting.ts";
import type { Expression } from "../syntax/tree.ts";
import type { ArrayOf, ValueOf } from "../compile/closures.ts";
import { Bool, Input, NO_FIELD, Regexp, UNASSIGNED, Unassigned, Untyped, type Value } from "../values/values.ts";

export function arrayFunction(call: BuiltinCall, expressions: ExpressionCompiler): FunctionClosures | undefined {
  const { runtime } = expressions;
  const { name, values } = call;
  switch (name) {
    case "asort":
    case "asorti":
      return sorted(call, expressions);
    case "isarray": {
      const raw = rawValue(values[0] as Expression, expressions);
      return numeric(() => (runtime.raw(raw()) instanceof AwkArray ? 1 : 0));
    }
    case "typeof": {
      const raw = rawValue(values[0] as Expression, expressions);
      return { value: () => typeName(raw()) };
    }
    case "close": {
      const file = expressions.text(values[0] as Expression);
      const { closeFile } = expressions.getline;
      return numeric(() => closeFile(file()));
    }
    case "fflush": {
      const file = values[0] === undefined ? undefined : expressions.text(values[0]);
      return numeric(() => {
        const which = file?.();
        if (runtime.streams?.flush(which === "" ? undefined : which) === true) return 0;
        if (which === undefined || which === "" || which === "/dev/stdout" || which === "/dev/stderr") return 0;
        runtime.warn(notOpen(which));
        return -1;
      });
    }
    case "system":
      return numeric(() => {
        throw new FatalError(`system: ${NO_WAITING}`);
      });
    case "dcgettext": {
      const text = expressions.text(values[0] as Expression);
      return { value: () => text() };
    }
    case "dcngettext": {
      const [one, many] = [expressions.text(values[0] as Expression), expressions.text(values[1] as Expression)];
      const count = expressions.number(values[2] as Expression);
      return { value: () => (Math.trunc(count()) === 1 ? one() : many()) };
    }
    case "bindtextdomain": {
      const directory = expressions.text(values[0] as Expression);
      return { value: () => directory() };
    }
    default:
      return undefined;
  }
}

/** A name or an element as it is, without making it anything. */
function rawValue(expression: Expression, expressions: ExpressionCompiler): ValueOf {
  return expression.kind === "name" ? expressions.places.rawName(expression.name) : rawPart(expression, expressions);
}

/** As rawValue, of what may stand in parentheses or after a `?`: there a name is read, and is a scalar. */
function rawPart(expression: Expression, expressions: ExpressionCompiler): ValueOf {
  const { places } = expressions;
  if (expression.kind === "group") return rawPart(expression.inner, expressions);
  if (expression.kind === "conditional") return expressions.chosen(expression, (part) => rawPart(part, expressions));
  if (expression.kind === "element") {
    const array = places.array(expression.array);
    const key = places.key(expression.subscripts);
    return () => {
      const at = key();
      const into = array();
      return into.get(at);
    };
  }
  if (expression.kind === "field") {
    const value = expressions.value(expression);
    const index = expressions.places.fieldIndex(expression.index);
    const { record } = expressions.runtime;
    return () => (record.isAssigned(index()) ? value() : UNASSIGNED);
  }
  const value = expressions.value(expression);
  return () => value() ?? UNASSIGNED;
}

function typeName(value: Value): string {
  if (value instanceof Unassigned || value === NO_FIELD) return "unassigned";
  if (value instanceof Untyped) return value.array !== undefined ? "array" : value.isScalar ? "unassigned" : "untyped";
  if (value === undefined) return "untyped";
  if (typeof value === "number") return "number";
  if (typeof value === "string") return "string";
  if (value instanceof Input) return value.number === null ? "string" : "strnum";
  if (value instanceof Regexp) return "regexp";
  if (value instanceof Bool) return "number|bool";
  return "array";
}

function sorted({ name, values }: BuiltinCall, expressions: ExpressionCompiler): FunctionClosures {
  const { runtime } = expressions;
  const source = arrayArgument(expressions, name, 0, values[0] as Expression);
  const target = values[1] === undefined ? undefined : arrayArgument(expressions, name, 1, values[1]);
  const how = values[2] === undefined ? undefined : expressions.text(values[2]);
  return numeric(() => {
    const first = arrayOrError(source);
    // Where neither is one, gawk tells of the second.
    const second = target?.();
    if (first instanceof NotAnArray) throw first;
    const into = second ?? first;
    const order = how?.() ?? (name === "asort" ? "@val_type_asc" : "@ind_str_asc");
    const entries = sortedArray(first, order, expressions);
    const subscript = first.subscripts();
    const result: Value[] = entries.map(([key, value]) =>
      name === "asorti" ? subscript(key) : value instanceof AwkArray ? copied(value, runtime.newArray(value.name)) : (value ?? UNASSIGNED),
    );
    into.clear();
    for (const [at, value] of result.entries()) into.set(at + 1, value);
    return result.length;
  });
}

function arrayOrError(array: ArrayOf): AwkArray | NotAnArray {
  try {
    return array();
  } catch (thrown) {
    if (thrown instanceof NotAnArray) return thrown;
    throw thrown;
  }
}

function copied(from: AwkArray, into: AwkArray): AwkArray {
  for (const [key, value] of from.entries()) into.set(key, value instanceof AwkArray ? copied(value, into.subarray(key)) : value);
  return into;
}
