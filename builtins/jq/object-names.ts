/** Tells whether two names of an object are alike: of all objects that are open while JSON is scanned. */

/** Up to so many names of an object each is compared with each. */
const FEW_NAMES = 24;
const MOST_NAMES = 1 << 16;

export class ObjectNames {
  /** By depth: how much of `#names` there was before the object, and its names where they are many. */
  readonly #before: Int32Array;
  readonly #many: (Set<string> | undefined)[] = [];
  /** Names of open objects: something of their bytes, and where they start. */
  #names = new Int32Array(64);
  #count = 0;

  constructor(mostDepth: number) {
    this.#before = new Int32Array(mostDepth);
  }

  clear(): void {
    this.#count = 0;
  }

  open(depth: number): void {
    this.#before[depth] = this.#count;
    this.#many[depth] = undefined;
  }

  close(depth: number): void {
    this.#count = this.#before[depth] as number;
  }

  /** Whether the name is the first of its kind in its object, which is open at `depth`. */
  add(bytes: Buffer, start: number, end: number, depth: number): boolean {
    const sign =
      ((end - start) << 24) ^
      ((bytes[start + 1] as number) << 16) ^
      ((bytes[end - 2] as number) << 8) ^
      (bytes[(start + end) >> 1] as number);
    const before = this.#before[depth] as number;
    const count = this.#count;
    if (count + 2 > this.#names.length) {
      const grown = new Int32Array(this.#names.length * 2);
      grown.set(this.#names);
      this.#names = grown;
    }
    const names = this.#names;
    names[count] = sign;
    names[count + 1] = start;
    this.#count = count + 2;
    if (count - before < 2 * FEW_NAMES) {
      for (let at = before; at < count; at += 2) if (names[at] === sign && isSame(bytes, names[at + 1] as number, start, end)) return false;
      return true;
    }
    return this.#addToMany(bytes, before, count, depth);
  }

  #addToMany(bytes: Buffer, before: number, count: number, depth: number): boolean {
    const nameAt = (at: number): string => {
      const start = this.#names[at + 1] as number;
      return bytes.toString("latin1", start + 1, bytes.indexOf(0x22, start + 1));
    };
    let many = this.#many[depth];
    if (many === undefined) {
      many = new Set();
      for (let at = before; at < count; at += 2) many.add(nameAt(at));
      this.#many[depth] = many;
    }
    const size = many.size;
    return size < MOST_NAMES && many.add(nameAt(count)).size > size;
  }
}

function isSame(bytes: Uint8Array, other: number, start: number, end: number): boolean {
  // The closing quote ends the comparison with a longer name.
  for (let at = start, with_ = other; at < end; at++, with_++) if (bytes[at] !== bytes[with_]) return false;
  return true;
}
