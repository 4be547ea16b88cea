/** Listings of directories that hold tracked files, kept from one call to the next, each for as long as its directory is unchanged. */
import type { KeptKey } from "../../../src/builtin/kept-values.ts";
import type { FileStatus } from "../../../src/workspace/file-status.ts";
import { ByteCache } from "../objects/byte-cache.ts";
import type { Entry } from "../objects/disk.ts";
import { stampText } from "../objects/kept-objects.ts";
import { isSettledAt, KeptByIndex } from "./kept-indexes.ts";

const MOST_BYTES = 4 << 20;
/** Bytes counted for a listing and for each entry, beside the names. */
const LISTING_BYTES = 256;
const ENTRY_BYTES = 96;

interface KeptListing {
  readonly stamp: string;
  readonly entries: readonly Entry[];
}

/** What is left of each listing once the files are taken out that one index has: mostly nothing. By the path in the index. */
export class ListingsBeside {
  readonly #listings = new ByteCache<string, KeptListing>(MOST_BYTES);

  /** True if the directory was listed, whatever has become of it. */
  has(path: string): boolean {
    return this.#listings.get(path) !== undefined;
  }

  /** Undefined where the directory must be listed. */
  find(path: string, status: FileStatus): readonly Entry[] | undefined {
    const kept = this.#listings.get(path);
    return kept?.stamp === stampText(status) ? kept.entries : undefined;
  }

  /** `status`: before the directory was listed, at `nowMs` or later. */
  keep(path: string, status: FileStatus, nowMs: number, entries: readonly Entry[]): void {
    if (!isSettledAt(status, nowMs)) return;
    let bytes = path.length + LISTING_BYTES;
    for (const { name } of entries) bytes += name.length + ENTRY_BYTES;
    this.#listings.set(path, { stamp: stampText(status), entries }, bytes);
  }
}

export const KEPT_LISTINGS: KeptKey<KeptByIndex<ListingsBeside>> = { make: () => new KeptByIndex(() => new ListingsBeside()) };
