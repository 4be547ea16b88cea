/** The index of a pack, version 2 (gitformat-pack(5)): ids in order below a fan-out table, and where each object lies. */
import type { Disk } from "./disk.ts";
import { GitError } from "./git-error.ts";

const FANS = 8;
const IDS = FANS + 256 * 4;

export class PackIndex {
  readonly count: number;
  readonly #bytes: Buffer;

  /** Throws GitError where the file is none. */
  constructor(disk: Disk, path: string) {
    const bytes = disk.read(path) ?? Buffer.alloc(0);
    this.#bytes = bytes;
    if (bytes.length < IDS + 40 || bytes.readUInt32BE(0) !== 0xff744f63) throw new GitError(`index file ${path} is too small`);
    if (bytes.readUInt32BE(4) !== 2) throw new GitError(`index file ${path} is version ${bytes.readUInt32BE(4)} and is not supported`);
    this.count = this.#fan(255);
    for (let at = 1; at < 256; at++) if (this.#fan(at) < this.#fan(at - 1)) throw new GitError(`non-monotonic index ${path}`);
    if (bytes.length < IDS + this.count * 28 + 40) throw new GitError(`wrong index v2 file size in ${path}`);
  }

  idAt(position: number): string {
    return this.#bytes.toString("hex", IDS + position * 20, IDS + 20 + position * 20);
  }

  /** The position of the first object whose id is not less than `hex` (a prefix counts as if filled with zeros). */
  lowerBound(hex: string): number {
    const first = Number.parseInt(hex.slice(0, 2).padEnd(2, "0"), 16);
    const wanted = Number.parseInt(hex.slice(0, 8).padEnd(8, "0"), 16);
    let low = first === 0 ? 0 : this.#fan(first - 1);
    let high = this.#fan(first);
    while (low < high) {
      const middle = (low + high) >> 1;
      const start = this.#word(IDS + middle * 20);
      // Ids that begin alike are rare: only of those the rest is looked at.
      if (start < wanted || (start === wanted && hex.length > 8 && this.idAt(middle) < hex)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** How many hexadecimal digits `id` shares with the most similar other id; -1 where there is none. */
  sharedDigits(id: string): number {
    const near = this.lowerBound(id);
    let most = -1;
    for (let at = Math.max(0, near - 1); at <= near + 1 && at < this.count; at++) {
      let digits = 0;
      while (digits < 40 && this.#digit(at, digits) === id.charCodeAt(digits)) digits++;
      if (digits < 40 && digits > most) most = digits;
    }
    return most;
  }

  /** A digit of an id as the code of its character. */
  #digit(position: number, digit: number): number {
    const byte = this.#bytes[IDS + position * 20 + (digit >> 1)] as number;
    const value = (digit & 1) === 0 ? byte >> 4 : byte & 15;
    return value < 10 ? 48 + value : 87 + value;
  }

  offsetOf(id: string): number | undefined {
    const at = this.lowerBound(id);
    if (at >= this.count || this.idAt(at) !== id) return undefined;
    const offset = this.#word(IDS + this.count * 24 + at * 4);
    if (offset < 0x80000000) return offset;
    const large = IDS + this.count * 28 + (offset - 0x80000000) * 8;
    return large + 8 > this.#bytes.length - 40 ? undefined : Number(this.#bytes.readBigUInt64BE(large));
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
