/** Values in variables and elements as scalars, and what reading one makes of it. */
import { AwkArray } from "../values/array.ts";
import type { Key } from "../values/array-order.ts";
import { FatalError } from "../syntax/program-error.ts";
import { UNASSIGNED, Unassigned, Untyped, type Scalar, type Value } from "../values/values.ts";

/** The scalar that `value` is where `name` stands. Throws FatalError where it is an array. */
export function scalarHere(value: Value, name: string): Scalar {
  if (value instanceof Unassigned) return undefined;
  const array = value instanceof Untyped ? value.array : value;
  if (array instanceof AwkArray) throw new FatalError(`attempt to use array \`${nameOf(array, name)}' in a scalar context`);
  return value instanceof Untyped ? undefined : (value as Scalar);
}

/** A parameter is named with where it comes from. */
const nameOf = (array: AwkArray, name: string): string => (array.name === name ? name : `${name} (from ${array.name})`);

/** An element that is only read stays what it is: it may still become an array. */
export function elementRead(array: AwkArray, key: Key): Scalar {
  const value = array.get(key);
  return typeof value === "object" ? scalarHere(value, `${array.name}["${key}"]`) : value;
}

/** An element that is a scalar from now on. */
export function elementScalar(array: AwkArray, key: Key): Scalar {
  const value = array.peek(key);
  if (value === undefined) {
    array.set(key, UNASSIGNED);
    return undefined;
  }
  if (typeof value === "object") return scalarHere(value, `${array.name}["${key}"]`);
  return value;
}

/** Throws FatalError where an array stands. */
export function storeElement(array: AwkArray, key: Key, value: Scalar): void {
  if (array.peek(key) instanceof AwkArray) throw new FatalError(`attempt to use array \`${array.name}["${key}"]' in a scalar context`);
  array.set(key, value === undefined ? UNASSIGNED : value);
}

/** The variable that a chain of references ends at becomes `array`. */
export function setOrigin(reference: Untyped, array: AwkArray): void {
  const { origin } = reference;
  if (origin instanceof Untyped) setOrigin(origin, array);
  reference.origin = array;
}
