/**
 * The order in which gawk visits an array: that of its own tables. Lines that agents type print arrays unsorted, so
 * the order is part of the output.
 *
 * gawk keeps integer subscripts of 0 and more in blocks whose sizes are powers of two (visited in ascending order), as
 * long as these are filled well enough; other integers in a hash table of small buckets; all others in a hash table of
 * chains. Which tables an array has depends on its first subscript. What stands in a table depends on when it grew, so
 * the tables are kept here as gawk keeps them, without the values. Learnt from the outside and checked against the
 * binary by test/builtins/awk/awk-differential.test.ts.
 */

/** A subscript: a number where it is an integer of 32 bits, else text. */
export type Key = number | string;

interface Table {
  readonly size: number;
  add(key: Key): void;
  remove(key: Key): boolean;
  list(into: Key[]): void;
}

/** The subscripts of one array in gawk's order. */
export class ArrayOrder {
  readonly #isOfTexts: boolean;
  #table: Table | undefined;

  /** `isOfTexts`: the first subscript is kept as text, whatever it is. */
  constructor(isOfTexts = false) {
    this.#isOfTexts = isOfTexts;
  }

  add(key: Key): void {
    this.#table ??= typeof key === "string" || this.#isOfTexts ? new ChainTable() : key >= 0 ? new BlockTable() : new BucketTable();
    this.#table.add(key);
  }

  remove(key: Key): void {
    const table = this.#table;
    if (table === undefined || !table.remove(key)) return;
    if (table.size === 0) this.#table = undefined;
    else if (table instanceof BlockTable || table instanceof BucketTable) this.#table = table.promoted ?? table;
  }

  list(): Key[] {
    const keys: Key[] = [];
    this.#table?.list(keys);
    return keys;
  }

  /** True if the integer `key` is kept as its text. */
  keepsText(key: number): boolean {
    const table = this.#table;
    return table instanceof ChainTable || (table instanceof BlockTable && table.keepsText(key));
  }
}

/** A chain may be this long on average before the table grows. */
const CHAIN_MAX = 10;
const TABLE_SIZES = [13, 127, 1021, 8191, 16381, 32749, 65497, 131101, 262147, 524309, 1048583, 2097169, 4194319, 8388617, 16777259];

const nextSize = (size: number): number => TABLE_SIZES.find((candidate) => candidate > size) ?? size;

/** Text subscripts: chains whose newest entry stands first. */
class ChainTable implements Table {
  size = 0;
  #heads = new Int32Array(0);
  #keys: Key[] = [];
  #codes: number[] = [];
  #nexts: number[] = [];
  #free = -1;

  add(key: Key): void {
    const text = String(key);
    if (this.size === 0 && this.#heads.length === 0) this.#grow();
    const code = textHash(text);
    this.size++;
    if (Math.floor(this.size / this.#heads.length) > CHAIN_MAX && this.#heads.length < 16777259) this.#grow();
    const slot = code % this.#heads.length;
    let entry = this.#free;
    if (entry >= 0) this.#free = this.#nexts[entry] as number;
    else entry = this.#keys.length;
    this.#keys[entry] = key;
    this.#codes[entry] = code;
    this.#nexts[entry] = this.#heads[slot] as number;
    this.#heads[slot] = entry;
  }

  remove(key: Key): boolean {
    const text = String(key);
    const slot = textHash(text) % this.#heads.length;
    let before = -1;
    for (let entry = this.#heads[slot] as number; entry >= 0; before = entry, entry = this.#nexts[entry] as number) {
      if (this.#keys[entry] !== key) continue;
      if (before < 0) this.#heads[slot] = this.#nexts[entry] as number;
      else this.#nexts[before] = this.#nexts[entry] as number;
      this.#nexts[entry] = this.#free;
      this.#free = entry;
      this.#keys[entry] = "";
      this.size--;
      return true;
    }
    return false;
  }

  list(into: Key[]): void {
    for (const head of this.#heads) {
      for (let entry = head; entry >= 0; entry = this.#nexts[entry] as number) into.push(this.#keys[entry] as Key);
    }
  }

  #grow(): void {
    const old = this.#heads;
    this.#heads = new Int32Array(nextSize(old.length)).fill(-1);
    for (const head of old) {
      for (let entry = head; entry >= 0; ) {
        const next = this.#nexts[entry] as number;
        const slot = (this.#codes[entry] as number) % this.#heads.length;
        this.#nexts[entry] = this.#heads[slot] as number;
        this.#heads[slot] = entry;
        entry = next;
      }
    }
  }
}

/** sdbm's hash on 32 bits, bytes past ASCII negative. */
function textHash(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    hash = (Math.imul(hash, 65599) + (unit < 0x80 ? unit : unit - 0x100)) | 0;
  }
  return hash >>> 0;
}

/** Integers in buckets of two, the newest bucket of a slot first; text besides, in a table of its own. */
class BucketTable implements Table {
  size = 0;
  #others: ChainTable | undefined;
  /** Per slot: buckets of one or two numbers. */
  #slots: number[][][] = [];

  /** Table of the other keys, once the integers are gone. */
  get promoted(): Table | undefined {
    return this.#others !== undefined && this.size === this.#others.size ? this.#others : undefined;
  }

  add(key: Key): void {
    this.size++;
    if (typeof key === "string") {
      this.#others ??= new ChainTable();
      this.#others.add(key);
      return;
    }
    if (this.#slots.length === 0) this.#grow();
    const integers = this.size - (this.#others?.size ?? 0);
    if (Math.floor(integers / this.#slots.length) > CHAIN_MAX) this.#grow();
    this.#insert(key);
  }

  #insert(key: number): void {
    const slot = this.#slots[integerHash(key) % this.#slots.length] as number[][];
    const [first] = slot;
    if (first !== undefined && first.length === 1) first.push(key);
    else slot.unshift([key]);
  }

  remove(key: Key): boolean {
    if (typeof key === "string") {
      if (this.#others === undefined || !this.#others.remove(key)) return false;
      if (this.#others.size === 0) this.#others = undefined;
      this.size--;
      return true;
    }
    if (this.#slots.length === 0) return false;
    const slot = this.#slots[integerHash(key) % this.#slots.length] as number[][];
    const at = slot.findIndex((bucket) => bucket.includes(key));
    if (at < 0) return false;
    const bucket = slot[at] as number[];
    bucket.splice(bucket.indexOf(key), 1);
    if (bucket.length === 0) slot.splice(at, 1);
    else if (at > 0) {
      // The bucket is filled up again out of the first one.
      const head = slot[0] as number[];
      bucket.push(head.pop() as number);
      if (head.length === 0) slot.shift();
    }
    this.size--;
    return true;
  }

  list(into: Key[]): void {
    this.#others?.list(into);
    for (const slot of this.#slots) for (const bucket of slot) into.push(...bucket);
  }

  #grow(): void {
    const old = this.#slots;
    const size = nextSize(old.length);
    this.#slots = Array.from({ length: size }, () => []);
    for (const slot of old) for (const bucket of slot) for (const key of bucket) this.#insert(key);
  }
}

function integerHash(key: number): number {
  let hash = key >>> 0;
  hash = (hash ^ (hash << 3)) >>> 0;
  hash = (hash + (hash >>> 5)) >>> 0;
  hash = (hash ^ (hash << 4)) >>> 0;
  hash = (hash + (hash >>> 17)) >>> 0;
  hash = (hash ^ (hash << 25)) >>> 0;
  return (hash + (hash >>> 6)) >>> 0;
}

/** 2^10 integers are in the first tree of leaves; each further tree holds twice as many. */
const FIRST_TREE = 10;
/** The capacity that may stand empty before integers go elsewhere. */
const MAX_WASTE = 2 ** (FIRST_TREE + 1);

/** Integers of 0 and more in leaves that are filled, in ascending order; what does not fit in besides. */
class BlockTable implements Table {
  size = 0;
  #others: BucketTable | ChainTable | undefined;
  readonly #keys = new Set<number>();
  /** Number of integers in each leaf, by the first integer of the leaf; and the room it has. */
  readonly #leaves = new Map<number, number>();
  #capacity = 0;

  get promoted(): Table | undefined {
    if (this.#others === undefined || this.size !== this.#others.size) return undefined;
    return this.#others instanceof BucketTable ? (this.#others.promoted ?? this.#others) : this.#others;
  }

  add(key: Key): void {
    if (typeof key === "number" && key >= 0 && this.#hasRoom(key)) {
      this.size++;
      this.#keys.add(key);
      const [base, room] = leafOf(key);
      const count = this.#leaves.get(base) ?? 0;
      if (count === 0) this.#capacity += room;
      this.#leaves.set(base, count + 1);
      return;
    }
    this.size++;
    this.#others ??= typeof key === "number" ? new BucketTable() : new ChainTable();
    this.#others.add(key);
  }

  #hasRoom(key: number): boolean {
    let leaf = Math.max(treeOf(key) - 1, FIRST_TREE);
    while (leaf >= FIRST_TREE) leaf = (leaf + 1) >> 1;
    return this.#capacity + 2 ** leaf - this.#keys.size <= MAX_WASTE;
  }

  remove(key: Key): boolean {
    if (typeof key === "number" && this.#keys.delete(key)) {
      this.size--;
      const [base, room] = leafOf(key);
      const count = (this.#leaves.get(base) as number) - 1;
      if (count === 0) {
        this.#leaves.delete(base);
        this.#capacity -= room;
      } else this.#leaves.set(base, count);
      return true;
    }
    if (this.#others === undefined || !this.#others.remove(key)) return false;
    if (this.#others.size === 0) this.#others = undefined;
    else if (this.#others instanceof BucketTable) this.#others = (this.#others.promoted as ChainTable | undefined) ?? this.#others;
    this.size--;
    return true;
  }

  keepsText(key: number): boolean {
    return !this.#keys.has(key) && this.#others instanceof ChainTable;
  }

  list(into: Key[]): void {
    this.#others?.list(into);
    for (const key of Float64Array.from(this.#keys).sort()) into.push(key);
  }
}

/** Number of the tree an integer is in: 10 up to 1023, 11 up to 2047, … */
function treeOf(key: number): number {
  const log = key === 0 ? 0 : 31 - Math.clz32(key);
  return log < FIRST_TREE ? FIRST_TREE : log + 1;
}

/** The first integer of the leaf that holds `key`, and how many the leaf has room for. */
function leafOf(key: number): [number, number] {
  const tree = treeOf(key);
  let [bits, base] = tree === FIRST_TREE ? [FIRST_TREE, 0] : [tree - 1, 2 ** (tree - 1)];
  for (;;) {
    const half = (bits + 1) >> 1;
    const room = 2 ** half;
    base += Math.floor((key - base) / room) * room;
    if (half <= FIRST_TREE) return [base, room];
    bits = half;
  }
}
