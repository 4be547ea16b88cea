/** SYMTAB: the global variables as an array; and FUNCTAB, the functions. */
import { AwkArray } from "../values/array.ts";
import { ArrayOrder, type Key } from "../values/array-order.ts";
import { FatalError } from "../syntax/program-error.ts";
import type { Runtime } from "../run/runtime.ts";
import { scalarOf, type Value } from "../values/values.ts";

const FIRST_VARIABLES =
  "ARGIND BINMODE CONVFMT ERRNO FIELDWIDTHS FILENAME FNR FPAT FS IGNORECASE LINT NF NR OFMT OFS ORS PREC RLENGTH ROUNDMODE RS RSTART RT SUBSEP TEXTDOMAIN ENVIRON PROCINFO ARGC ARGV".split(
    " ",
  );

export class SymbolTable extends AwkArray {
  override readonly isOwn: boolean = true;
  readonly #runtime: Runtime;

  constructor(runtime: Runtime) {
    super("SYMTAB", runtime);
    this.#runtime = runtime;
  }

  override get size(): number {
    return this.keys().length;
  }

  override has(key: Key): boolean {
    return this.#runtime.hasGlobal(String(key));
  }

  override peek(key: Key): Value {
    return this.#runtime.getGlobal(String(key));
  }

  /** Before the first record NF sorts as if it were below zero. */
  override valueToSort(key: Key): Value {
    return key === "NF" && !this.#runtime.record.isAssigned(0) ? -1 : this.peek(key);
  }

  override get(key: Key): Value {
    if (!this.has(key)) throw new FatalError(`reference to uninitialized element \`SYMTAB["${key}"] is not allowed'`);
    return this.peek(key);
  }

  override set(key: Key, value: Value): void {
    const name = String(key);
    if (!this.has(key)) throw new FatalError("cannot assign to arbitrary elements of SYMTAB");
    if (this.peek(key) instanceof AwkArray) throw new FatalError(`attempt to use array \`SYMTAB["${name}"]' in a scalar context`);
    this.#runtime.setGlobal(name, scalarOf(value));
  }

  override subarray(key: Key): AwkArray {
    return this.#runtime.globalArray(String(key));
  }

  override delete(): void {
    throw new FatalError("`delete' is not allowed with SYMTAB");
  }

  override clear(): void {
    throw new FatalError("`delete' is not allowed with SYMTAB");
  }

  /** In gawk's order: that of a table which its own variables are put in first. */
  override keys(): Key[] {
    const known = [...this.#runtime.globalNames].filter((name) => name !== "SYMTAB" && name !== "FUNCTAB");
    const names = new Set(known);
    const first = FIRST_VARIABLES.filter((name) => names.has(name));
    const order = new ArrayOrder();
    for (const name of [...first, ...known.filter((name) => !first.includes(name))]) order.add(name);
    return order.list();
  }

  override *entries(): Generator<[Key, Value], void> {
    for (const key of this.keys()) yield [key, this.peek(key)];
  }
}

export class FunctionTable extends AwkArray {
  override readonly isOwn: boolean = true;
  readonly #names: ReadonlySet<string>;
  readonly #runtime: Runtime;

  constructor(runtime: Runtime, names: Iterable<string>) {
    super("FUNCTAB", runtime);
    this.#runtime = runtime;
    this.#names = new Set(names);
    for (const name of this.#names) super.set(name, name);
  }

  override set(key: Key, value: Value): void {
    if (this.#names?.has(String(key)) && !this.has(key)) super.set(key, value);
    else throw new FatalError("cannot assign to elements of FUNCTAB");
  }

  /** The program's functions come last, as arrays do. */
  override valueToSort(key: Key): Value {
    return this.#runtime.functionNames.has(String(key)) ? this : this.peek(key);
  }

  override get(key: Key): Value {
    if (!this.has(key)) throw new FatalError(`reference to uninitialized element \`FUNCTAB["${key}"] is not allowed'`);
    return this.peek(key);
  }

  override delete(): void {
    throw new FatalError("`delete' is not allowed with FUNCTAB");
  }

  override clear(): void {
    throw new FatalError("`delete' is not allowed with FUNCTAB");
  }
}
