/** Subscripts out of values: what they are in an array, and where the last one came from. */
import { keyOfText } from "../values/array.ts";
import type { Key } from "../values/array-order.ts";
import { numberText, toText } from "../values/text-conversion.ts";
import type { Runtime } from "../run/runtime.ts";
import { Input, type Value } from "../values/values.ts";

export class Subscripts {
  readonly #runtime: Runtime;
  /** Of the last subscript: the field that it is, or whether it was read. Only a new element asks. */
  #last: number | boolean = false;
  /** True if a subscript was no integer, but its text looks like one: then that text is the key. */
  sawLookalike = false;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** True if the subscript that was worked out last was read, not made. */
  get isInput(): boolean {
    return typeof this.#last === "number" ? this.#runtime.record.isInput(this.#last) : this.#last;
  }

  /** As `keyOf`, of field `at` and its text. */
  keyOfField(at: number, text: string): Key {
    this.#last = at;
    return keyOfText(text);
  }

  keyOf(value: Value): Key {
    this.#last = value instanceof Input && !value.wasNumber;
    if (typeof value !== "number") return keyOfText(toText(value, this.#runtime));
    if (value === (value | 0)) return value | 0;
    if (Number.isInteger(value)) return keyOfText(numberText(value, "%d"));
    const text = numberText(value, this.#runtime.convertFormat);
    if (typeof keyOfText(text) === "number") this.sawLookalike = true;
    return text;
  }
}
