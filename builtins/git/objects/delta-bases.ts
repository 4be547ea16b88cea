/**
 * Cache of the objects that deltas of packs are applied to, in memory that is allocated once: a history makes hundreds of thousands of
 * them, and as garbage they would take more memory than the cache itself.
 *
 * Trees are apart from files: a history comes back to a directory after a hundred commits, and would begin its chain of deltas anew
 * because of the files in between.
 */
import type { ObjectType } from "./pack.ts";

const MOST_FILE_BYTES = 4 << 20;
const MOST_OTHER_BYTES = 12 << 20;
/** Offsets within a pack are below this, and so are the numbers of packs that are cached. */
const MOST_OFFSET = 2 ** 42;
const MOST_PACKS = 1024;

export interface Base {
  readonly type: ObjectType;
  /** Good until room is made for another (PackBases.room). */
  readonly data: Buffer;
}

interface Place {
  readonly type: ObjectType;
  readonly start: number;
  readonly end: number;
}

export class DeltaBases {
  readonly #files = new Generations(MOST_FILE_BYTES);
  readonly #others = new Generations(MOST_OTHER_BYTES);
  #packs = 0;

  /** The bases of one more pack. */
  ofPack(): PackBases {
    return new PackBases(this.#files, this.#others, this.#packs++);
  }
}

export class PackBases {
  readonly #files: Generations;
  readonly #others: Generations;
  readonly #pack: number;

  constructor(files: Generations, others: Generations, pack: number) {
    this.#files = files;
    this.#others = others;
    this.#pack = pack;
  }

  /** `likely`: its type, where that is known. */
  get(offset: number, likely: ObjectType | undefined): Base | undefined {
    const key = this.#pack * MOST_OFFSET + offset;
    if (likely === "blob") return this.#files.get(key);
    return this.#others.get(key) ?? (likely === undefined ? this.#files.get(key) : undefined);
  }

  /**
   * Room for the object at `offset`, which the caller fills; undefined if it is too large to be cached. `inUse` is not overwritten
   * meanwhile, and anything else that `get` has given may be.
   */
  room(offset: number, type: ObjectType, length: number, inUse: Buffer | undefined): Buffer | undefined {
    if (this.#pack >= MOST_PACKS || offset >= MOST_OFFSET) return undefined;
    return (type === "blob" ? this.#files : this.#others).room(this.#pack * MOST_OFFSET + offset, { type, length, inUse });
  }

  /** Forgets the object at `offset`, whose room was not filled. */
  forget(offset: number): void {
    this.#others.forget(this.#pack * MOST_OFFSET + offset);
    this.#files.forget(this.#pack * MOST_OFFSET + offset);
  }
}

/** Two halves of memory: when one is full, what is in the other is forgotten. */
class Generations {
  readonly #halfBytes: number;
  #young: Buffer;
  #old: Buffer;
  #youngPlaces = new Map<number, Place>();
  #oldPlaces = new Map<number, Place>();
  #used = 0;

  constructor(bytes: number) {
    this.#halfBytes = bytes >> 1;
    this.#young = NO_BYTES;
    this.#old = NO_BYTES;
  }

  get(key: number): Base | undefined {
    const young = this.#youngPlaces.get(key);
    if (young !== undefined) return { type: young.type, data: this.#young.subarray(young.start, young.end) };
    const old = this.#oldPlaces.get(key);
    return old && { type: old.type, data: this.#old.subarray(old.start, old.end) };
  }

  room(
    key: number,
    { type, length, inUse }: { readonly type: ObjectType; readonly length: number; readonly inUse: Buffer | undefined },
  ): Buffer | undefined {
    if (length > this.#halfBytes >> 2) return undefined;
    if (this.#used + length > this.#young.length) this.#grow(length, inUse);
    const start = this.#used;
    const end = start + length;
    this.#used = end;
    this.#youngPlaces.set(key, { type, start, end });
    return this.#young.subarray(start, end);
  }

  forget(key: number): void {
    this.#youngPlaces.delete(key);
    this.#oldPlaces.delete(key);
  }

  #grow(length: number, inUse: Buffer | undefined): void {
    if (this.#young.length < this.#halfBytes && this.#used + length <= this.#halfBytes) {
      // Most lines read little.
      const grown = Buffer.allocUnsafeSlow(Math.min(this.#halfBytes, Math.max(FIRST_BYTES, this.#young.length * 4, this.#used + length)));
      this.#young.copy(grown, 0, 0, this.#used);
      this.#young = grown;
      return;
    }
    const forgotten = this.#old;
    this.#old = this.#young;
    this.#oldPlaces = this.#youngPlaces;
    const isFree = forgotten.length === this.#halfBytes && inUse?.buffer !== forgotten.buffer;
    this.#young = isFree ? forgotten : Buffer.allocUnsafeSlow(this.#halfBytes);
    this.#youngPlaces = new Map();
    this.#used = 0;
  }
}

const FIRST_BYTES = 1 << 17;
const NO_BYTES = Buffer.alloc(0);
