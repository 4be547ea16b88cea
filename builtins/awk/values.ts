/**
 * Values. Text is a string with one unit per byte, so that any bytes survive, comparison is by bytes, and nothing is
 * decoded until characters are asked for. What stands for "unassigned" is undefined.
 */
import type { AwkArray } from "./array.ts";
import { FatalError } from "./program-error.ts";
import { leadingNumber, looksNumeric } from "./number-parse.ts";
import { numberText } from "./number-text.ts";

export type Scalar = number | string | Input | Regexp | Bool | undefined;
/** What a variable, a parameter or an element can hold. */
export type Value = Scalar | AwkArray | Untyped;

/** Text from outside, which is also a number if it looks like one (POSIX: a numeric string). */
export class Input {
  readonly text: string;
  /** undefined until asked; null: does not look like a number. */
  #number: number | null | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The number, or null where the text does not look like one. */
  get number(): number | null {
    if (this.#number === undefined) this.#number = looksNumeric(this.text) ? leadingNumber(this.text) : null;
    return this.#number;
  }
}

/** A regular expression as a value: `@/…/`. */
export class Regexp {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** What `mkbool` gives. */
export class Bool {
  readonly number: 0 | 1;

  constructor(isTrue: boolean) {
    this.number = isTrue ? 1 : 0;
  }
}

/**
 * A variable without a value that was passed to a function: if the function uses its parameter as an array, the
 * variable becomes that array.
 */
export class Untyped {
  readonly become: (array: AwkArray) => void;
  array: AwkArray | undefined;

  constructor(become: (array: AwkArray) => void) {
    this.become = become;
  }
}

export interface TextSettings {
  /** CONVFMT. */
  convertFormat: string;
}

export function toNumber(value: Value): number {
  if (typeof value === "number") return value;
  if (value === undefined) return 0;
  if (typeof value === "string") return leadingNumber(value);
  if (value instanceof Input) return value.number ?? leadingNumber(value.text);
  if (value instanceof Regexp) return leadingNumber(value.source);
  if (value instanceof Bool) return value.number;
  assertUntyped(value);
  return 0;
}

export function toText(value: Value, settings: TextSettings): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return numberText(value, settings.convertFormat);
  if (value === undefined) return "";
  if (value instanceof Input) return value.text;
  if (value instanceof Regexp) return value.source;
  if (value instanceof Bool) return String(value.number);
  assertUntyped(value);
  return "";
}

export function toBoolean(value: Value): boolean {
  if (typeof value === "number") return value !== 0;
  if (value === undefined) return false;
  if (typeof value === "string") return value !== "";
  if (value instanceof Input) {
    const { number } = value;
    return number === null ? value.text !== "" : number !== 0;
  }
  if (value instanceof Regexp) return value.source !== "";
  if (value instanceof Bool) return value.number !== 0;
  assertUntyped(value);
  return false;
}

/** The number of a value that is compared as one; null: it is compared as text. */
export function numericOrNull(value: Scalar): number | null {
  if (typeof value === "number") return value;
  if (value === undefined) return 0;
  if (value instanceof Input) return value.number;
  if (value instanceof Bool) return value.number;
  return null;
}

/** A value as it may be kept: an array or a reference is none. */
export function scalarOf(value: Value): Scalar {
  if (typeof value !== "object") return value;
  if (value instanceof Input || value instanceof Regexp || value instanceof Bool) return value;
  assertUntyped(value);
  return undefined;
}

/** Throws where `value` is an array. */
function assertUntyped(value: AwkArray | Untyped): void {
  const array = value instanceof Untyped ? value.array : value;
  if (array !== undefined) throw new FatalError(`attempt to use array \`${array.name}' in a scalar context`);
}
