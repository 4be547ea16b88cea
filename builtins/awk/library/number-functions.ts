/** Arithmetic and bits. */
import type { NumberOf } from "../compile/closures.ts";
import type { ExpressionCompiler } from "../compile/expression-compiler.ts";
import { numeric, type BuiltinCall, type FunctionClosures } from "./function-closures.ts";
import { numberOfAnyBase } from "../values/number-parse.ts";
import { fixed, general, specialText } from "../values/float-format.ts";
import { FatalError } from "../syntax/program-error.ts";
import type { Expression } from "../syntax/tree.ts";
import { Bool, Input, toBoolean, toNumber } from "../values/values.ts";
import { toText } from "../values/text-conversion.ts";

export function numberFunction({ name, values }: BuiltinCall, expressions: ExpressionCompiler): FunctionClosures | undefined {
  const { runtime } = expressions;
  const number = (at: number): NumberOf => expressions.number(values[at] as BuiltinCall);
  switch (name) {
    case "int": {
      const value = number(0);
      return numeric(() => Math.trunc(value()));
    }
    case "sqrt": {
      const value = number(0);
      return numeric(() => {
        const given = value();
        if (given < 0) runtime.warn(`sqrt: received negative argument ${shortText(given)}`);
        return Math.sqrt(given);
      });
    }
    case "log": {
      const value = number(0);
      return numeric(() => {
        const given = value();
        if (given < 0) runtime.warn(`log: received negative argument ${shortText(given)}`);
        return Math.log(given);
      });
    }
    case "exp": {
      const value = number(0);
      return numeric(() => {
        const given = value();
        const result = Math.exp(given);
        const isOut = result === 0 || result === Infinity;
        if (isOut && Number.isFinite(given)) runtime.warn(`exp: argument ${shortText(given)} is out of range`);
        return result;
      });
    }
    case "sin": {
      const value = number(0);
      return numeric(() => Math.sin(value()));
    }
    case "cos": {
      const value = number(0);
      return numeric(() => Math.cos(value()));
    }
    case "atan2": {
      const [y, x] = [expressions.settledValue(values[0] as Expression), expressions.settledValue(values[1] as Expression)];
      return numeric(() => {
        const top = runtime.numberOf(y());
        return Math.atan2(top, runtime.numberOf(x()));
      });
    }
    case "rand":
      return numeric(() => runtime.random.next());
    case "srand": {
      const seed = values[0] === undefined ? () => Math.floor(runtime.options.nowMs / 1000) : number(0);
      return numeric(() => {
        const next = seed();
        const before = runtime.random.seed;
        runtime.random.reseed(next);
        return before;
      });
    }
    case "and":
    case "or":
    case "xor":
      return numeric(
        bits(
          name,
          values.map((_, at) => number(at)),
        ),
      );
    case "compl": {
      const value = number(0);
      return numeric(() => kept(BigInt.asUintN(64, ~(unsignedBits("compl", [value()])[0] ?? 0n))));
    }
    case "lshift":
    case "rshift":
      return numeric(shift(name, number(0), number(1)));
    case "strtonum": {
      const value = expressions.value(values[0] as BuiltinCall);
      return numeric(() => {
        const given = value();
        if (typeof given === "number") return given;
        if (given instanceof Input && given.number !== null) return given.number;
        return numberOfAnyBase(toText(given, runtime), (text) => runtime.numberOf(text));
      });
    }
    case "mkbool": {
      const value = expressions.value(values[0] as BuiltinCall);
      return { value: () => new Bool(toBoolean(value())), number: () => toNumber(toBoolean(value()) ? 1 : 0) };
    }
    default:
      return undefined;
  }
}

/** The part of a 64-bit number that a double holds exactly: 53 bits from the lowest one that is set. */
function kept(bits: bigint): number {
  return Number(bits & (MANTISSA * (bits & -bits)));
}

const MANTISSA = (1n << 53n) - 1n;

/** %g, for integers too. */
const shortText = (value: number): string => signed(value, (size) => general(size, 6, false));
/** %f */
const fixedText = (value: number): string => signed(value, (size) => fixed(size, 6, false));

function signed(value: number, format: (size: number) => string): string {
  return Number.isFinite(value) ? (value < 0 ? "-" : "") + format(Math.abs(value)) : specialText(value);
}

function bits(name: "and" | "or" | "xor", numbers: readonly NumberOf[]): NumberOf {
  return () => {
    const values = numbers.map((number) => number());
    if (values.length < 2) throw new FatalError(`${name}: called with less than two arguments`);
    const given = unsignedBits(name, values);
    let result = given[0] as bigint;
    for (const next of given.slice(1)) result = name === "and" ? result & next : name === "or" ? result | next : result ^ next;
    return kept(result);
  };
}

function shift(name: "lshift" | "rshift", value: NumberOf, count: NumberOf): NumberOf {
  return () => {
    const given = value();
    const places = count();
    if (given < 0 || places < 0) {
      throw new FatalError(`${name}(${fixedText(given)}, ${fixedText(places)}): negative values are not allowed`);
    }
    const [bits = 0n, by = 0n] = unsignedBits(name, [given, places]);
    const size = by & 63n;
    return kept(name === "lshift" ? BigInt.asUintN(64, bits << size) : bits >> size);
  };
}

/** Throws FatalError for a negative number. */
function unsignedBits(name: string, values: readonly number[]): bigint[] {
  // gawk takes them from the last to the first.
  const at = values.findLastIndex((value) => value < 0);
  if (at >= 0) {
    const value = values[at] as number;
    throw new FatalError(
      values.length === 1 || name === "compl"
        ? `${name}(${fixedText(value)}): negative value is not allowed`
        : `${name}: argument ${at + 1} negative value ${shortText(value)} is not allowed`,
    );
  }
  // What 64 bits do not hold is 0.
  return values.map((value) => (value < 2 ** 64 ? BigInt(Math.trunc(value)) : 0n));
}
