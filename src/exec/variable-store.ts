/**
 * The variables of one shell, with their attributes. A subshell's store shares everything with the one it was copied from until one
 * of the two changes it.
 */
import { LimitReached } from "../io/limit-reached.ts";
import { type AssociativeArray, boundElements, type ElementKey, type IndexedArray, MOST_ELEMENTS } from "../shell/arrays.ts";
import { MOST_VALUE_UNITS } from "../shell/parameter.ts";
import { ReadonlyError, type Value } from "../shell/variables.ts";

export type ShellArray = IndexedArray | AssociativeArray;

export interface Variable {
  /** Undefined where it is declared and not set, and of an array. */
  readonly value?: Value | undefined;
  readonly array?: ShellArray | undefined;
  /** False for an array that was declared alone. */
  readonly isSet: boolean;
  /** Letters of `declare`, in bash's order. */
  readonly letters: string;
}

/** Elements in arrays that subshells have changed or made, in all shells of a call. */
export interface SubshellElements {
  count: number;
}

export class VariableStore {
  readonly #parent: VariableStore | undefined;
  readonly #subshells: SubshellElements;
  #variables: Map<string, Variable>;
  /** True if another store reads the same map. */
  #shared = false;
  #units = 0;
  #elements = 0;
  /** Part of SubshellElements that is this store's. */
  #own = 0;
  /** Arrays that this store made, with the copies made of the store by then: it alone has those made after the last copy. */
  readonly #made = new WeakMap<ShellArray, number>();
  #copies = 0;
  /** Copies that are in use. */
  #children = 0;

  /** Begins with `from`, variables without values, or with all that another store has. */
  constructor(subshells: SubshellElements, from: ReadonlyMap<string, Variable> | VariableStore) {
    this.#subshells = subshells;
    if (!(from instanceof VariableStore)) {
      this.#variables = new Map(from);
      return;
    }
    this.#parent = from;
    this.#variables = from.#variables;
    this.#shared = true;
    from.#shared = true;
    from.#copies++;
    from.#children++;
    this.#units = from.#units;
    this.#elements = from.#elements;
  }

  copy(): VariableStore {
    return new VariableStore(this.#subshells, this);
  }

  /** Ends the use of a copy. */
  release(): void {
    if (this.#parent !== undefined) this.#parent.#children--;
    this.#subshells.count -= this.#own;
    this.#own = 0;
  }

  get(name: string): Variable | undefined {
    return this.#variables.get(name);
  }

  names(): readonly string[] {
    return [...this.#variables.keys()];
  }

  /** Replaces the variable, or takes it away. Throws LimitReached "held" where the variables become too large. */
  put(name: string, variable: Variable | undefined): void {
    const before = this.#variables.get(name);
    this.#account(unitsOf(variable) - unitsOf(before), (variable?.array?.size ?? 0) - (before?.array?.size ?? 0));
    if (this.#shared) this.#variables = new Map(this.#variables);
    this.#shared = false;
    if (variable === undefined) this.#variables.delete(name);
    else this.#variables.set(name, variable);
  }

  /** An array that belongs to this store: `put` takes it and `setElement` changes it in place. */
  adopt<A extends ShellArray>(array: A): A {
    this.#made.set(array, this.#copies);
    return array;
  }

  /** Sets an element, or takes it away. The variable must be an array. */
  setElement(name: string, key: ElementKey, value: Value | undefined): void {
    const array = this.#changeable(name);
    const [units, size] = [array.units, array.size];
    if (value === undefined) array.delete(key);
    else array.set(key, value);
    this.#account(array.units - units, array.size - size);
  }

  #changeable(name: string): ShellArray {
    const variable = this.#variables.get(name);
    const array = variable?.array;
    if (variable === undefined || array === undefined) throw new Error("an element of what is no array");
    const made = this.#made.get(array);
    if (made !== undefined && (this.#children === 0 || made === this.#copies)) {
      if (!variable.isSet) this.put(name, { ...variable, isSet: true });
      return array;
    }
    this.#accountSubshells(array.size);
    const own = this.adopt(array.copy());
    this.put(name, { ...variable, array: own, isSet: true });
    return own;
  }

  #account(units: number, elements: number): void {
    this.#units += units;
    this.#elements += elements;
    if (units > 0 && this.#units > MOST_VALUE_UNITS) throw new LimitReached("held", MOST_VALUE_UNITS, "characters in variables");
    if (elements <= 0) return;
    boundElements(this.#elements);
    this.#accountSubshells(elements);
  }

  #accountSubshells(elements: number): void {
    if (this.#parent === undefined) return;
    this.#own += elements;
    this.#subshells.count += elements;
    if (this.#subshells.count > MOST_SUBSHELL_ELEMENTS) {
      throw new LimitReached("held", MOST_SUBSHELL_ELEMENTS, "elements of arrays in subshells");
    }
  }
}

/** Elements that the subshells of a call that run at the same time may have changed or made. */
const MOST_SUBSHELL_ELEMENTS = 2 * MOST_ELEMENTS;

const unitsOf = (variable: Variable | undefined): number => (variable?.value?.text.length ?? 0) + (variable?.array?.units ?? 0);

/** `letters` with some put in or left out, in bash's order. */
export function lettersWith(letters: string, added: string, removed = ""): string {
  if (letters === "" && removed === "" && added.length < 2) return added;
  return [..."aAfinrtxclu"].filter((letter) => (letters + added).includes(letter) && !removed.includes(letter)).join("");
}

export function requireWritable(name: string, variable: Variable | undefined): void {
  if (variable?.letters.includes("r") === true) throw new ReadonlyError(`${name}: readonly variable`);
}
