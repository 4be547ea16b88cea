/**
 * One pack (gitformat-pack(5)). Deltas are applied one after the other from their base on, so that no chain can exhaust
 * the stack.
 */
import type { Base, PackBases } from "./delta-bases.ts";
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

export interface ObjectSummary {
  readonly type: ObjectType;
  /** Of the object's data, in bytes. */
  readonly size: number;
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
  /** By offset: chains share them. */
  readonly #bases: PackBases;
  #stepRoom = Buffer.alloc(0);

  /** Types by offset, of objects whose chain of deltas was followed for a summary. */
  readonly #types = new Map<number, ObjectType>();
  #stamp: string | undefined;
  /** Of all entries, in the order of the pack. */
  #places: readonly { readonly id: string; readonly offset: number }[] | undefined;

  /** `path` without its extension. Throws GitError where the index is none. */
  constructor(
    disk: Disk,
    path: string,
    format: ObjectFormat,
    {
      inflater,
      limits,
      bases,
    }: { readonly inflater: Inflater; readonly limits: { readonly heldBytes: number }; readonly bases: PackBases },
  ) {
    this.#bases = bases;
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
    const entry = this.#head(offset);
    const base = entry?.type === "ref" ? entry.baseId : entry?.type === "ofs" ? places[placeOf(entry.base)]?.id : undefined;
    return { bytes: end - offset, size: entry?.size ?? 0, base };
  }

  /**
   * Type and size of the object at `offset`, from the headers of entries and of deltas; undefined where the pack is broken. `typeOf`
   * finds the types of bases that lie in other packs.
   */
  summaryAt(offset: number, typeOf: (id: string) => ObjectType | undefined): ObjectSummary | undefined {
    const head = this.#head(offset);
    const type = head === undefined ? undefined : this.#typeAt(offset, typeOf);
    if (head === undefined || type === undefined) return undefined;
    if (head.type !== "ofs" && head.type !== "ref") return { type, size: head.size };
    const packed = this.#windows.read(head.dataOffset, FIRST_BYTES).subarray(0, FIRST_BYTES);
    const delta = this.#inflater.beginning(packed, Math.min(head.size, MOST_DELTA_HEADER));
    const size = delta === undefined ? Infinity : deltaHeader(delta).bytes;
    return size === Infinity ? undefined : { type, size };
  }

  #typeAt(offset: number, typeOf: (id: string) => ObjectType | undefined): ObjectType | undefined {
    const passed: number[] = [];
    let type: ObjectType | undefined;
    for (let at = offset; type === undefined; ) {
      type = this.#types.get(at);
      if (type !== undefined) break;
      const head = this.#head(at);
      // A chain that is longer than the pack goes round.
      if (head === undefined || passed.push(at) > this.index.count) return undefined;
      const { type: found, base, baseId } = head;
      if (found === "ofs") {
        if (base >= at || base < 12) return undefined;
        at = base;
      } else if (found === "ref") {
        const inside = this.index.offsetOf(baseId);
        if (inside === undefined) {
          type = typeOf(baseId);
          if (type === undefined) return undefined;
        } else at = inside;
      } else type = found;
    }
    for (const at of passed) this.#types.set(at, type);
    return type;
  }

  /** The object at `offset`; undefined where the pack is broken. `other` finds the bases that deltas name. */
  read(offset: number, reading: Reading, other: (id: string) => RawObject | undefined): RawObject | undefined {
    // A base in another pack is read in the middle of this: it must not write over the deltas here.
    const from = this.#inflater.briefBytes;
    try {
      return this.#read(offset, reading, other);
    } finally {
      this.#inflater.forgetFrom(from);
    }
  }

  #read(offset: number, { likely, isBrief }: Reading, other: (id: string) => RawObject | undefined): RawObject | undefined {
    const deltas: Buffer[] = [];
    const offsets: number[] = [];
    const named = new Set<number>();
    let held = 0;
    let base: Base | undefined;
    for (let at = offset; base === undefined; ) {
      const known = this.#bases.get(at, likely);
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
    const { type } = base;
    const lowest = offsets[deltas.length];
    if (lowest !== undefined) this.#keep(lowest, base);
    // What is kept is overwritten some time later.
    else if (deltas.length === 0) return isBrief === true ? base : { type, data: Buffer.from(base.data) };
    for (let at = deltas.length - 1; at >= 0; at--) {
      const place = offsets[at] as number;
      const from: Buffer = base.data;
      const delta = deltas[at] as Buffer;
      const header = deltaHeader(delta);
      if (header.baseBytes !== from.length) return undefined;
      if (header.bytes > this.#limits.heldBytes) throw new GitError(`an object larger than the ${this.#limits.heldBytes} bytes held here`);
      // Every second step is kept, which makes room for twice as many chains: the one between is a single delta away.
      const isPassed = at > 0 && (at & 1) === 0;
      const isResult = at === 0 && isBrief !== true;
      const room = isPassed ? this.#step(header.bytes) : isResult ? undefined : this.#bases.room(place, type, header.bytes, from);
      const data = room ?? Buffer.allocUnsafe(header.bytes);
      if (!applyDelta(from, delta, header.end, data)) {
        this.#bases.forget(place);
        return undefined;
      }
      base = { type, data };
    }
    if (deltas.length > 0 && isBrief !== true) this.#keep(offset, base);
    return base;
  }

  /** Room for a step that is passed; undefined where it is large. */
  #step(bytes: number): Buffer | undefined {
    if (bytes > MOST_STEP_BYTES) return undefined;
    if (this.#stepRoom.length < bytes) this.#stepRoom = Buffer.allocUnsafeSlow(Math.max(bytes * 2, 1 << 13));
    return this.#stepRoom.subarray(0, bytes);
  }

  #keep(offset: number, { type, data }: Base): void {
    const room = this.#bases.room(offset, type, data.length, data);
    if (room !== undefined) data.copy(room);
  }

  /** `bytes`: the pack's from `offset` on. */
  #head(offset: number, bytes = this.#windows.read(offset, FIRST_BYTES)): EntryHead | undefined {
    if (offset >= this.#windows.end) return undefined;
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
    return { type, size, base, baseId, dataOffset: offset + at };
  }

  #entry(offset: number): PackEntry | undefined {
    let bytes = this.#windows.read(offset, FIRST_BYTES);
    const head = this.#head(offset, bytes);
    if (head === undefined) return undefined;
    const { type, size } = head;
    if (size > this.#limits.heldBytes)
      throw new GitError(`${this.name}: an object larger than the ${this.#limits.heldBytes} bytes held here`);
    const at = head.dataOffset - offset;
    const likely = at + size + (size >> 6) + 64;
    if (likely > bytes.length) bytes = this.#windows.read(offset, likely);
    const isDelta = type === "ofs" || type === "ref";
    let data = this.#inflater.inflated(bytes.subarray(at, Math.max(likely, FIRST_BYTES)), size, isDelta);
    // Stored in many small pieces it takes more room than was thought.
    if (data === undefined && size < 1 << 24) data = this.#inflater.inflated(this.#windows.read(offset + at, size * 6 + 4096), size);
    return data === undefined ? undefined : { ...head, data };
  }
}

export interface Reading {
  /** The object's type, where that is known. */
  readonly likely?: ObjectType | undefined;
  /** What is read is good only until the next object is read. */
  readonly isBrief?: boolean;
}

interface EntryHead {
  readonly type: ObjectType | "ofs" | "ref";
  /** Of the object's data, or of the delta. */
  readonly size: number;
  /** Offset of an `ofs` delta's base. */
  readonly base: number;
  readonly baseId: string;
  /** Offset of the packed data. */
  readonly dataOffset: number;
}

interface PackEntry extends EntryHead {
  readonly data: Buffer;
}

/** Two sizes of up to ten bytes each begin a delta. */
const MOST_DELTA_HEADER = 20;

/** Most objects are shorter than this, packed. */
const FIRST_BYTES = 1024;
const MOST_STEP_BYTES = 1 << 18;

interface DeltaHeader {
  readonly baseBytes: number;
  readonly bytes: number;
  /** Offset of what follows. */
  readonly end: number;
}

/** Length of the text that a delta is applied to, and of the one that it makes. */
function deltaHeader(delta: Buffer): DeltaHeader {
  let end = 0;
  const size = (): number => {
    let value = 0;
    for (let scale = 1; scale < 2 ** 50; scale *= 128) {
      const byte = delta[end++] ?? 0;
      value += (byte & 0x7f) * scale;
      if ((byte & 0x80) === 0) return value;
    }
    return Infinity;
  };
  const baseBytes = size();
  const bytes = size();
  return { baseBytes, bytes, end };
}

/** Fewer bytes are copied one by one, which costs less than a call. */
const FEW_BYTES = 48;

/** Writes what `delta` (from `start` on) makes of `base` to `out`, which has the room; false where it is broken. */
function applyDelta(base: Buffer, delta: Buffer, start: number, out: Buffer): boolean {
  const { length } = out;
  let at = start;
  let used = 0;
  while (at < delta.length) {
    const code = delta[at++] as number;
    if ((code & 0x80) !== 0) {
      let from = 0;
      let count = 0;
      for (let bit = 0; bit < 4; bit++) if ((code & (1 << bit)) !== 0) from += (delta[at++] ?? 0) * 2 ** (8 * bit);
      for (let bit = 0; bit < 3; bit++) if ((code & (16 << bit)) !== 0) count += (delta[at++] ?? 0) * 2 ** (8 * bit);
      if (count === 0) count = 0x10000;
      if (from + count > base.length || used + count > length) return false;
      if (count > FEW_BYTES) base.copy(out, used, from, from + count);
      else for (let byte = 0; byte < count; byte++) out[used + byte] = base[from + byte] as number;
      used += count;
    } else {
      if (code === 0 || at + code > delta.length || used + code > length) return false;
      if (code > FEW_BYTES) delta.copy(out, used, at, at + code);
      else for (let byte = 0; byte < code; byte++) out[used + byte] = delta[at + byte] as number;
      at += code;
      used += code;
    }
  }
  return used === length;
}
