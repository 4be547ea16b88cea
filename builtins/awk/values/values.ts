/**
 * Values. Text is a string with one unit per byte, so that any bytes survive, comparison is by bytes, and nothing is
 * decoded until characters are asked for. What stands for "unassigned" is undefined.
 */
import type { AwkArray } from "./array.ts";
import { FatalError } from "../syntax/program-error.ts";
import { leadingAnyNumber, leadingNumber, numberAsWhole } from "./number-parse.ts";

export type Scalar = number | string | Input | Regexp | Bool | undefined;
/** Content of a variable, a parameter or an element. */
export type Value = Scalar | AwkArray | Untyped | Unassigned;

/** Text from outside, which is also a number if it looks like one (POSIX: a numeric string). */
export class Input {
  readonly text: string;
  /** Hexadecimal and octal numbers count too. */
  readonly #anyBase: boolean;
  /** undefined until asked; null: does not look like a number. */
  #number: number | null | undefined;

  constructor(text: string, anyBase = false) {
    this.text = text;
    this.#anyBase = anyBase;
  }

  /** The same on its own: what one is asked is nothing to the other. */
  copy(): Input {
    if (this === NO_FIELD) return this;
    const copy = new Input(this.text, this.#anyBase);
    copy.#number = this.#number;
    return copy;
  }

  /** True if it was asked for its number before: gawk then takes it for no input if it is a subscript. */
  get wasNumber(): boolean {
    return this.#number !== undefined;
  }

  /** The number that the text begins with. */
  get leading(): number {
    return this.#anyBase ? leadingAnyNumber(this.text) : (this.number ?? leadingNumber(this.text));
  }

  /** The number, or null where the text does not look like one. */
  get number(): number | null {
    if (this.#number === undefined) this.#number = numberAsWhole(this.text, this.#anyBase);
    return this.#number;
  }
}

/** Value of a field that does not exist: empty text, which typeof calls unassigned wherever it is kept. */
export const NO_FIELD = new Input("");

/** A regular expression as a value: `@/…/`. */
export class Regexp {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** Result of `mkbool`. */
export class Bool {
  readonly number: 0 | 1;

  constructor(isTrue: boolean) {
    this.number = isTrue ? 1 : 0;
  }
}

/** Stands in the place of a variable or element that was used as a scalar without ever having a value. */
export class Unassigned {
  readonly kind = "unassigned";
}

export const UNASSIGNED = new Unassigned();
/** The same of an element that a function had as a parameter: it sorts as one that was never used. */
export const USED_AS_PARAMETER = new Unassigned();

/**
 * A variable or element without a value that was passed to a function: whether it is a scalar or an array is settled
 * by what the function does with its parameter.
 */
export class Untyped {
  readonly #read: () => Value;
  readonly #write: (value: Value) => void;

  constructor(read: () => Value, write: (value: Value) => void) {
    this.#read = read;
    this.#write = write;
  }

  get origin(): Value {
    return this.#read();
  }

  set origin(value: Value) {
    this.#write(value);
  }

  /** The array that it became meanwhile. */
  get array(): AwkArray | undefined {
    const { origin } = this;
    if (origin instanceof Untyped) return origin.array;
    return isArray(origin) ? origin : undefined;
  }

  /** It was used as a scalar. */
  becomeScalar(): void {
    const { origin } = this;
    if (origin instanceof Untyped) origin.becomeScalar();
    else if (origin === undefined) this.origin = USED_AS_PARAMETER;
  }

  /** True if it cannot become an array any more. */
  get isScalar(): boolean {
    const { origin } = this;
    return origin instanceof Untyped ? origin.isScalar : origin !== undefined && !isArray(origin);
  }
}

function isArray(value: Value): value is AwkArray {
  return typeof value === "object" && "subarray" in value;
}

export function toNumber(value: Value): number {
  if (typeof value === "number") return value;
  if (value === undefined) return 0;
  if (typeof value === "string") return leadingNumber(value);
  if (value instanceof Input) return value.leading;
  if (value instanceof Regexp) return leadingNumber(value.source);
  if (value instanceof Bool) return value.number;
  assertUntyped(value);
  return 0;
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
export function assertUntyped(value: AwkArray | Untyped | Unassigned): void {
  if (value instanceof Unassigned) return;
  const array = value instanceof Untyped ? value.array : value;
  if (array !== undefined) throw new FatalError(`attempt to use array \`${array.name}' in a scalar context`);
}
