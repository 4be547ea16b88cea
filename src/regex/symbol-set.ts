/**
 * Sets of symbols. A symbol is what a regular expression steps over: a character (its code point), or one byte that is
 * not part of valid UTF-8. Such bytes are numbered after the last code point, so that no character class holds them:
 * `.` and `[^a]` match characters only, as in the GNU tools.
 */

/** A set as sorted, disjoint, non-adjacent closed ranges: [first, last, first, last, …]. */
export type SymbolSet = readonly number[];

/** Number of the stray byte 0x80 as a symbol; 0x81 is the next, up to 0xFF. */
export const FIRST_STRAY_BYTE = 0x110000;
/** One more than the last symbol. */
export const SYMBOL_COUNT = FIRST_STRAY_BYTE + 0x80;

export const EMPTY_SET: SymbolSet = [];
/** Every character and no stray byte. Surrogates are no characters. */
export const ALL_CHARACTERS: SymbolSet = [0, 0xd7ff, 0xe000, 0x10ffff];

export const oneSymbol = (symbol: number): SymbolSet => [symbol, symbol];

/** The set of ranges given in any order, overlapping or not. */
export function setOfRanges(ranges: readonly (readonly [number, number])[]): SymbolSet {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const out: number[] = [];
  for (const [first, last] of sorted) {
    const end = out.length - 1;
    if (end >= 0 && first <= (out[end] as number) + 1) out[end] = Math.max(out[end] as number, last);
    else out.push(first, last);
  }
  return out;
}

export function unionOf(sets: readonly SymbolSet[]): SymbolSet {
  if (sets.length === 1) return sets[0] as SymbolSet;
  return setOfRanges(sets.flatMap(rangesOf));
}

/** `a` without what is in `b`. */
export function minus(a: SymbolSet, b: SymbolSet): SymbolSet {
  const out: number[] = [];
  let j = 0;
  for (const [first, last] of rangesOf(a)) {
    let from = first;
    while (j < b.length && (b[j + 1] as number) < from) j += 2;
    let k = j;
    while (k < b.length && (b[k] as number) <= last) {
      if ((b[k] as number) > from) out.push(from, (b[k] as number) - 1);
      from = (b[k + 1] as number) + 1;
      k += 2;
    }
    if (from <= last) out.push(from, last);
  }
  return out;
}

/** Every character that is not in `set`. */
export const complement = (set: SymbolSet): SymbolSet => minus(ALL_CHARACTERS, set);

export function holds(set: SymbolSet, symbol: number): boolean {
  let low = 0;
  let high = set.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (symbol < (set[middle * 2] as number)) high = middle;
    else if (symbol > (set[middle * 2 + 1] as number)) low = middle + 1;
    else return true;
  }
  return false;
}

export function rangesOf(set: SymbolSet): [number, number][] {
  const ranges: [number, number][] = [];
  for (let at = 0; at < set.length; at += 2) ranges.push([set[at] as number, set[at + 1] as number]);
  return ranges;
}

/** Number of symbols in `set`. */
export function sizeOf(set: SymbolSet): number {
  let size = 0;
  for (let at = 0; at < set.length; at += 2) size += (set[at + 1] as number) - (set[at] as number) + 1;
  return size;
}

/** The symbols of a small set, one by one. */
export function membersOf(set: SymbolSet): number[] {
  const members: number[] = [];
  for (const [first, last] of rangesOf(set)) for (let symbol = first; symbol <= last; symbol++) members.push(symbol);
  return members;
}
