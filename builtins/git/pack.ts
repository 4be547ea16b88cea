/**
 * One pack with its index, version 2 (gitformat-pack(5)): objects are found by binary search below a fan-out table, and
 * deltas are applied one after the other from their base on, so that no chain can exhaust the stack.
 */
import type { OpenFile } from "../../src/workspace/contract.ts";
import { readRange, type Disk } from "./disk.ts";
import { GitError } from "./git-error.ts";
import { inflated } from "./inflate.ts";

export type ObjectType = "commit" | "tree" | "blob" | "tag";

export interface RawObject {
  readonly type: ObjectType;
  readonly data: Buffer;
}

const TYPES: readonly (ObjectType | "ofs" | "ref" | undefined)[] = [undefined, "commit", "tree", "blob", "tag", undefined, "ofs", "ref"];
/** git packs 50 deep, 4095 at most. */
const MOST_DELTAS = 4096;

export class Pack {
  readonly name: string;
  readonly count: number;
  readonly #disk: Disk;
  readonly #path: string;
  readonly #index: Buffer;
  readonly #limits: { readonly heldBytes: number };
  #file: OpenFile | undefined;
  /** Bases of deltas, by offset: chains share them. */
  readonly #bases = new Map<number, RawObject>();
  #basesBytes = 0;

  /** `path` without its extension. Throws GitError where the index is none. */
  constructor(disk: Disk, path: string, limits: { readonly heldBytes: number }) {
    this.#disk = disk;
    this.#path = path;
    this.#limits = limits;
    this.name = path.slice(path.lastIndexOf("/") + 1);
    const index = disk.read(`${path}.idx`) ?? Buffer.alloc(0);
    this.#index = index;
    if (index.length < 8 + 1024 + 40 || index.readUInt32BE(0) !== 0xff744f63) throw new GitError(`index file ${path}.idx is too small`);
    if (index.readUInt32BE(4) !== 2) throw new GitError(`index file ${path}.idx is version ${index.readUInt32BE(4)} and is not supported`);
    this.count = index.readUInt32BE(8 + 255 * 4);
    for (let at = 1; at < 256; at++) if (this.#fan(at) < this.#fan(at - 1)) throw new GitError(`non-monotonic index ${path}.idx`);
    if (index.length < 1032 + this.count * 28 + 40) throw new GitError(`wrong index v2 file size in ${path}.idx`);
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  idAt(position: number): string {
    return this.#index.toString("hex", 1032 + position * 20, 1052 + position * 20);
  }

  /** The position of the first object whose id is not less than `hex` (a prefix counts as if filled with zeros). */
  lowerBound(hex: string): number {
    const first = Number.parseInt(hex.slice(0, 2).padEnd(2, "0"), 16);
    let low = first === 0 ? 0 : this.#fan(first - 1);
    let high = this.#fan(first);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.idAt(middle) < hex) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  offsetOf(id: string): number | undefined {
    const at = this.lowerBound(id);
    if (at >= this.count || this.idAt(at) !== id) return undefined;
    const offset = this.#index.readUInt32BE(1032 + this.count * 24 + at * 4);
    if (offset < 0x80000000) return offset;
    const large = 1032 + this.count * 28 + (offset - 0x80000000) * 8;
    return large + 8 > this.#index.length - 40 ? undefined : Number(this.#index.readBigUInt64BE(large));
  }

  /** The object at `offset`; undefined where the pack is broken. `other` finds the bases that deltas name. */
  read(offset: number, other: (id: string) => RawObject | undefined): RawObject | undefined {
    const deltas: Buffer[] = [];
    const offsets: number[] = [];
    let held = 0;
    let base: RawObject | undefined;
    for (let at = offset; base === undefined; ) {
      const known = this.#bases.get(at);
      if (known !== undefined) {
        base = known;
        break;
      }
      const entry = this.#entry(at);
      if (entry === undefined || deltas.length > MOST_DELTAS) return undefined;
      held += entry.size;
      if (held > this.#limits.heldBytes)
        throw new GitError(`${this.name}: an object larger than the ${this.#limits.heldBytes} bytes held here`);
      offsets.push(at);
      if (entry.type !== "ofs" && entry.type !== "ref") base = { type: entry.type, data: entry.data };
      else {
        deltas.push(entry.data);
        if (entry.type === "ofs") {
          if (entry.base >= at || entry.base < 12) return undefined;
          at = entry.base;
        } else {
          const inside = this.offsetOf(entry.baseId);
          if (inside === undefined) base = other(entry.baseId);
          else if (offsets.includes(inside)) return undefined;
          else at = inside;
          if (inside === undefined && base === undefined) return undefined;
        }
      }
    }
    for (let at = deltas.length - 1; at >= 0; at--) {
      this.#keep(offsets[at + 1], base);
      const data = applyDelta(base.data, deltas[at] as Buffer, this.#limits.heldBytes);
      if (data === undefined) return undefined;
      base = { type: base.type, data };
    }
    return base;
  }

  #keep(offset: number | undefined, object: RawObject): void {
    if (offset === undefined || this.#bases.has(offset) || object.data.length > MOST_BASES >> 2) return;
    this.#bases.set(offset, object);
    this.#basesBytes += object.data.length;
    for (const [oldest, { data }] of this.#bases) {
      if (this.#basesBytes <= MOST_BASES) break;
      this.#bases.delete(oldest);
      this.#basesBytes -= data.length;
    }
  }

  #fan(at: number): number {
    return this.#index.readUInt32BE(8 + at * 4);
  }

  #entry(offset: number): PackEntry | undefined {
    this.#file ??= this.#disk.open(`${this.#path}.pack`);
    const file = this.#file;
    if (file === undefined || offset >= file.size - 20) return undefined;
    let bytes = readRange(file, offset, Math.min(file.size - 20, offset + FIRST_BYTES));
    let at = 0;
    let byte = bytes[at++] as number;
    const type = TYPES[(byte >> 4) & 7];
    let size = byte & 15;
    for (let scale = 16; (byte & 0x80) !== 0; scale *= 128) {
      byte = bytes[at++] ?? 0;
      size += (byte & 0x7f) * scale;
      if (scale > 2 ** 46) return undefined;
    }
    if (type === undefined) return undefined;
    if (size > this.#limits.heldBytes)
      throw new GitError(`${this.name}: an object larger than the ${this.#limits.heldBytes} bytes held here`);
    let base = 0;
    let baseId = "";
    if (type === "ofs") {
      byte = bytes[at++] ?? 0;
      let back = byte & 0x7f;
      while ((byte & 0x80) !== 0) {
        byte = bytes[at++] ?? 0;
        back = (back + 1) * 128 + (byte & 0x7f);
        if (back > 2 ** 46) return undefined;
      }
      base = offset - back;
    } else if (type === "ref") {
      baseId = bytes.toString("hex", at, at + 20);
      at += 20;
    }
    const likely = at + size + (size >> 6) + 64;
    if (likely > bytes.length) bytes = readRange(file, offset, Math.min(file.size - 20, offset + likely));
    let data = inflated(bytes.subarray(at), size);
    // Stored in many small pieces it takes more room than was thought.
    if (data === undefined && size < 1 << 24)
      data = inflated(readRange(file, offset + at, Math.min(file.size - 20, offset + at + size * 6 + 4096)), size);
    return data === undefined ? undefined : { type, size, data, base, baseId };
  }
}

interface PackEntry {
  readonly type: ObjectType | "ofs" | "ref";
  readonly size: number;
  readonly data: Buffer;
  readonly base: number;
  readonly baseId: string;
}

/** Most objects are shorter than this, packed. */
const FIRST_BYTES = 4096;
const MOST_BASES = 16 << 20;

/** The text that `delta` makes of `base`; undefined where it is broken. */
function applyDelta(base: Buffer, delta: Buffer, mostBytes: number): Buffer | undefined {
  let at = 0;
  const size = (): number => {
    let value = 0;
    for (let scale = 1; scale < 2 ** 50; scale *= 128) {
      const byte = delta[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if ((byte & 0x80) === 0) return value;
    }
    return Infinity;
  };
  if (size() !== base.length) return undefined;
  const length = size();
  if (length > mostBytes) throw new GitError(`an object larger than the ${mostBytes} bytes held here`);
  const out = Buffer.allocUnsafe(length);
  let used = 0;
  while (at < delta.length) {
    const code = delta[at++] as number;
    if ((code & 0x80) !== 0) {
      let from = 0;
      let count = 0;
      for (let bit = 0; bit < 4; bit++) if ((code & (1 << bit)) !== 0) from += (delta[at++] ?? 0) * 2 ** (8 * bit);
      for (let bit = 0; bit < 3; bit++) if ((code & (16 << bit)) !== 0) count += (delta[at++] ?? 0) * 2 ** (8 * bit);
      if (count === 0) count = 0x10000;
      if (from + count > base.length || used + count > length) return undefined;
      base.copy(out, used, from, from + count);
      used += count;
    } else {
      if (code === 0 || at + code > delta.length || used + code > length) return undefined;
      delta.copy(out, used, at, at + code);
      at += code;
      used += code;
    }
  }
  return used === length ? out : undefined;
}
