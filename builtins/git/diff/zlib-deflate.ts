/**
 * zlib's own deflate, whose bytes a binary patch shows: Node's zlib is Chromium's, which finds other matches. Loaded only where such a
 * patch is printed.
 */
import { Deflate } from "pako";

/** zlib's window, which is filled in one go and then by halves: pieces that end where it is full give the same bytes as all in one. */
const PIECE_BYTES = 1 << 16;

/** `bytes` as a zlib stream of compression level -1 to 9. Yields now and then. */
export function* deflated(bytes: Uint8Array, level: number): Generator<void, Buffer> {
  // What is not compressed is cut where input or output ends: git gives all at once, and room for it.
  const isStored = level === 0;
  const room = bytes.length + (bytes.length >>> 12) + 64;
  const stream = new Deflate({ level, legacyHash: true, ...(isStored ? { chunkSize: room } : {}) });
  const piece = isStored ? Math.max(1, bytes.length) : PIECE_BYTES;
  let at = 0;
  for (; at + piece < bytes.length; at += piece) {
    stream.push(bytes.subarray(at, at + piece), false);
    yield;
  }
  stream.push(bytes.subarray(at), true);
  if (stream.err !== 0) throw new Error(`deflate: ${stream.msg}`);
  const { result } = stream;
  return Buffer.from(result.buffer, result.byteOffset, result.length);
}
