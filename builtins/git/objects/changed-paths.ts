/**
 * Filters of the paths that each commit changed against its first parent (gitformat-commit-graph(5), BIDX and BDAT): Bloom filters
 * over the paths and their directories. What a filter has not was not changed; what it has may have been.
 */

/** Values that a path is looked up by, the same in every filter. */
export interface PathKey {
  readonly first: number;
  readonly second: number;
}

/** One commit's filter: bits in the bytes from `from` to `to`, asked `hashes` times. */
export interface PathFilter {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  readonly hashes: number;
}

const SEEDS = [0x293ae76f, 0x7e646e2c] as const;

/** Keys of a path and of each of its directories; undefined where git's own hash depends on the machine: bytes past ASCII. */
export function pathKeys(path: string): readonly PathKey[] | undefined {
  if (!/^[\x00-\x7f]+$/.test(path)) return undefined;
  const keys: PathKey[] = [];
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const bytes = Buffer.from(path.slice(0, end), "latin1");
    keys.push({ first: murmur3(bytes, SEEDS[0]), second: murmur3(bytes, SEEDS[1]) });
  }
  return keys;
}

/** False if the path of `keys` was not changed for certain. */
export function mayHold({ bytes, from, to, hashes }: PathFilter, keys: readonly PathKey[]): boolean {
  const bits = (to - from) * 8;
  return keys.every(({ first, second }) => {
    for (let time = 0; time < hashes; time++) {
      const bit = ((first + Math.imul(time, second)) >>> 0) % bits;
      if (((bytes[from + (bit >>> 3)] as number) & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  });
}

/** MurmurHash3, 32 bits. */
function murmur3(bytes: Buffer, seed: number): number {
  const mixed = (word: number): number => Math.imul(rotated(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
  let hash = seed;
  const whole = bytes.length & ~3;
  for (let at = 0; at < whole; at += 4) hash = (Math.imul(rotated(hash ^ mixed(bytes.readUInt32LE(at)), 13), 5) + 0xe6546b64) | 0;
  let tail = 0;
  for (let at = bytes.length - 1; at >= whole; at--) tail = (tail << 8) | (bytes[at] as number);
  if (bytes.length > whole) hash ^= mixed(tail);
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by));
