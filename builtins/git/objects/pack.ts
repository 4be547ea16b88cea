/**
 * One pack (gitformat-pack(5)). Deltas are applied one after the other from their base on, so that no chain can exhaust
 * the stack.
 */
import { ByteCache } from "./byte-cache.ts";
import type { Disk } from "./disk.ts";
import { GitError } from "../git-error.ts";
import type { Inflater } from "./inflate.ts";
import type { ObjectFormat } from "./object-format.ts";
import { PackIndex } from "./pack-index.ts";
import { PackWindows } from "./pack-windows.ts";

export type ObjectType = "commit" | "tree" | "blob" | "tag";

export interface RawObject {
  readonly type: ObjectType;
  readonly data: Buffer;
}

const TYPES: readonly (ObjectType | "ofs" | "ref" | undefined)[] = [undefined, "commit", "tree", "blob", "tag", undefined, "ofs", "ref"];
/** Bytes counted for an entry beside its data: a chain may have any depth, within the limit on bytes held. */
const ENTRY_BYTES = 128;

export class Pack {
  readonly directory: string;
  readonly name: string;
  readonly index: PackIndex;
  readonly #idBytes: number;
  readonly #windows: PackWindows;
  readonly #limits: { readonly heldBytes: number };
  readonly #inflater: Inflater;
  /** Bases of deltas, by offset: chains share them. */
  readonly #bases = new ByteCache<number, RawObject>(MOST_BASES);

  #stamp: string | undefined;
  /** Of all entries, in the order of the pack. */
  #places: readonly { readonly id: string; readonly offset: number }[] | undefined;

  /** `path` without its extension. Throws GitError where the index is none. */
  constructor(disk: Disk, path: string, format: ObjectFormat, inflater: Inflater, limits: { readonly heldBytes: number }) {
    this.#idBytes = format.idBytes;
    this.#limits = limits;
    this.#inflater = inflater;
    this.directory = path.slice(0, path.lastIndexOf("/"));
    this.name = path.slice(path.lastIndexOf("/") + 1);
    this.index = new PackIndex(disk, `${path}.idx`, format);
    this.#windows = new PackWindows(disk, `${path}.pack`, format);
  }

  close(): void {
    this.index.close();
    this.#windows.close();
  }

  /** Stamp of the file, as it was when it was first asked for. */
  get stamp(): string {
    return (this.#stamp ??= this.#windows.stamp);
  }

  /** Bytes that the entry at `offset` takes, those of its content or of its delta, and the id of the delta's base. */
  storageAt(offset: number): { readonly bytes: number; readonly size: number; readonly base: string | undefined } {
    const places = (this.#places ??= this.index.offsets());
    const placeOf = (wanted: number): number => {
      let low = 0;
      for (let high = places.length; low < high; ) {
        const middle = (low + high) >> 1;
        if ((places[middle]?.offset ?? 0) < wanted) low = middle + 1;
        else high = middle;
      }
      return low;
    };
    const end = places[placeOf(offset) + 1]?.offset ?? this.#windows.end;
    const entry = this.#entry(offset);
    const base = entry?.type === "ref" ? entry.baseId : entry?.type === "ofs" ? places[placeOf(entry.base)]?.id : undefined;
    return { bytes: end - offset, size: entry?.size ?? 0, base };
  }

  /** The object at `offset`; undefined where the pack is broken. `other` finds the bases that deltas name. */
  read(offset: number, other: (id: string) => RawObject | undefined): RawObject | undefined {
    // A base in another pack is read in the middle of this: it must not write over the deltas here.
    const from = this.#inflater.briefBytes;
    try {
      return this.#read(offset, other);
    } finally {
      this.#inflater.forgetFrom(from);
    }
  }

  #read(offset: number, other: (id: string) => RawObject | undefined): RawObject | undefined {
    const deltas: Buffer[] = [];
    const offsets: number[] = [];
    const named = new Set<number>();
    let held = 0;
    let base: RawObject | undefined;
    for (let at = offset; base === undefined; ) {
      const known = this.#bases.get(at);
      if (known !== undefined) {
        base = known;
        break;
      }
      const entry = this.#entry(at);
      if (entry === undefined) return undefined;
      held += entry.size + ENTRY_BYTES;
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
          const inside = this.index.offsetOf(entry.baseId);
          if (inside === undefined) base = other(entry.baseId);
          else if (named.has(inside)) return undefined;
          else {
            named.add(inside);
            at = inside;
          }
          if (inside === undefined && base === undefined) return undefined;
        }
      }
    }
    for (let at = deltas.length - 1; at >= 0; at--) {
      const place = offsets[at + 1];
      if (place !== undefined) this.#bases.set(place, base, base.data.length + ENTRY_BYTES);
      const data = applyDelta(base.data, deltas[at] as Buffer, this.#limits.heldBytes);
      if (data === undefined) return undefined;
      base = { type: base.type, data };
    }
    this.#bases.set(offset, base, base.data.length + ENTRY_BYTES);
    return base;
  }

  #entry(offset: number): PackEntry | undefined {
    if (offset >= this.#windows.end) return undefined;
    let bytes = this.#windows.read(offset, FIRST_BYTES);
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
      baseId = bytes.toString("hex", at, at + this.#idBytes);
      at += this.#idBytes;
    }
    const likely = at + size + (size >> 6) + 64;
    if (likely > bytes.length) bytes = this.#windows.read(offset, likely);
    const isDelta = type === "ofs" || type === "ref";
    let data = this.#inflater.inflated(bytes.subarray(at, Math.max(likely, FIRST_BYTES)), size, isDelta);
    // Stored in many small pieces it takes more room than was thought.
    if (data === undefined && size < 1 << 24) data = this.#inflater.inflated(this.#windows.read(offset + at, size * 6 + 4096), size);
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
const FIRST_BYTES = 1024;
const MOST_BASES = 8 << 20;

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
