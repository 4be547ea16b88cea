/** Properties of an operand that gawk checks while it reads the program: assignable, constant. */
import type { Arithmetic, Expression, Statement, Target } from "./tree.ts";
import { partsOf } from "../compile/suspension.ts";

/**
 * The number that gawk knows an operand to be before the program runs; undefined: it does not. `folds`: whether it
 * computes what it can, which it does but for signs only where it optimizes. What is in parentheses it does not know.
 */
export function constantOf(expression: Expression, folds: boolean): number | undefined {
  switch (expression.kind) {
    case "number":
      return expression.value;
    case "minus": {
      const operand = constantOf(expression.operand, folds);
      return operand === undefined ? undefined : -operand;
    }
    case "not": {
      const { operand } = expression;
      const value = operand.kind === "string" ? operand.value.length : constantOf(operand, folds);
      return value === undefined || !folds ? undefined : Number(value === 0);
    }
    case "arithmetic": {
      const left = folds ? constantOf(expression.left, folds) : undefined;
      const right = left === undefined ? undefined : constantOf(expression.right, folds);
      return left === undefined || right === undefined ? undefined : computed(expression.operator, left, right);
    }
    default:
      return undefined;
  }
}

function computed(operator: Arithmetic, left: number, right: number): number | undefined {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return right === 0 ? undefined : left / right;
    case "%":
      return right === 0 ? undefined : left % right;
    case "^":
      return left ** right;
  }
}

/** True if gawk takes the expression for the third argument of sub and gsub: a target, or a constant that is left as it is. */
export function isChangeable(expression: Expression, folds: boolean): boolean {
  if (expression.kind === "increment" || expression.kind === "assign") return expression.target.kind === "field";
  if (expression.kind === "concatenation") return folds && expression.parts.every((part) => part.kind === "string");
  return isTarget(expression) || expression.kind === "string" || constantOf(expression, folds) !== undefined;
}

/**
 * True if gawk parses an assignment after the expression: a target, or `$i++`, for which it then reports that it cannot be
 * assigned to.
 */
export function isAssignable(expression: Expression): boolean {
  return isTarget(expression) || (expression.kind === "increment" && !expression.isPrefix && expression.target.kind === "field");
}

export function isTarget(expression: Expression): expression is Target {
  return expression.kind === "name" || expression.kind === "element" || expression.kind === "field";
}

/** True if `node` has a subscript that may be the field `operand`. */
export function isSubscriptIn(operand: Expression, node: Expression | Statement): boolean {
  if (operand.kind === "group") return isSubscriptIn(operand.inner, node);
  if (operand.kind !== "field") return false;
  const index = (field: Expression): number | undefined =>
    field.kind === "field" && field.index.kind === "number" ? field.index.value : undefined;
  const mayBeIt = (subscript: Expression): boolean =>
    subscript.kind === "field" && (index(subscript) ?? index(operand)) === (index(operand) ?? index(subscript));
  const isHere = (node.kind === "element" || node.kind === "in") && node.subscripts.some(mayBeIt);
  return isHere || partsOf(node).some((part) => isSubscriptIn(operand, part));
}
