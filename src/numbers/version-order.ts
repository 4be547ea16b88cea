/**
 * gnulib's filevercmp() (2022, as in coreutils 9.1): names in the order of the version numbers in them, for `ls -v`
 * and `sort -V`. Works on bytes, so that a key inside a line needs no copy.
 */

/**
 * Less than, equal to or greater than 0 as `a[aFrom, aTo)` stands before, with or after `b[bFrom, bTo)`. Different
 * names may be equal (`a0` and `a00`): the tools then compare bytes.
 */
export function compareVersions(a: Uint8Array, aFrom: number, aTo: number, b: Uint8Array, bFrom: number, bTo: number): number {
  if (aFrom === aTo || bFrom === bTo) return Number(aFrom !== aTo) - Number(bFrom !== bTo);
  const byDots = leadingDots(a, aFrom, aTo) - leadingDots(b, bFrom, bTo);
  if (byDots !== 0) return byDots;
  const aEnd = prefixEnd(a, aFrom, aTo);
  const bEnd = prefixEnd(b, bFrom, bTo);
  const result = compareParts(a, aFrom, aEnd, b, bFrom, bEnd);
  if (result !== 0 || (aEnd === aTo && bEnd === bTo)) return result;
  return compareParts(a, aFrom, aTo, b, bFrom, bTo);
}

const DOT = 46;
const TILDE = 126;
const ZERO = 48;

/** `.` is first, then `..`, then other names with a leading dot, then the rest. */
function leadingDots(name: Uint8Array, from: number, to: number): 0 | 1 | 2 | 3 {
  if (name[from] !== DOT) return 3;
  if (to - from === 1) return 0;
  return name[from + 1] === DOT && to - from === 2 ? 1 : 2;
}

/** Returns the place at which the suffix `(\.[A-Za-z~][A-Za-z0-9~]*)*$` begins. */
function prefixEnd(name: Uint8Array, from: number, to: number): number {
  for (let at = from; ; at++) {
    const end = at;
    while (at + 1 < to && name[at] === DOT && (isAlpha(name[at + 1] as number) || name[at + 1] === TILDE)) {
      at += 2;
      while (at < to && (isAlpha(name[at] as number) || isDigit(name[at] as number) || name[at] === TILDE)) at++;
    }
    if (at >= to) return end;
  }
}

/** Stretches of other characters and of digits by turns: digits by their value, others by `weight`. */
function compareParts(a: Uint8Array, aFrom: number, aTo: number, b: Uint8Array, bFrom: number, bTo: number): number {
  let i = aFrom;
  let j = bFrom;
  while (i < aTo || j < bTo) {
    while ((i < aTo && !isDigit(a[i] as number)) || (j < bTo && !isDigit(b[j] as number))) {
      const difference = weight(a, i, aTo) - weight(b, j, bTo);
      if (difference !== 0) return difference;
      i++;
      j++;
    }
    while (i < aTo && a[i] === ZERO) i++;
    while (j < bTo && b[j] === ZERO) j++;
    let difference = 0;
    while (i < aTo && j < bTo && isDigit(a[i] as number) && isDigit(b[j] as number)) {
      if (difference === 0) difference = (a[i] as number) - (b[j] as number);
      i++;
      j++;
    }
    if (i < aTo && isDigit(a[i] as number)) return 1;
    if (j < bTo && isDigit(b[j] as number)) return -1;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** `~` sorts before the end, the end before digits, digits before letters, letters before the rest. */
function weight(name: Uint8Array, at: number, to: number): number {
  if (at === to) return -1;
  const byte = name[at] as number;
  if (isDigit(byte)) return 0;
  if (isAlpha(byte)) return byte;
  return byte === TILDE ? -2 : byte + 256;
}

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
const isAlpha = (byte: number): boolean => (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);
