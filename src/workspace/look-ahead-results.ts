/** How the look-ahead thread lays out what it found in shared memory (look-ahead-memory.ts), and how the walk reads it. */
import type { BigIntStats } from "node:fs";
import { kindOfMode } from "./descriptor.ts";
import type { DirectoryEntry, FileKind, FileStatus } from "./file-status.ts";

/** A directory: its descriptor, how many entries, how many bytes of names, whether there are statuses; then those. */
export const LISTING_BYTES = 16;

const STATUS_FIELDS = [
  ...(["mode", "size", "mtimeNs", "atimeNs", "ctimeNs", "birthtimeNs", "ino"] as const),
  ...(["dev", "rdev", "nlink", "uid", "gid", "blocks", "blksize"] as const),
] as const;
export const STATUS_BYTES = STATUS_FIELDS.length * 8;
/** In the place of a mode: this entry's status was not asked for. */
const NO_STATUS = -1n;

const KINDS: readonly (FileKind | undefined)[] = [
  ...(["file", "directory", "symlink", "fifo", "socket", "character-device", "block-device"] as const),
  undefined,
];
const NUMBERS = new Map(KINDS.map((kind, number) => [kind, number]));

export function writeListing(
  results: Buffer,
  at: number,
  handle: number,
  entries: readonly DirectoryEntry[],
  names: string,
  statuses: readonly (BigIntStats | undefined)[] | undefined,
): number {
  const { length } = entries;
  results.writeInt32LE(handle, at);
  results.writeInt32LE(length, at + 4);
  results.writeInt32LE(statuses === undefined ? 0 : 1, at + 12);
  let to = at + LISTING_BYTES;
  if (statuses !== undefined) {
    const numbers = new BigInt64Array(results.buffer, results.byteOffset + to, length * STATUS_FIELDS.length);
    for (let entry = 0, word = 0; entry < length; entry++, word += STATUS_FIELDS.length) {
      const status = statuses[entry];
      if (status === undefined) numbers[word] = NO_STATUS;
      else for (let field = 0; field < STATUS_FIELDS.length; field++) numbers[word + field] = status[STATUS_FIELDS[field] as "mode"];
    }
    to += length * STATUS_BYTES;
  }
  for (const { kind } of entries) results[to++] = NUMBERS.get(kind) as number;
  const written = results.write(names, to);
  results.writeInt32LE(written, at + 8);
  return to + written - at;
}

export interface ReadListing {
  readonly handle: number;
  readonly entries: DirectoryEntry[];
  readonly statuses: Statuses | undefined;
}

export function readListing(results: Buffer, at: number): ReadListing {
  const count = results.readInt32LE(at + 4);
  const hasStatuses = results.readInt32LE(at + 12) === 1;
  const kindsAt = at + LISTING_BYTES + (hasStatuses ? count * STATUS_BYTES : 0);
  const namesAt = kindsAt + count;
  const names = count === 0 ? [] : results.toString("utf8", namesAt, namesAt + results.readInt32LE(at + 8)).split("\0");
  const entries = names.map((name, entry) => ({ name, kind: KINDS[results[kindsAt + entry] as number] }));
  const statuses = hasStatuses ? new Statuses(names, results.subarray(at + LISTING_BYTES, kindsAt)) : undefined;
  return { handle: handleIn(results, at), entries, statuses };
}

export const handleIn = (results: Buffer, at: number): number => results.readInt32LE(at);

/** What was asked for of the entries of a directory. Of most of them nobody wants more than a field or two. */
export class Statuses {
  readonly #entries = new Map<string, number>();
  readonly #numbers: BigInt64Array;
  readonly #halves: Int32Array;

  constructor(names: readonly string[], bytes: Uint8Array) {
    names.forEach((name, entry) => this.#entries.set(name, entry));
    // A copy: the memory is used again.
    const { buffer } = Uint8Array.from(bytes);
    this.#numbers = new BigInt64Array(buffer);
    this.#halves = new Int32Array(buffer);
  }

  get(name: string): FileStatus | undefined {
    const entry = this.#entries.get(name);
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

  /** The same where a number is exact, without making a bigint. Linux is little-endian wherever Node runs on it. */
  #number(field: number): number {
    const half = (this.#at + field) * 2;
    return (this.#halves[half + 1] as number) * 2 ** 32 + ((this.#halves[half] as number) >>> 0);
  }
}
