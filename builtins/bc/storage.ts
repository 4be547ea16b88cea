/** Variables and arrays of a running bc program, each with those that functions put before it. */
import { LimitReached } from "../../src/io/limit-reached.ts";
import type { Local } from "./code.ts";
import { ZERO, type Num } from "./number.ts";

type Elements = Map<number, Num>;

/** The most elements of all arrays together. */
const MOST_ELEMENTS = 1_000_000;

export class Storage {
  /** The last one counts. */
  readonly #variables: Num[][] = [];
  readonly #arrays: Elements[][] = [];
  #elements = 0;

  get(variable: number): Num {
    return this.#variables[variable]?.at(-1) ?? ZERO;
  }

  set(variable: number, value: Num): void {
    const values = (this.#variables[variable] ??= []);
    values[Math.max(0, values.length - 1)] = value;
  }

  array(number: number): Elements {
    const arrays = (this.#arrays[number] ??= []);
    const last = arrays.at(-1);
    if (last !== undefined) return last;
    const made: Elements = new Map();
    arrays.push(made);
    return made;
  }

  /** Throws LimitReached. */
  setElement(array: number, index: number, value: Num): void {
    const elements = this.array(array);
    if (!elements.has(index)) this.#count(1);
    elements.set(index, value);
  }

  /** Puts a variable before those of its name, as a parameter. */
  push(variable: number, value: Num): void {
    (this.#variables[variable] ??= []).push(value);
  }

  /** Puts an array before those of its name: `source` itself, or a copy. Throws LimitReached. */
  pushArray(number: number, source: Elements, isShared: boolean): void {
    if (!isShared) this.#count(source.size);
    (this.#arrays[number] ??= []).push(isShared ? source : new Map(source));
  }

  pushAutomatic({ variable }: Local): void {
    if (variable > 0) this.push(variable, ZERO);
    else this.pushArray(-variable, new Map(), false);
  }

  /** Takes the variables away that are foremost. */
  pop(locals: readonly Local[]): void {
    for (const { variable, isShared } of locals) {
      if (variable > 0) this.#variables[variable]?.pop();
      else {
        const elements = this.#arrays[-variable]?.pop();
        if (!isShared && elements !== undefined) this.#elements -= elements.size;
      }
    }
  }

  #count(more: number): void {
    this.#elements += more;
    if (this.#elements > MOST_ELEMENTS) throw new LimitReached("held", MOST_ELEMENTS, "elements in arrays");
  }
}
