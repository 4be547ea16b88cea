/**
 * Numbers for keys of bytes: equal keys get the same one, from 1 upwards in the order of their first appearance.
 *
 * An open-addressing table over hashes, with the bytes themselves compared on every hit: a key is never copied into a
 * text. The hash of more than FEW keys is keyed by random tables, so that nobody can prepare lines that all fall into one slot.
 */
export class KeyNumbers {
  #tables: Int32Array = FIXED_TABLES;
  /** Pairs: a hash, and the number of the key that has it; 0 is an empty slot. Half as many slots, a power of two. */
  #slots: Int32Array<ArrayBuffer>;
  /** By number, four each: start and end of the key, and the index of its source. */
  #places: Int32Array<ArrayBuffer>;
  readonly #sources: Buffer[] = [];
  #count = 0;

  /** `expected`: number of keys for which the table need not grow. */
  constructor(expected: number) {
    if (expected > FEW) this.#tables = randomTables();
    let slots = 1 << 6;
    while (slots < expected * 1.5) slots *= 2;
    this.#slots = new Int32Array(slots * 2);
    this.#places = new Int32Array((expected + 2) * 4);
  }

  /** Number of distinct keys. */
  get count(): number {
    return this.#count;
  }

  /** The number of the key `bytes[start..end)`. Keys are looked at again: the bytes must stay as they are. */
  numberOf(bytes: Buffer, start: number, end: number): number {
    const hash = this.#hashOf(bytes, start, end);
    const slots = this.#slots;
    const last = slots.length - 1;
    for (let at = (hash << 1) & last; ; at = (at + 2) & last) {
      const number = slots[at + 1] as number;
      if (number === 0) return this.#added(at, hash, bytes, start, end);
      if (slots[at] === hash && this.#isKey(number, bytes, start, end)) return number;
    }
  }

  #isKey(number: number, bytes: Buffer, start: number, end: number): boolean {
    const places = this.#places;
    const from = places[number * 4] as number;
    const length = end - start;
    if ((places[number * 4 + 1] as number) - from !== length) return false;
    const source = this.#sources[places[number * 4 + 2] as number] as Buffer;
    if (length > LOOP_BYTES) return source.compare(bytes, start, end, from, from + length) === 0;
    for (let at = 0; at < length; at++) if (source[from + at] !== bytes[start + at]) return false;
    return true;
  }

  #added(at: number, hash: number, bytes: Buffer, start: number, end: number): number {
    const number = ++this.#count;
    if (number * 4 + 4 > this.#places.length) {
      const places = new Int32Array(this.#places.length * 2);
      places.set(this.#places);
      this.#places = places;
    }
    if (this.#sources[this.#sources.length - 1] !== bytes) this.#sources.push(bytes);
    this.#slots[at] = hash;
    this.#slots[at + 1] = number;
    this.#places[number * 4] = start;
    this.#places[number * 4 + 1] = end;
    this.#places[number * 4 + 2] = this.#sources.length - 1;
    if (number > FEW && this.#tables === FIXED_TABLES) this.#rekey();
    if (number * 3 > this.#slots.length) this.#spread();
    return number;
  }

  /** There are more keys than were expected: they are hashed anew, by tables that nobody knows. */
  #rekey(): void {
    this.#tables = randomTables();
    const slots = this.#slots.fill(0);
    const places = this.#places;
    const last = slots.length - 1;
    for (let number = 1; number <= this.#count; number++) {
      const source = this.#sources[places[number * 4 + 2] as number] as Buffer;
      const hash = this.#hashOf(source, places[number * 4] as number, places[number * 4 + 1] as number);
      let at = (hash << 1) & last;
      while (slots[at + 1] !== 0) at = (at + 2) & last;
      slots[at] = hash;
      slots[at + 1] = number;
    }
  }

  /** Doubles the slots, into which the stored hashes are inserted again. */
  #spread(): void {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2);
    const last = slots.length - 1;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from + 1] === 0) continue;
      let at = ((old[from] as number) << 1) & last;
      while (slots[at + 1] !== 0) at = (at + 2) & last;
      slots[at] = old[from] as number;
      slots[at + 1] = old[from + 1] as number;
    }
    this.#slots = slots;
  }

  /** Tabulation of four bytes at a time; the words in between are mixed by a multiplication. */
  #hashOf(bytes: Buffer, start: number, end: number): number {
    const tables = this.#tables;
    let hash = end - start;
    let at = start;
    for (; at + 4 <= end; at += 4) {
      hash =
        Math.imul(hash ^ (hash >>> 15), MULTIPLIER) ^
        (tables[bytes[at] as number] as number) ^
        (tables[256 + (bytes[at + 1] as number)] as number) ^
        (tables[512 + (bytes[at + 2] as number)] as number) ^
        (tables[768 + (bytes[at + 3] as number)] as number);
    }
    for (; at < end; at++) hash = Math.imul(hash ^ (hash >>> 15), MULTIPLIER) ^ (tables[bytes[at] as number] as number);
    hash = Math.imul(hash ^ (hash >>> 15), MULTIPLIER);
    return hash ^ (hash >>> 13);
  }
}

/** The multiplier of MurmurHash3's finalizer (public domain): odd, and spreads its low bits upwards. */
const MULTIPLIER = 0x85ebca6b | 0;
/** Length in bytes up to which a loop is cheaper than a call into memcmp. */
const LOOP_BYTES = 48;

/** Making random tables takes as long as it does to look through so many keys in one slot, and most files are short. */
const FEW = 256;

const randomTables = (): Int32Array => crypto.getRandomValues(new Int32Array(4 * 256));

/** Of a linear congruential generator (Numerical Recipes'), by the upper bits of its numbers. */
const FIXED_TABLES: Int32Array = Int32Array.from(
  (function* () {
    for (let seed = 1, count = 0; count < 4 * 256; count++) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
      const upper = seed >>> 16;
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
      yield (upper << 16) | (seed >>> 16);
    }
  })(),
);
