/** Cache of recently read values, bounded in bytes: two generations, of which the older is dropped as a whole. */

export class ByteCache<K, V> {
  readonly #mostBytes: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #youngBytes = 0;

  /** Both generations together take about so much. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get(key: K): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  /** Keeps a value, unless it is larger than an eighth of the cache. */
  set(key: K, value: V, bytes: number): void {
    if (bytes > this.#mostBytes >> 3) return;
    this.#youngBytes += bytes;
    if (this.#youngBytes > this.#mostBytes >> 1) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = bytes;
    }
    this.#young.set(key, value);
  }
}
