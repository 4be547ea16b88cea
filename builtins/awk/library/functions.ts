/** The functions of the language, each as closures over its arguments. */
import type { ExpressionCompiler } from "../compile/expression-compiler.ts";
import { arrayFunction } from "./array-functions.ts";
import { numberFunction } from "./number-functions.ts";
import { substitutionFunction } from "./substitution.ts";
import { textFunction } from "./text-functions.ts";
import { timeFunction } from "./time-functions.ts";
import type { BuiltinCall, FunctionClosures } from "./function-closures.ts";

export function functionClosures(call: BuiltinCall, expressions: ExpressionCompiler): FunctionClosures {
  const closures =
    numberFunction(call, expressions) ??
    textFunction(call, expressions) ??
    substitutionFunction(call, expressions) ??
    arrayFunction(call, expressions) ??
    timeFunction(call, expressions);
  if (closures === undefined) throw new Error(`no function ${call.name}`);
  return closures;
}
