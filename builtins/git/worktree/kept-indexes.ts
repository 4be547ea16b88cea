/** Indexes that were read lately, kept from one call to the next, each for as long as its file is the one that was read. */
import type { KeptKey } from "../../../src/builtin/kept-values.ts";
import type { FileStatus } from "../../../src/workspace/file-status.ts";
import { stampText } from "../objects/kept-objects.ts";
import type { IndexFile } from "./index-file.ts";

/** Bounds of what is kept: indexes, and bytes of all of them. */
const MOST_INDEXES = 3;
const MOST_BYTES = 16 << 20;
/** Age of a file's last change from which on each later change has another time, in milliseconds: above the tick of any file system's clock. */
export const SETTLED_MS = 2_100;

/** The file of an index as it is found, before it is read. */
export interface IndexVersion {
  readonly path: string;
  readonly status: FileStatus;
  /** The end of the file: the checksum of all before it, or zeros where git was told to leave that out (index.skipHash). */
  readonly checksum: Buffer;
  /** A time before this was asked for, in milliseconds since the epoch. */
  readonly readMs: number;
}

interface KeptIndex {
  readonly stamp: string;
  readonly checksum: Buffer;
  /** Any change after it was read has given the file another stamp. */
  readonly isSettled: boolean;
  readonly index: IndexFile;
}

export class KeptIndexes {
  /** By path, the one used last at the end. */
  readonly #kept = new Map<string, KeptIndex>();

  /** The index that was read from exactly this file; undefined where it must be read. */
  find({ path, status, checksum }: IndexVersion): IndexFile | undefined {
    const kept = this.#kept.get(path);
    if (kept === undefined) return undefined;
    this.#kept.delete(path);
    const isSame = kept.stamp === stampText(status) && kept.checksum.equals(checksum);
    // Two writes within a tick of the clock may leave one stamp, and are told apart by the checksum.
    if (!isSame || !(kept.isSettled || checksum.some((byte) => byte !== 0))) return undefined;
    this.#kept.set(path, kept);
    return kept.index;
  }

  /** Keeps `index`, which was read from the file after `version` was asked for. */
  keep({ path, status, checksum, readMs }: IndexVersion, index: IndexFile): void {
    const isSettled = isSettledAt(status, readMs);
    this.#kept.delete(path);
    this.#kept.set(path, { stamp: stampText(status), checksum, isSettled, index });
    let bytes = 0;
    for (const { index: one } of this.#kept.values()) bytes += one.heldBytes;
    for (const [oldest, { index: one }] of this.#kept) {
      if (this.#kept.size <= MOST_INDEXES && bytes <= MOST_BYTES) return;
      this.#kept.delete(oldest);
      bytes -= one.heldBytes;
    }
  }
}

/** What is kept beside an index: that of one that is no longer kept goes with it. */
export class KeptByIndex<T> {
  readonly #byIndex = new WeakMap<IndexFile, T>();
  readonly #make: () => T;

  constructor(make: () => T) {
    this.#make = make;
  }

  of(index: IndexFile): T {
    const kept = this.#byIndex.get(index) ?? this.#make();
    this.#byIndex.set(index, kept);
    return kept;
  }
}

/** True if the last change of a file or directory was so long before `nowMs` that a later one has another time. */
export const isSettledAt = ({ changedNs, modifiedNs }: Pick<FileStatus, "changedNs" | "modifiedNs">, nowMs: number): boolean => {
  const newestNs = changedNs > modifiedNs ? changedNs : modifiedNs;
  return Number(newestNs / 1_000_000n) + SETTLED_MS <= nowMs;
};

export const KEPT_INDEXES: KeptKey<KeptIndexes> = { make: () => new KeptIndexes() };
