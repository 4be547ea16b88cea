/**
 * Types of the closures a program is compiled into: functions without parameters, because all they need is known when they are
 * made.
 */
import type { AwkArray } from "../values/array.ts";
import type { Scalar, Value } from "../values/values.ts";

export type ScalarOf = () => Scalar;
export type NumberOf = () => number;
export type TextOf = () => string;
export type BooleanOf = () => boolean;
export type ArrayOf = () => AwkArray;
export type ValueOf = () => Value;

/** Ways in which a statement ends. Plain numbers: one is returned by every statement that runs. */
export const NORMAL = 0;
export const BREAK = 1;
export const CONTINUE = 2;
export const NEXT = 3;
export const NEXT_FILE = 4;
export const EXIT = 5;
export const RETURN = 6;

export type Completion = number;
export type Run = () => Completion;

/** A statement that may have to wait: it yields how many records it needs, or 0 where enough was printed. */
export type Steps = () => Generator<number, Completion>;

export interface Code {
  readonly run: Run;
  /** Undefined: the statement never has to wait. */
  readonly steps: Steps | undefined;
}

/** `next` or `exit` in a function that was called within an expression. */
export class Unwind {
  readonly completion: Completion;

  constructor(completion: Completion) {
    this.completion = completion;
  }
}
