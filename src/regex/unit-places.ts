/** The bytes at which the units of a text (UTF-16 code units, or symbols) begin; in ASCII text each unit is one byte. */
import { packedSymbolAt } from "./utf8-step.ts";
import { FIRST_STRAY_BYTE } from "./symbol-set.ts";

export class UnitPlaces {
  /** Unit → its first byte, and the length behind the last. The second half of a surrogate pair has the place of the first. */
  readonly #places: Uint32Array | undefined;
  readonly length: number;

  constructor(places: Uint32Array | undefined, byteCount: number) {
    this.#places = places;
    this.length = places === undefined ? byteCount : places.length - 1;
  }

  byteOf(unit: number): number {
    return this.#places === undefined ? unit : (this.#places[unit] as number);
  }

  /** The first unit that begins at or after `byte`. */
  atOrAfter(byte: number): number {
    const places = this.#places;
    if (places === undefined) return byte;
    let [low, high] = [0, places.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] as number) < byte) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The character that begins before `unit`. */
  before(unit: number): number {
    const last = unit - 1;
    return last > 0 && this.byteOf(last - 1) === this.byteOf(last) ? last - 1 : last;
  }
}

export interface Symbols {
  readonly symbols: Uint32Array;
  readonly places: UnitPlaces;
}

export function symbolsIn(bytes: Buffer): Symbols {
  const symbols = new Uint32Array(bytes.length);
  const places = new Uint32Array(bytes.length + 1);
  let count = 0;
  for (let at = 0; at < bytes.length; count++) {
    const packed = packedSymbolAt(bytes, at, bytes.length);
    symbols[count] = packed >> 3;
    places[count] = at;
    at += packed & 7;
  }
  places[count] = bytes.length;
  return { symbols: symbols.subarray(0, count), places: new UnitPlaces(places.subarray(0, count + 1), bytes.length) };
}

/** Places of the UTF-16 units of `toText(bytes)`. */
export function textPlaces(bytes: Buffer): UnitPlaces {
  const places = new Uint32Array(bytes.length + 1);
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    const packed = packedSymbolAt(bytes, at, bytes.length);
    const symbol = packed >> 3;
    places[count++] = at;
    if (symbol > 0xffff && symbol < FIRST_STRAY_BYTE) places[count++] = at;
    at += packed & 7;
  }
  places[count] = bytes.length;
  return new UnitPlaces(places.subarray(0, count + 1), bytes.length);
}
