/** Arrays: subscripts to values, other arrays among them. */
import { ArrayOrder, type Key } from "./array-order.ts";
import { FatalError } from "../syntax/program-error.ts";
import { looksNumeric } from "./number-parse.ts";
import type { Subscripts } from "../compile/subscripts.ts";
import { Input, Untyped, type Value } from "./values.ts";

/** Counts what arrays hold, for the limit on it, and knows where their subscripts come from. */
export interface Holdings {
  /** Throws LimitReached. */
  hold(bytes: number): void;
  readonly subscripts: Pick<Subscripts, "isInput" | "sawLookalike">;
}

/** Approximate cost of an entry beside its text, in bytes. */
const ENTRY_BYTES = 96;

/** Integers that fit in 64 bits, as they are printed. */
const INTEGER = /^-?[1-9]\d{0,17}$/;

export class AwkArray {
  /** As messages name it: `a`, or `a["x"]`. */
  name: string;
  readonly #holdings: Holdings;
  #entries = new Map<Key, Value>();
  /** Kept from the first deletion on; before that the entries' own order of coming tells it. */
  #order: ArrayOrder | undefined;
  /** Subscripts that are numeric strings where they are visited. */
  #numericStrings: Set<Key> | undefined;
  /** The first subscript is text: integers are kept as texts too. */
  #isOfTexts = false;
  #heldBytes = 0;
  /** Told when the program stores an element: PROCINFO and the like. */
  onChange: (() => void) | undefined;
  /** SYMTAB or FUNCTAB. */
  readonly isOwn: boolean = false;

  constructor(name: string, holdings: Holdings) {
    this.name = name;
    this.#holdings = holdings;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: Key): boolean {
    return this.#entries.has(this.#found(key));
  }

  /** The value at `key` without making an entry. */
  peek(key: Key): Value {
    return this.#entries.get(this.#found(key));
  }

  /** Value that `PROCINFO["sorted_in"]` compares for `key`. */
  valueToSort(key: Key): Value {
    return this.peek(key);
  }

  /** The value at `key`; an entry without value is made where there is none. */
  get(key: Key): Value {
    const found = this.#found(key);
    const value = this.#entries.get(found);
    if (value === undefined && !this.#entries.has(found)) this.set(key, undefined);
    return value;
  }

  set(subscript: Key, value: Value): void {
    const before = this.#entries.size;
    const key = this.#found(subscript);
    this.#entries.set(key, value);
    if (this.#entries.size !== before) {
      const bytes = ENTRY_BYTES + (typeof key === "string" ? key.length : 0) + (typeof value === "string" ? value.length : 0);
      this.#heldBytes += bytes;
      this.#holdings.hold(bytes);
      this.#order?.add(key);
      if (before === 0) this.#isOfTexts = typeof subscript === "string";
      if (this.#holdings.subscripts.isInput && this.#staysNumeric(key)) {
        this.#numericStrings ??= new Set();
        this.#numericStrings.add(key);
      }
    }
    this.onChange?.();
  }

  /** True if a subscript that was read remains a numeric string: it does not if the table keeps integers as such. */
  #staysNumeric(key: Key): boolean {
    return this.#isOfTexts
      ? typeof key === "number" || looksNumeric(key)
      : typeof key === "string" && !INTEGER.test(key) && looksNumeric(key);
  }

  /** The values that subscripts are where the program gets them back. */
  subscripts(): (key: Key) => string | Input {
    const numeric = this.#numericStrings;
    if (numeric === undefined) return String;
    return (key) => (numeric.has(key) ? new Input(String(key)) : String(key));
  }

  /** The array at `key`, made where there is nothing. Throws FatalError where there is a scalar. */
  subarray(key: Key): AwkArray {
    const value = this.#entries.get(this.#found(key));
    if (value instanceof AwkArray) return value;
    if (value instanceof Untyped && value.array !== undefined) return value.array;
    const name = `${this.name}["${String(key)}"]`;
    if (value !== undefined) throw new FatalError(`attempt to use scalar \`${name}' as an array`);
    const array = new AwkArray(name, this.#holdings);
    this.set(key, array);
    return array;
  }

  delete(subscript: Key): void {
    const key = this.#found(subscript);
    if (!this.#entries.has(key)) return;
    this.#order ??= this.#orderOfEntries();
    const value = this.#entries.get(key);
    if (value instanceof AwkArray) value.clear();
    // What each entry costs is not kept: one of them costs their average.
    const bytes = Math.floor(this.#heldBytes / this.#entries.size);
    this.#heldBytes -= bytes;
    this.#holdings.hold(-bytes);
    this.#entries.delete(key);
    this.#order.remove(key);
    this.#numericStrings?.delete(key);
    if (this.#entries.size === 0) this.#order = undefined;
    this.onChange?.();
  }

  clear(): void {
    for (const value of this.#entries.values()) if (value instanceof AwkArray) value.clear();
    if (this.#entries.size > 0) this.#entries = new Map();
    this.#order = undefined;
    this.#numericStrings = undefined;
    this.#holdings.hold(-this.#heldBytes);
    this.#heldBytes = 0;
    this.onChange?.();
  }

  /** The subscripts in gawk's order. */
  keys(): Key[] {
    return (this.#order ?? this.#orderOfEntries()).list();
  }

  /** The texts by which gawk tells subscripts apart that have the same value: it has none of an integer that it keeps as such. */
  textKeys(): (key: Key) => string {
    const order = this.#order ?? this.#orderOfEntries();
    return (key) => (typeof key === "string" || order.keepsText(key) ? String(key) : "");
  }

  /** Subscripts and values, in no particular order. */
  entries(): Iterable<[Key, Value]> {
    return this.#entries.entries();
  }

  /** The key that `key` has here: text that looks like an integer is one where integers are kept as texts. */
  #found(key: Key): Key {
    if (!this.#holdings.subscripts.sawLookalike) return key;
    const entries = this.#entries;
    if (typeof key === "number") return entries.has(key) || !entries.has(`${key}`) ? key : `${key}`;
    const integer = keyOfText(key);
    if (typeof integer === "string" || entries.has(key)) return key;
    const isText = entries.size === 0 || this.#isOfTexts;
    return isText || (entries.has(integer) && (this.#order ??= this.#orderOfEntries()).keepsText(integer)) ? integer : key;
  }

  #orderOfEntries(): ArrayOrder {
    const order = new ArrayOrder(this.#isOfTexts);
    for (const key of this.#entries.keys()) order.add(key);
    return order;
  }
}

/** Text as a subscript: an integer as it would be printed is that number. */
export function keyOfText(text: string): Key {
  const { length } = text;
  if (length === 0 || length > 11) return text;
  const first = text.charCodeAt(0);
  if (first > 0x39 || (first < 0x30 && first !== 0x2d)) return text;
  if (first === 0x30) return length === 1 ? 0 : text;
  let at = 0;
  if (first === 0x2d) {
    const second = text.charCodeAt(1);
    if (length === 1 || second === 0x30) return text;
    at = 1;
  }
  let value = 0;
  for (; at < length; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return text;
    value = value * 10 + digit;
  }
  if (first === 0x2d) value = -value;
  return value === (value | 0) ? value : text;
}
