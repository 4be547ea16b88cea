/** The closures of one function call, by the kind of its result. */
import type { NumberOf, ScalarOf } from "../compile/closures.ts";
import type { Expression } from "../syntax/tree.ts";

export type BuiltinCall = Extract<Expression, { kind: "builtin" }>;

export interface FunctionClosures {
  readonly value: ScalarOf;
  /** Present if the result is always a number. */
  readonly number?: NumberOf;
}

export const numeric = (number: NumberOf): FunctionClosures => ({ value: number, number });

/** gawk's words for fflush() of something that is not open. */
export const notOpen = (name: string): string => `fflush: \`${name}' is not an open file, pipe or co-process`;
