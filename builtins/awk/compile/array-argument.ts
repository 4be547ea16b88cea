/** Arguments of builtin functions that are arrays. */
import type { ArrayOf } from "./closures.ts";
import type { ExpressionCompiler } from "./expression-compiler.ts";
import { FatalError } from "../syntax/program-error.ts";
import type { Expression } from "../syntax/tree.ts";

const PLACES = ["first", "second", "third", "fourth"];

export class NotAnArray extends FatalError {}

/** Argument `at` (from 0) of the function `name`. What is no array is worked out, and then said with the function's name. */
export function arrayArgument(expressions: ExpressionCompiler, name: string, at: number, expression: Expression): ArrayOf {
  const wrong = (): NotAnArray => new NotAnArray(`${name}: ${PLACES[at]} argument is not an array`);
  if (expression.kind !== "name" && expression.kind !== "element") {
    const value = expressions.value(expression);
    return () => {
      value();
      throw wrong();
    };
  }
  const array = expressions.places.array(expression);
  return () => {
    try {
      return array();
    } catch (thrown) {
      throw thrown instanceof FatalError && thrown.message.startsWith("attempt to use scalar ") ? wrong() : thrown;
    }
  };
}
