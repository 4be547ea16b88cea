/**
 * Index of a text by fingerprints of its 16-byte blocks, in which git seeks what a delta may copy: Rabin's rolling hash, a polynomial
 * over GF(2) modulo one of degree 31. Blocks, buckets and what is left out of them are git's, for a delta's bytes follow from them.
 */

/** Length of a block in bytes, and of the window that is rolled over the other text. */
export const BLOCK_BYTES = 16;

/** The modulus that git uses, as the coefficients from x^31 down to 1. */
const POLYNOMIAL = 0xab59b4d1 | 0;

/** A bucket holds no more blocks: those that are left out are spread over it. */
const MOST_IN_BUCKET = 64;

/** Blocks that are hashed between two yields. */
const BLOCKS_AT_ONCE = 1 << 16;

/** The eight coefficients that a byte more pushes out at the top → what is added for them: their remainder, and the bit that a shift left over. */
const OVERFLOW = multiplesOf(timesX(1, 31) ^ (1 << 31));

/** The byte that leaves the window → its part of the fingerprint. */
const LEAVING = multiplesOf(timesX(1, 8 * (BLOCK_BYTES - 1)));

/** `value` times x^power, reduced. */
function timesX(value: number, power: number): number {
  let product = value;
  for (let step = 0; step < power; step++) {
    product <<= 1;
    if (product < 0) product ^= POLYNOMIAL;
  }
  return product;
}

/** `one`, which stands for a byte of 1, for each byte. Bit 31 of `one` is that of an odd byte alone. */
function multiplesOf(one: number): Int32Array {
  const table = new Int32Array(256);
  let power = one & 0x7fffffff;
  for (let bit = 1; bit < 256; bit <<= 1) {
    const given = bit === 1 ? one : power;
    for (let byte = 0; byte < bit; byte++) table[bit + byte] = given ^ (table[byte] as number);
    power = timesX(power, 1);
  }
  return table;
}

const pushed = (fingerprint: number, byte: number): number => ((fingerprint << 8) | byte) ^ (OVERFLOW[fingerprint >>> 23] as number);

/** The fingerprint of the `count` bytes before `end`; 16 of them fill the window. */
export function fingerprintBefore(bytes: Uint8Array, end: number, count: number): number {
  let fingerprint = 0;
  for (let at = end - count; at < end; at++) fingerprint = pushed(fingerprint, bytes[at] as number);
  return fingerprint;
}

/** The fingerprint of the window that ends with the byte at `at`, from that of the one before it. */
export const rolled = (fingerprint: number, bytes: Uint8Array, at: number): number =>
  pushed(fingerprint ^ (LEAVING[bytes[at - BLOCK_BYTES] as number] as number), bytes[at] as number);

export interface BlockIndex {
  /** Fingerprint & mask: the bucket. */
  readonly mask: number;
  /** Where each bucket begins in `places`, and where the last ends. */
  readonly starts: Uint32Array;
  /** Offset of each block's last byte; rising in a bucket. */
  readonly places: Uint32Array;
  /** Its fingerprint. */
  readonly fingerprints: Int32Array;
}

/** Indexes `bytes`, which are not empty: the blocks after the first byte. Takes some 12 bytes for each; yields now and then. */
export function* blockIndex(bytes: Uint8Array): Generator<void, BlockIndex> {
  const count = Math.floor((bytes.length - 1) / BLOCK_BYTES);
  let buckets = 16;
  while (buckets < Math.floor(count / 4)) buckets *= 2;
  const mask = buckets - 1;
  const found = new Int32Array(count);
  const sizes = new Uint32Array(buckets);
  for (let from = 0; from < count; from += BLOCKS_AT_ONCE) {
    const to = Math.min(count, from + BLOCKS_AT_ONCE);
    for (let block = from; block < to; block++) {
      const fingerprint = fingerprintBefore(bytes, (block + 1) * BLOCK_BYTES + 1, BLOCK_BYTES);
      found[block] = fingerprint;
      if (isFirstOfRun(found, block)) (sizes[fingerprint & mask] as number)++;
    }
    yield;
  }
  const starts = new Uint32Array(buckets + 1);
  for (let bucket = 0; bucket < buckets; bucket++)
    starts[bucket + 1] = (starts[bucket] as number) + Math.min(MOST_IN_BUCKET, sizes[bucket] as number);
  const kept = starts[buckets] as number;
  const places = new Uint32Array(kept);
  const fingerprints = new Int32Array(kept);
  const next = starts.slice(0, buckets);
  /** Of a bucket that is too large: 64 for each block that is still to be left out, before another one is kept. */
  const owed = new Int32Array(buckets);
  for (let from = 0; from < count; from += BLOCKS_AT_ONCE) {
    const to = Math.min(count, from + BLOCKS_AT_ONCE);
    for (let block = from; block < to; block++) {
      if (!isFirstOfRun(found, block)) continue;
      const fingerprint = found[block] as number;
      const bucket = fingerprint & mask;
      const surplus = (sizes[bucket] as number) - MOST_IN_BUCKET;
      if (surplus > 0) {
        const debt = owed[bucket] as number;
        if (debt > 0) {
          owed[bucket] = debt - MOST_IN_BUCKET;
          continue;
        }
        owed[bucket] = debt + surplus;
      }
      const at = next[bucket] as number;
      next[bucket] = at + 1;
      places[at] = (block + 1) * BLOCK_BYTES;
      fingerprints[at] = fingerprint;
    }
    yield;
  }
  return { mask, starts, places, fingerprints };
}

/** Of blocks that are alike and follow each other the first is enough. */
const isFirstOfRun = (found: Int32Array, block: number): boolean => block === 0 || found[block] !== found[block - 1];
