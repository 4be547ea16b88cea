/**
 * Conversion between bytes and text.
 *
 * Names and command lines travel as strings, file content travels as bytes. A byte that is not part of valid
 * UTF-8 becomes the lone surrogate U+DC00 + byte (as in Python's PEP 383), so every byte string survives the
 * round trip and every valid text is itself.
 */

const ESCAPED_BYTE = /[\uDC80-\uDCFF]/;

/** Bytes of `text`; lone surrogates U+DC80–U+DCFF become the single bytes 0x80–0xFF. */
export function toBytes(text: string): Buffer {
  if (!ESCAPED_BYTE.test(text) || text.isWellFormed()) return Buffer.from(text, "utf8");
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff && isLow(text.charCodeAt(at + 1))) {
      at++;
      continue;
    }
    if (unit < 0xdc80 || unit > 0xdcff) continue;
    if (at > from) parts.push(Buffer.from(text.slice(from, at), "utf8"));
    parts.push(Buffer.of(unit - 0xdc00));
    from = at + 1;
  }
  if (from < text.length) parts.push(Buffer.from(text.slice(from), "utf8"));
  return Buffer.concat(parts);
}

/** Length of `toBytes(text)`, computed without encoding it. */
export function byteLengthOf(text: string): number {
  const bytes = Buffer.byteLength(text);
  if (text.isWellFormed()) return bytes;
  let escaped = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff && isLow(text.charCodeAt(at + 1))) at++;
    else if (unit >= 0xdc80 && unit <= 0xdcff) escaped++;
  }
  // A lone surrogate is counted as U+FFFD, which has three.
  return bytes - 2 * escaped;
}

/** Text of `bytes`; each byte that is not valid UTF-8 becomes U+DC00 + byte. Inverse of `toBytes`. */
export function toText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString("utf8");
  if (!text.includes("\uFFFD")) return text;
  return decodeEscaping(buffer);
}

/**
 * The part of an unknown flag letter that getopt(3) names: it works on bytes, so for a letter past ASCII its first byte
 * alone.
 */
export const firstByteOf = (letter: string): string => toText(toBytes(letter).subarray(0, 1));

function decodeEscaping(bytes: Buffer): string {
  let text = "";
  let good = 0;
  let at = 0;
  while (at < bytes.length) {
    const width = sequenceLength(bytes, at);
    if (width > 0) {
      at += width;
      continue;
    }
    text += bytes.toString("utf8", good, at) + String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
    at++;
    good = at;
  }
  return text + bytes.toString("utf8", good);
}

/**
 * Length in bytes (1–4) of the valid UTF-8 sequence that starts at `at`, or 0 where there is none
 * (Unicode 15, table 3-7: overlong forms, surrogates and values past U+10FFFF are not valid).
 */
export function sequenceLength(bytes: Uint8Array, at: number): 0 | 1 | 2 | 3 | 4 {
  const lead = bytes[at] ?? 0xff;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  if (lead < 0xe0) return isContinuation(second) ? 2 : 0;
  const third = bytes[at + 2] ?? 0;
  if (lead < 0xf0) {
    const low = lead === 0xe0 ? 0xa0 : 0x80;
    const high = lead === 0xed ? 0x9f : 0xbf;
    return second >= low && second <= high && isContinuation(third) ? 3 : 0;
  }
  const low = lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high && isContinuation(third) && isContinuation(bytes[at + 3] ?? 0) ? 4 : 0;
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
