/** Objects, and entries of trees, that were read lately, kept from one call to the next, as long as their files are unchanged. */
import type { KeptKey } from "../../../src/builtin/kept-values.ts";
import type { FileStatus } from "../../../src/workspace/file-status.ts";
import { ByteCache } from "./byte-cache.ts";
import type { TreeEntry } from "./objects.ts";
import type { RawObject } from "./pack.ts";

const MOST_BYTES = 24 << 20;
const MOST_ENTRY_BYTES = 12 << 20;
const MOST_STORES = 3;

/** The file that something was read from: it is read anew once that is gone, or has another stamp. */
export interface Origin {
  /** Name of the pack; undefined: a file of its own. */
  readonly pack: string | undefined;
  readonly stamp: string;
}

export interface KeptObject extends Origin {
  readonly object: RawObject;
}

/** What a path leads to in a tree, undefined where there is nothing, and the pack that all the trees on its way lie in. */
export interface KeptEntry extends Origin {
  readonly entry: TreeEntry | undefined;
}

/** Tells a file from another of its name, and from itself once it was written to. */
export const stampText = ({ device, inode, size, modifiedNs, changedNs }: FileStatus): string =>
  `${device}:${inode}:${size}:${modifiedNs}:${changedNs}`;

/** Of one object directory: objects by id, entries by the tree's id and the path. */
export class KeptObjects {
  readonly objects = new ByteCache<string, KeptObject>(MOST_BYTES);
  readonly entries = new ByteCache<string, KeptEntry>(MOST_ENTRY_BYTES);
}

/** Those of the object directories that were asked about last. */
export class KeptStores {
  readonly #stores = new Map<string, KeptObjects>();

  /** `directory`: the object directory's path, and its status, by which another one in its place is another. */
  of(directory: string, { device, inode }: Pick<FileStatus, "device" | "inode">): KeptObjects {
    const key = `${device}:${inode}:${directory}`;
    const found = this.#stores.get(key) ?? new KeptObjects();
    this.#stores.delete(key);
    this.#stores.set(key, found);
    const [oldest] = this.#stores.keys();
    if (this.#stores.size > MOST_STORES && oldest !== undefined) this.#stores.delete(oldest);
    return found;
  }
}

export const KEPT_STORES: KeptKey<KeptStores> = { make: () => new KeptStores() };
