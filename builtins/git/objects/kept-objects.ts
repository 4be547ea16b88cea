/** Objects that were read lately, kept from one call to the next: an id never stands for another content. */
import type { KeptKey } from "../../../src/builtin/kept-values.ts";
import type { FileStatus } from "../../../src/workspace/file-status.ts";
import { ByteCache } from "./byte-cache.ts";
import type { RawObject } from "./pack.ts";

const MOST_BYTES = 24 << 20;
const MOST_STORES = 3;

/** An object, and where it lay: it is not there any more once that is gone. */
export interface KeptObject {
  readonly object: RawObject;
  /** Name of the pack; undefined: a file of its own. */
  readonly pack: string | undefined;
}

export type KeptObjects = ByteCache<string, KeptObject>;

/** Those of the object directories that were asked about last. */
export class KeptStores {
  readonly #stores = new Map<string, KeptObjects>();

  /** `directory`: the object directory's path, and its status, by which another one in its place is another. */
  of(directory: string, { device, inode }: Pick<FileStatus, "device" | "inode">): KeptObjects {
    const key = `${device}:${inode}:${directory}`;
    const found = this.#stores.get(key) ?? new ByteCache(MOST_BYTES);
    this.#stores.delete(key);
    this.#stores.set(key, found);
    const [oldest] = this.#stores.keys();
    if (this.#stores.size > MOST_STORES && oldest !== undefined) this.#stores.delete(oldest);
    return found;
  }
}

export const KEPT_STORES: KeptKey<KeptStores> = { make: () => new KeptStores() };
