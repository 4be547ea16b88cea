/**
 * Types of the closures a program is compiled into: functions without parameters, because all they need is known when they are
 * made.
 */
import type { Work } from "../run/commands.ts";
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

/** Something to wait for: so many records, 0 where enough was printed, or what a command does. */
export type Step = number | Work;

/** A statement that may have to wait. */
export type Steps = () => Generator<Step, Completion>;

/** What has to be worked out before an expression, because it may have to wait. */
export type Before = () => Generator<Step, void>;

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
