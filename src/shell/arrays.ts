/**
 * bash's arrays: indexed ones, which may have holes, and associative ones, whose keys are listed in the order of bash's own hash table.
 */
import { LimitReached } from "../io/limit-reached.ts";
import { toBytes } from "../io/text.ts";
import type { Value } from "./variables.ts";

/** Elements of all arrays of one shell. */
export const MOST_ELEMENTS = 1_000_000;

/** Cost of an element besides its text and its key, in UTF-16 code units. */
const ELEMENT_UNITS = 16;

export type ElementKey = number | string;

/** An array as it is read. */
export interface ArrayView {
  readonly kind: "indexed" | "associative";
  readonly size: number;
  get(key: ElementKey): Value | undefined;
  /** Elements in the order in which bash lists them. */
  entries(): readonly (readonly [ElementKey, Value])[];
}

/** Units that an element takes of the room for values. */
export const unitsOf = (key: ElementKey, value: Value): number =>
  ELEMENT_UNITS + value.text.length + (typeof key === "string" ? key.length : 0);

export class IndexedArray implements ArrayView {
  readonly kind = "indexed";
  #elements: Map<number, Value>;
  /** True while the elements stand in the order of their indices. */
  #sorted: boolean;
  /** No index is larger; -1 for none. */
  #last: number;
  #units: number;

  constructor(from?: IndexedArray) {
    this.#elements = new Map(from === undefined ? undefined : from.#elements);
    this.#sorted = from === undefined || from.#sorted;
    this.#last = from === undefined ? -1 : from.#last;
    this.#units = from === undefined ? 0 : from.#units;
  }

  static of(values: Iterable<Value>): IndexedArray {
    const array = new IndexedArray();
    for (const value of values) array.set(array.#last + 1, value);
    return array;
  }

  copy(): IndexedArray {
    return new IndexedArray(this);
  }

  get size(): number {
    return this.#elements.size;
  }

  get units(): number {
    return this.#units;
  }

  /** The largest index; -1 for none. */
  get last(): number {
    return this.#last;
  }

  get(index: ElementKey): Value | undefined {
    return this.#elements.get(index as number);
  }

  set(index: ElementKey, value: Value): void {
    const at = index as number;
    const before = this.#elements.get(at);
    if (before === undefined && at < this.#last) this.#sorted = false;
    this.#units += unitsOf(at, value) - (before === undefined ? 0 : unitsOf(at, before));
    this.#elements.set(at, value);
    if (at > this.#last) this.#last = at;
  }

  delete(index: ElementKey): void {
    const at = index as number;
    const before = this.#elements.get(at);
    if (before === undefined) return;
    this.#units -= unitsOf(at, before);
    this.#elements.delete(at);
    if (at !== this.#last) return;
    // Elements at the end are taken off one by one more often than any: those just below are tried first.
    for (let below = at - 1; below >= 0 && at - below < 64; below--) {
      if (this.#elements.has(below)) return void (this.#last = below);
    }
    this.#last = -1;
    for (const each of this.#elements.keys()) if (each > this.#last) this.#last = each;
  }

  entries(): readonly (readonly [number, Value])[] {
    if (!this.#sorted) {
      this.#elements = new Map([...this.#elements].sort(([a], [b]) => a - b));
      this.#sorted = true;
    }
    return [...this.#elements];
  }
}

/**
 * bash 5.2 hashes a key by FNV-1 over its bytes (signed, as `char` is on x86-64), has 1,024 buckets at first, puts a new key at the
 * head of its bucket, and takes four times the buckets when there are twice as many keys as buckets (hashlib.c).
 */
export class AssociativeArray implements ArrayView {
  readonly kind = "associative";
  /** In the order in which putting each at the head of its bucket gives bash's buckets. */
  #elements: Map<string, Value>;
  #buckets: number;
  #units: number;

  constructor(from?: AssociativeArray) {
    this.#elements = new Map(from === undefined ? undefined : from.#elements);
    this.#buckets = from === undefined ? FIRST_BUCKETS : from.#buckets;
    this.#units = from === undefined ? 0 : from.#units;
  }

  /** An empty array with as many buckets as `like` has: as bash makes one for the list that replaces it. */
  static emptyLike(like: AssociativeArray | undefined): AssociativeArray {
    const array = new AssociativeArray();
    if (like !== undefined) array.#buckets = like.#buckets;
    return array;
  }

  /** An empty array with the fewer buckets that bash gives to one made of a variable with one value. */
  static ofOneValue(): AssociativeArray {
    const array = new AssociativeArray();
    array.#buckets = BUCKETS_OF_ONE_VALUE;
    return array;
  }

  copy(): AssociativeArray {
    return new AssociativeArray(this);
  }

  get size(): number {
    return this.#elements.size;
  }

  get units(): number {
    return this.#units;
  }

  get(key: ElementKey): Value | undefined {
    return this.#elements.get(String(key));
  }

  set(key: ElementKey, value: Value): void {
    const name = String(key);
    const before = this.#elements.get(name);
    if (before === undefined && this.#elements.size >= this.#buckets * KEYS_PER_BUCKET) this.#grow();
    this.#units += unitsOf(name, value) - (before === undefined ? 0 : unitsOf(name, before));
    this.#elements.set(name, value);
  }

  delete(key: ElementKey): void {
    const before = this.#elements.get(String(key));
    if (before === undefined) return;
    this.#units -= unitsOf(key, before);
    this.#elements.delete(String(key));
  }

  entries(): readonly (readonly [string, Value])[] {
    const buckets = new Map<number, (readonly [string, Value])[]>();
    for (const entry of this.#elements) {
      const at = hashOf(entry[0]) & (this.#buckets - 1);
      const bucket = buckets.get(at);
      if (bucket === undefined) buckets.set(at, [entry]);
      else bucket.push(entry);
    }
    const ordered = [...buckets].sort(([a], [b]) => a - b);
    return ordered.flatMap(([, bucket]) => bucket.reverse());
  }

  /** bash takes the keys from the old buckets in their order and puts each at the head of its new one. */
  #grow(): void {
    this.#elements = new Map(this.entries());
    this.#buckets *= GROWTH;
  }
}

const FIRST_BUCKETS = 1024;
const BUCKETS_OF_ONE_VALUE = 128;
const KEYS_PER_BUCKET = 2;
const GROWTH = 4;

function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (const byte of toBytes(key)) hash = Math.imul(hash, 0x01000193) ^ (byte < 0x80 ? byte : byte - 0x100);
  return hash >>> 0;
}

export function boundElements(count: number): void {
  if (count > MOST_ELEMENTS) throw new LimitReached("held", MOST_ELEMENTS, "elements of arrays");
}
