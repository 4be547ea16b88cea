/** Recognizes data that is no text to read, and names its kind: "PNG image", "binary data". */
import { isUtf8 } from "node:buffer";

/** First bytes of files of each kind. Sources: the formats' own specifications, as file(1) has them. */
const BEGINNINGS: readonly (readonly [bytes: string, kind: string])[] = [
  ["\x89PNG\r\n\x1a\n", "PNG image"],
  ["\xff\xd8\xff", "JPEG image"],
  ["GIF87a", "GIF image"],
  ["GIF89a", "GIF image"],
  ["RIFF", "RIFF data (WebP, WAV or AVI)"],
  ["%PDF-", "PDF document"],
  ["PK\x03\x04", "zip archive"],
  ["\x1f\x8b", "gzip data"],
  ["(\xb5/\xfd", "zstd data"],
  ["\xfd7zXZ\x00", "xz data"],
  ["BZh", "bzip2 data"],
  ["\x7fELF", "ELF program"],
  ["\x00asm", "WebAssembly module"],
  ["SQLite format 3\x00", "SQLite database"],
  ["\xca\xfe\xba\xbe", "Java class or Mach-O file"],
];

/**
 * Bytes that are examined; the share of odd bytes, and the number of them, from which the data is not text. A few odd bytes
 * are allowed in text.
 */
const SAMPLE_BYTES = 8192;
const MOST_ODD_SHARE = 0.3;
const FEWEST_ODD = 8;

/** "PNG image", "binary data"; undefined for text, also with NUL between its parts (find -print0). */
export function binaryKind(bytes: Uint8Array): string | undefined {
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SAMPLE_BYTES));
  let odd = 0;
  let nul = 0;
  for (const byte of sample) {
    if (byte === 0) nul++;
    else if (byte < 32 ? byte !== 9 && byte !== 10 && byte !== 13 && byte !== 27 && byte !== 12 : byte === 127) odd++;
  }
  // The last character of the sample may be cut, which is no more than three bytes.
  if (!isUtf8(sample) && !isUtf8(sample.subarray(0, -1)) && !isUtf8(sample.subarray(0, -2)) && !isUtf8(sample.subarray(0, -3))) {
    odd += invalidBytes(sample);
  }
  if (nul > sample.length / 4) odd += nul;
  if (odd < FEWEST_ODD) return undefined;
  const start = sample.toString("latin1", 0, 16);
  const known = BEGINNINGS.find(([beginning]) => start.startsWith(beginning))?.[1];
  return known ?? (odd < (sample.length - nul) * MOST_ODD_SHARE ? undefined : "binary data");
}

function invalidBytes(sample: Buffer): number {
  let count = 0;
  for (const character of sample.toString("utf8")) if (character === "\uFFFD") count++;
  return count;
}
