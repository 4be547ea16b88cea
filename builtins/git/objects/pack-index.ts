/** The index of a pack, version 2 (gitformat-pack(5)): ids in order below a fan-out table, and where each object lies. */
import type { OpenFile } from "../../../src/workspace/contract.ts";
import { readRange, type Disk } from "./disk.ts";
import { GitError } from "../git-error.ts";
import type { ObjectFormat } from "./object-format.ts";

const FANS = 8;
const IDS = FANS + 256 * 4;

/** The file is read in blocks of so much; a smaller one, or one of which so much was wanted, as a whole. */
const BLOCK = 1 << 13;
const SMALL_BYTES = 1 << 17;
const MOST_BLOCKS = 64;

export class PackIndex {
  readonly count: number;
  /** Length of an id, of which two checksums end the file. */
  readonly #idBytes: number;
  readonly #path: string;
  /** The whole file, as far as it has been read: memory that is not written to costs nothing. */
  readonly #bytes: Buffer;
  readonly #hasBlock: Uint8Array;
  #blocks = 0;
  /** Undefined once all is read. */
  #file: OpenFile | undefined;

  /** Throws GitError where the file is none. */
  constructor(disk: Disk, path: string, { idBytes }: ObjectFormat) {
    this.#idBytes = idBytes;
    this.#path = path;
    this.#file = disk.openHeld(path);
    const size = this.#file?.size ?? 0;
    this.#bytes = Buffer.allocUnsafeSlow(size);
    this.#hasBlock = new Uint8Array(Math.ceil(size / BLOCK));
    try {
      if (size < IDS + 2 * idBytes) throw new GitError(`index file ${path} is too small`);
      if (size <= SMALL_BYTES) this.#readAll();
      this.#need(0, IDS);
      const bytes = this.#bytes;
      if (bytes.readUInt32BE(0) !== 0xff744f63) throw new GitError(`index file ${path} is too small`);
      if (bytes.readUInt32BE(4) !== 2) throw new GitError(`index file ${path} is version ${bytes.readUInt32BE(4)} and is not supported`);
      this.count = this.#fan(255);
      for (let at = 1; at < 256; at++) if (this.#fan(at) < this.#fan(at - 1)) throw new GitError(`non-monotonic index ${path}`);
      if (size < IDS + this.count * (idBytes + 8) + 2 * idBytes) throw new GitError(`wrong index v2 file size in ${path}`);
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  /** Reads what is missing of the bytes `from` to `to`. Throws GitError. */
  #need(from: number, to: number): void {
    if (this.#file === undefined) return;
    for (let block = Math.floor(from / BLOCK); block * BLOCK < to && this.#file !== undefined; block++) {
      if (this.#hasBlock[block] === 1) continue;
      if (++this.#blocks > MOST_BLOCKS) this.#readAll();
      else {
        this.#read(block * BLOCK, Math.min(this.#bytes.length, (block + 1) * BLOCK));
        this.#hasBlock[block] = 1;
      }
    }
  }

  #readAll(): void {
    this.#read(0, this.#bytes.length);
    this.close();
  }

  #read(from: number, to: number): void {
    const file = this.#file;
    if (file === undefined || readRange(file, from, to, this.#bytes.subarray(from, to)).length < to - from)
      throw new GitError(`index file ${this.#path} is too small`);
  }

  idAt(position: number): string {
    const at = IDS + position * this.#idBytes;
    this.#need(at, at + this.#idBytes);
    return this.#bytes.toString("hex", at, at + this.#idBytes);
  }

  /** The position of the first object whose id is not less than `hex` (a prefix counts as if filled with zeros). */
  lowerBound(hex: string): number {
    const wanted = firstWord(hex);
    const first = wanted >>> 24;
    let low = first === 0 ? 0 : this.#fan(first - 1);
    let high = this.#fan(first);
    const idBytes = this.#idBytes;
    this.#need(IDS + low * idBytes, IDS + high * idBytes);
    while (low < high) {
      const middle = (low + high) >> 1;
      const start = this.#word(IDS + middle * idBytes);
      // Ids that begin alike are rare: only of those the rest is looked at.
      if (start < wanted || (start === wanted && hex.length > 8 && this.idAt(middle) < hex)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Number of hexadecimal digits that `id` shares with the most similar other id; -1 if the index has no other. */
  sharedDigits(id: string): number {
    const near = this.lowerBound(id);
    const idBytes = this.#idBytes;
    const idDigits = 2 * idBytes;
    let most = -1;
    for (let at = Math.max(0, near - 1); at <= near + 1 && at < this.count; at++) {
      this.#need(IDS + at * idBytes, IDS + (at + 1) * idBytes);
      let digits = 0;
      while (digits < idDigits && this.#digit(at, digits) === id.charCodeAt(digits)) digits++;
      if (digits < idDigits && digits > most) most = digits;
    }
    return most;
  }

  #isAt(position: number, id: string): boolean {
    this.#need(IDS + position * this.#idBytes, IDS + (position + 1) * this.#idBytes);
    const digits = 2 * this.#idBytes;
    if (id.length !== digits) return false;
    for (let digit = digits - 1; digit >= 0; digit--) if (this.#digit(position, digit) !== id.charCodeAt(digit)) return false;
    return true;
  }

  /** A digit of an id as the code of its character. */
  #digit(position: number, digit: number): number {
    const byte = this.#bytes[IDS + position * this.#idBytes + (digit >> 1)] as number;
    const value = (digit & 1) === 0 ? byte >> 4 : byte & 15;
    return value < 10 ? 48 + value : 87 + value;
  }

  offsetOf(id: string): number | undefined {
    const at = this.lowerBound(id);
    if (at >= this.count || !this.#isAt(at, id)) return undefined;
    const place = IDS + this.count * (this.#idBytes + 4) + at * 4;
    this.#need(place, place + 4);
    const offset = this.#word(place);
    if (offset < 0x80000000) return offset;
    const large = IDS + this.count * (this.#idBytes + 8) + (offset - 0x80000000) * 8;
    if (large + 8 > this.#bytes.length - 2 * this.#idBytes) return undefined;
    this.#need(large, large + 8);
    return Number(this.#bytes.readBigUInt64BE(large));
  }

  /** Of all objects, in the order of the pack. */
  offsets(): readonly { readonly id: string; readonly offset: number }[] {
    const found: { readonly id: string; readonly offset: number }[] = [];
    for (let at = 0; at < this.count; at++) {
      const id = this.idAt(at);
      found.push({ id, offset: this.offsetOf(id) ?? 0 });
    }
    return found.sort((a, b) => a.offset - b.offset);
  }

  #fan(at: number): number {
    return this.#word(FANS + at * 4);
  }

  #word(at: number): number {
    const bytes = this.#bytes;
    return (
      (((bytes[at] as number) << 24) | ((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)) >>>
      0
    );
  }
}

/** The first eight digits as a number; those that are missing are zeros. */
function firstWord(hex: string): number {
  let word = 0;
  for (let digit = 0; digit < 8; digit++) {
    const code = digit < hex.length ? hex.charCodeAt(digit) : 48;
    word = (word << 4) | (code < 58 ? code - 48 : (code | 32) - 87);
  }
  return word >>> 0;
}
