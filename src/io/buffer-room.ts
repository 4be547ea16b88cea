/** Growth of a buffer that a reader fills from its front. */

/** `buffer`, or a larger copy of its first `filled` bytes, with room for `bytes` more and one that stays free. */
export function withRoom(buffer: Buffer, filled: number, bytes: number): Buffer {
  const needed = filled + bytes + 1;
  if (needed <= buffer.length) return buffer;
  const grown = Buffer.allocUnsafe(Math.max(needed, buffer.length * 2));
  buffer.copy(grown, 0, 0, filled);
  return grown;
}
