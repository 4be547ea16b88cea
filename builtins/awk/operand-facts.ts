/** What gawk knows of an operand while it reads the program: whether it can be assigned to, whether it is a constant. */
import { power } from "./arithmetic.ts";
import type { Expression, Target } from "./tree.ts";

/** The number that gawk knows an operand to be before the program runs; undefined: it does not. */
export function constantOf(expression: Expression): number | undefined {
  switch (expression.kind) {
    case "number":
      return expression.value;
    case "minus": {
      const operand = constantOf(expression.operand);
      return operand === undefined ? undefined : -operand;
    }
    case "not": {
      const { operand } = expression;
      const value = operand.kind === "string" ? operand.value.length : constantOf(operand);
      return value === undefined ? undefined : Number(value === 0);
    }
    case "arithmetic": {
      if (expression.operator !== "^") return undefined;
      const [base, exponent] = [constantOf(expression.left), constantOf(expression.right)];
      return base === undefined || exponent === undefined ? undefined : power(base, exponent);
    }
    default:
      return undefined;
  }
}

/** What gawk takes for the third argument of sub and gsub: a target, or a constant that is left as it is. */
export function isChangeable(expression: Expression): boolean {
  if (expression.kind === "increment" || expression.kind === "assign") return expression.target.kind === "field";
  return isTarget(expression) || expression.kind === "string" || constantOf(expression) !== undefined;
}

/** What an assignment may follow: a target, or `$i++`, of which it is then told that it cannot be assigned to. */
export function isAssignable(expression: Expression): boolean {
  return isTarget(expression) || (expression.kind === "increment" && !expression.isPrefix && expression.target.kind === "field");
}

export function isTarget(expression: Expression): expression is Target {
  return expression.kind === "name" || expression.kind === "element" || expression.kind === "field";
}
