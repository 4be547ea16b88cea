/** Values that builtins keep in a process from one call to the next, for as long as the process is there. */

/** The name of such a value, and how it is made when it is first asked for. */
export interface KeptKey<T> {
  readonly make: () => T;
}

/**
 * Those of one workspace. Each bounds itself, and is right whatever has happened between two calls: it is asked about files that any
 * other process may have changed.
 */
export class KeptValues {
  readonly #values = new Map<KeptKey<unknown>, unknown>();

  of<T>(key: KeptKey<T>): T {
    if (!this.#values.has(key)) this.#values.set(key, key.make());
    return this.#values.get(key) as T;
  }
}
