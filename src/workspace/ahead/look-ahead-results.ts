/**
 * Layout of the look-ahead thread's results in shared memory (look-ahead-memory.ts): the thread writes them, the walk reads
 * them.
 */
import type { BigIntStats } from "node:fs";
import { kindOfMode } from "../walk/descriptor.ts";
import type { DirectoryEntry, FileKind, FileStatus } from "../file-status.ts";
import { NO_STATUSES } from "./look-ahead-memory.ts";

/**
 * Header of a listing: descriptor, number of entries, bytes of names, NO_STATUSES or STATUSES. The statuses follow, then
 * kinds, names.
 */
export const LISTING_BYTES = 16;

const STATUS_FIELDS = [
  ...(["mode", "size", "mtimeNs", "atimeNs", "ctimeNs", "birthtimeNs", "ino"] as const),
  ...(["dev", "rdev", "nlink", "uid", "gid", "blocks", "blksize"] as const),
] as const;
const STATUS_BYTES = STATUS_FIELDS.length * 8;
/** Stands for the mode of an entry whose status was not read. */
const NO_STATUS = -1n;

const KINDS: readonly (FileKind | undefined)[] = [
  ...(["file", "directory", "symlink", "fifo", "socket", "character-device", "block-device"] as const),
  undefined,
];
const NUMBERS = new Map(KINDS.map((kind, number) => [kind, number]));

/** `statuses`: what else was written, right behind these numbers. Returns the bytes of all. */
export function writeListing(
  results: Buffer,
  at: number,
  handle: number,
  entries: readonly DirectoryEntry[],
  names: string,
  statuses: number,
): number {
  const { length } = entries;
  results.writeInt32LE(handle, at);
  results.writeInt32LE(length, at + 4);
  results.writeInt32LE(statuses, at + 12);
  let to = at + LISTING_BYTES + length * statusBytes(statuses);
  for (const { kind } of entries) results[to++] = NUMBERS.get(kind) as number;
  const written = results.write(names, to);
  results.writeInt32LE(written, at + 8);
  return to + written - at;
}

export const statusBytes = (statuses: number): number => (statuses === NO_STATUSES ? 0 : STATUS_BYTES);

export function writeStatuses(
  results: Buffer,
  at: number,
  entries: readonly DirectoryEntry[],
  statusOf: (entry: DirectoryEntry) => BigIntStats | undefined,
): void {
  const numbers = new BigInt64Array(results.buffer, results.byteOffset + at, entries.length * STATUS_FIELDS.length);
  let word = 0;
  for (const entry of entries) {
    const status = statusOf(entry);
    if (status === undefined) numbers[word] = NO_STATUS;
    else for (let field = 0; field < STATUS_FIELDS.length; field++) numbers[word + field] = status[STATUS_FIELDS[field] as "mode"];
    word += STATUS_FIELDS.length;
  }
}

export interface ReadListing {
  readonly handle: number;
  readonly entries: DirectoryEntry[];
  readonly statuses: Statuses | undefined;
}

export function readListing(results: Buffer, at: number): ReadListing {
  const count = results.readInt32LE(at + 4);
  const statuses = results.readInt32LE(at + 12);
  const statusesAt = at + LISTING_BYTES;
  const kindsAt = statusesAt + count * statusBytes(statuses);
  const namesAt = kindsAt + count;
  const names = count === 0 ? [] : results.toString("utf8", namesAt, namesAt + results.readInt32LE(at + 8)).split("\0");
  const entries = names.map((name, entry) => ({ name, kind: KINDS[results[kindsAt + entry] as number] }));
  const bytes = results.subarray(statusesAt, kindsAt);
  return {
    handle: results.readInt32LE(at),
    entries,
    statuses: statuses === NO_STATUSES ? undefined : new Statuses(names, bytes),
  };
}

/** Names after the last one found that are compared before all of them are indexed. */
const FEW = 4;

/** Index of a directory's entries by name, which are mostly asked for in order. */
class Places {
  readonly #names: readonly string[];
  /** Likely index of the next name. */
  #next = 0;
  #places: ReadonlyMap<string, number> | undefined;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  of(name: string): number | undefined {
    const at = this.#find(name);
    if (at !== undefined) this.#next = at + 1;
    return at;
  }

  #find(name: string): number | undefined {
    const names = this.#names;
    for (let at = this.#next; at < this.#next + FEW; at++) if (names[at] === name) return at;
    this.#places ??= new Map(names.map((known, at) => [known, at]));
    return this.#places.get(name);
  }
}

/** Statuses of a directory's entries. Of most of them nobody wants more than a field or two. */
export class Statuses {
  readonly #places: Places;
  readonly #numbers: BigInt64Array;
  readonly #halves: Int32Array;

  /** `bytes` are copied: their memory is used again. */
  constructor(names: readonly string[], bytes: Uint8Array) {
    this.#places = new Places(names);
    const { buffer } = new Uint8Array(bytes);
    this.#numbers = new BigInt64Array(buffer);
    this.#halves = new Int32Array(buffer);
  }

  get(name: string): FileStatus | undefined {
    const entry = this.#places.of(name);
    if (entry === undefined || this.#halves[entry * STATUS_FIELDS.length * 2] === -1) return undefined;
    return new ReadStatus(this.#numbers, this.#halves, entry * STATUS_FIELDS.length);
  }
}

class ReadStatus implements FileStatus {
  readonly #numbers: BigInt64Array;
  readonly #halves: Int32Array;
  readonly #at: number;

  constructor(numbers: BigInt64Array, halves: Int32Array, at: number) {
    this.#numbers = numbers;
    this.#halves = halves;
    this.#at = at;
  }

  get kind(): FileKind {
    return kindOfMode(this.#number(0));
  }
  get permissions(): number {
    return this.#number(0) & 0o7777;
  }
  get size(): number {
    return this.#number(1);
  }
  get modifiedNs(): bigint {
    return this.#wide(2);
  }
  get accessedNs(): bigint {
    return this.#wide(3);
  }
  get changedNs(): bigint {
    return this.#wide(4);
  }
  get bornNs(): bigint {
    return this.#wide(5);
  }
  get inode(): bigint {
    return this.#wide(6);
  }
  get device(): bigint {
    return this.#wide(7);
  }
  get specialDevice(): bigint {
    return this.#wide(8);
  }
  get links(): number {
    return this.#number(9);
  }
  get userId(): number {
    return this.#number(10);
  }
  get groupId(): number {
    return this.#number(11);
  }
  get blocks(): number {
    return this.#number(12);
  }
  get ioBytes(): number {
    return this.#number(13);
  }

  #wide(field: number): bigint {
    return this.#numbers[this.#at + field] as bigint;
  }

  /** A field that a number holds exactly, without making a bigint. Linux is little-endian wherever Node runs on it. */
  #number(field: number): number {
    const half = (this.#at + field) * 2;
    return (this.#halves[half + 1] as number) * 2 ** 32 + ((this.#halves[half] as number) >>> 0);
  }
}
