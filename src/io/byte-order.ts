/**
 * Comparison of byte strings in the order of the locale C.UTF-8: strcoll(3) is byte order there, which is that of code
 * points.
 */

/** Below 0, 0 or above 0, as `a[aFrom..aTo)` stands to `b[bFrom..bTo)`. */
export function compareBytes(a: Buffer, aFrom: number, aTo: number, b: Buffer, bFrom: number, bTo: number): number {
  const near = Math.min(aTo - aFrom, bTo - bFrom, NEAR_BYTES);
  for (let at = 0; at < near; at++) {
    const difference = (a[aFrom + at] as number) - (b[bFrom + at] as number);
    if (difference !== 0) return difference;
  }
  if (near < NEAR_BYTES) return aTo - aFrom - (bTo - bFrom);
  return a.compare(b, bFrom + near, bTo, aFrom + near, aTo);
}

/** Length up to which the loop is faster than a call of memcmp, in bytes. */
const NEAR_BYTES = 64;

/** As compareBytes, four bytes at a time: for lines that are compared to many others, whose blocks' views are at hand. */
export function compareWords(a: DataView, aFrom: number, aTo: number, b: DataView, bFrom: number, bTo: number): number {
  const shared = Math.min(aTo - aFrom, bTo - bFrom);
  let at = 0;
  for (; at + 4 <= shared; at += 4) {
    const one = a.getInt32(aFrom + at);
    const other = b.getInt32(bFrom + at);
    if (one !== other) return one >>> 0 < other >>> 0 ? -1 : 1;
  }
  for (; at < shared; at++) {
    const difference = a.getUint8(aFrom + at) - b.getUint8(bFrom + at);
    if (difference !== 0) return difference;
  }
  return aTo - aFrom - (bTo - bFrom);
}
