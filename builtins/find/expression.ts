/**
 * find's expression: what the parser makes of the arguments, and how it is evaluated. Everything but running a stage
 * is synchronous, so an expression is compiled to plain functions as far as it has no `-exec` in it.
 */
import type { TreeFile } from "../../src/walk/tree-file.ts";
import type { FindRun } from "./find-run.ts";

export type Expression =
  | { readonly kind: "primary"; readonly primary: Primary }
  | { readonly kind: "not"; readonly operand: Expression }
  | { readonly kind: "and" | "or" | "comma"; readonly left: Expression; readonly right: Expression };

/** A test or an action. `compile` is called once, when the run begins; it may throw FindFailure. */
export interface Primary {
  readonly name: string;
  /** An action that prints or runs something: no implied -print. */
  readonly replacesPrint: boolean;
  readonly compile: (run: FindRun) => Compiled;
}

export type Compiled =
  | { readonly kind: "test"; readonly test: (file: TreeFile) => boolean }
  /** Yields what a stage prints. */
  | { readonly kind: "stage"; readonly run: (file: TreeFile) => AsyncGenerator<Uint8Array, boolean> };

export const test = (run: (file: TreeFile) => boolean): Compiled => ({ kind: "test", test: run });

/** Ends the run with a message and exit status 1, before anything was visited. */
export class FindFailure extends Error {
  override readonly name = "FindFailure";
}

/** -quit */
export class QuitFind extends Error {
  override readonly name = "QuitFind";
}

export function compile(expression: Expression, run: FindRun): Compiled {
  switch (expression.kind) {
    case "primary":
      return expression.primary.compile(run);
    case "not": {
      const operand = compile(expression.operand, run);
      if (operand.kind === "test") return test((file) => !operand.test(file));
      return {
        kind: "stage",
        async *run(file) {
          return !(yield* operand.run(file));
        },
      };
    }
    case "and":
    case "or":
    case "comma":
      return combined(expression.kind, compile(expression.left, run), compile(expression.right, run));
  }
}

function combined(kind: "and" | "or" | "comma", left: Compiled, right: Compiled): Compiled {
  if (left.kind === "test" && right.kind === "test") {
    const [first, second] = [left.test, right.test];
    if (kind === "and") return test((file) => first(file) && second(file));
    if (kind === "or") return test((file) => first(file) || second(file));
    return test((file) => {
      first(file);
      return second(file);
    });
  }
  return {
    kind: "stage",
    async *run(file) {
      const first = left.kind === "test" ? left.test(file) : yield* left.run(file);
      if (kind === "and" && !first) return false;
      if (kind === "or" && first) return true;
      return right.kind === "test" ? right.test(file) : yield* right.run(file);
    },
  };
}

/** True if something in `expression` prints or runs, so that nothing is printed unasked. */
export function replacesPrint(expression: Expression): boolean {
  switch (expression.kind) {
    case "primary":
      return expression.primary.replacesPrint;
    case "not":
      return replacesPrint(expression.operand);
    case "and":
    case "or":
    case "comma":
      return replacesPrint(expression.left) || replacesPrint(expression.right);
  }
}
