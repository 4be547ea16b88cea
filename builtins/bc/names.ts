/** Numbers of a bc program's variables, arrays and functions: those of one name have nothing to do with each other. */
import { CompiledFunction } from "./code.ts";
import { MATH_FUNCTIONS } from "./math-library.ts";

/** The variables that have a meaning, by number. */
export const SPECIAL = ["ibase", "obase", "scale", "history", "last"] as const;
export const LAST = 4;

/** The most of each kind. */
const MOST_NAMES = 32_767;

/** Thrown past MOST_NAMES, with what the message calls them. */
export class TooManyNames extends Error {
  override readonly name = "TooManyNames";
}

export class Names {
  readonly #simple = new Map<string, number>();
  readonly #arrays = new Map<string, number>();
  readonly #functions = new Map<string, number>();
  /** By number; the first is what stands outside of functions. */
  readonly functions: CompiledFunction[] = [new CompiledFunction("(main)")];
  readonly arrayNames: string[] = [""];
  readonly #hasMath: boolean;

  constructor(hasMath: boolean) {
    this.#hasMath = hasMath;
    if (!hasMath) return;
    for (const native of MATH_FUNCTIONS) {
      this.#functions.set(native.name, this.functions.length);
      this.functions.push(new CompiledFunction(native.name, native));
    }
  }

  simple(name: string): number {
    return numbered(this.#simple, name, SPECIAL.length, "variables");
  }

  array(name: string): number {
    const number = numbered(this.#arrays, name, 1, "array variables");
    this.arrayNames[number] = name;
    return number;
  }

  called(name: string): number {
    const number = numbered(this.#functions, name, this.functions.length - this.#functions.size, "functions");
    this.functions[number] ??= new CompiledFunction(name);
    return number;
  }

  /** The library keeps its own functions, if the program defines others by their names. */
  defined(name: string): number {
    const known = this.#functions.get(name);
    if (!this.#hasMath || known === undefined || known > MATH_FUNCTIONS.length) return this.called(name);
    const number = this.functions.length;
    this.#functions.set(name, number);
    this.functions.push(new CompiledFunction(name));
    return number;
  }
}

function numbered(names: Map<string, number>, name: string, first: number, what: string): number {
  const known = names.get(name);
  if (known !== undefined) return known;
  const number = names.size + first;
  if (number > MOST_NAMES) throw new TooManyNames(what);
  names.set(name, number);
  return number;
}
