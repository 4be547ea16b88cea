/** The algorithms behind md5sum and its kin, cksum and sum: fed block by block. */
import { createHash } from "node:crypto";
import { Blake2b } from "./blake2b.ts";

/** A running digest. */
export interface Digest {
  update(block: Uint8Array): void;
  /** In lower-case hexadecimal digits. */
  hex(): string;
}

export interface HashAlgorithm {
  /** What a tagged line calls it: "MD5". */
  readonly tag: string;
  /** The length of its value in bits; the longest where it may vary. */
  readonly bits: number;
  readonly varies: boolean;
  start(bits: number): Digest;
}

export const openssl = (tag: string, bits: number, name: string): HashAlgorithm => ({
  tag,
  bits,
  varies: false,
  start: () => hashed(name),
});

function hashed(name: string): Digest {
  const hash = createHash(name);
  return { update: (block) => void hash.update(block), hex: () => hash.digest("hex") };
}

export const HASHES = {
  md5: openssl("MD5", 128, "md5"),
  sha1: openssl("SHA1", 160, "sha1"),
  sha224: openssl("SHA224", 224, "sha224"),
  sha256: openssl("SHA256", 256, "sha256"),
  sha384: openssl("SHA384", 384, "sha384"),
  sha512: openssl("SHA512", 512, "sha512"),
  blake2b: {
    tag: "BLAKE2b",
    bits: 512,
    varies: true,
    start: (bits: number): Digest => (bits === 512 ? hashed("blake2b512") : new Blake2b(bits / 8)),
  },
  sm3: openssl("SM3", 256, "sm3"),
} as const satisfies Readonly<Record<string, HashAlgorithm>>;

/** A checksum that is a number, with the size beside it. */
export interface Sum {
  update(block: Uint8Array): void;
  readonly bytes: number;
  value(): number;
}

/** POSIX cksum: CRC-32 with the polynomial 0x04c11db7, the length appended. */
export class CrcSum implements Sum {
  #crc = 0;
  bytes = 0;

  update(block: Uint8Array): void {
    let crc = this.#crc;
    const [t0, t1, t2, t3] = CRC_TABLES as [Int32Array, Int32Array, Int32Array, Int32Array];
    const whole = block.length & ~3;
    let at = 0;
    for (; at < whole; at += 4) {
      crc ^=
        ((block[at] as number) << 24) | ((block[at + 1] as number) << 16) | ((block[at + 2] as number) << 8) | (block[at + 3] as number);
      crc =
        (t3[crc >>> 24] as number) ^ (t2[(crc >>> 16) & 0xff] as number) ^ (t1[(crc >>> 8) & 0xff] as number) ^ (t0[crc & 0xff] as number);
    }
    for (; at < block.length; at++) crc = (crc << 8) ^ (t0[(crc >>> 24) ^ (block[at] as number)] as number);
    this.#crc = crc;
    this.bytes += block.length;
  }

  value(): number {
    let crc = this.#crc;
    const [t0] = CRC_TABLES as [Int32Array];
    for (let left = this.bytes; left > 0; left = Math.floor(left / 256)) crc = (crc << 8) ^ (t0[(crc >>> 24) ^ (left % 256)] as number);
    return ~crc >>> 0;
  }
}

/** Table k gives what a byte does that stands k bytes before the end of a group of four. */
const CRC_TABLES: readonly Int32Array[] = crcTables();

function crcTables(): Int32Array[] {
  const first = new Int32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
    first[byte] = crc;
  }
  const tables = [first];
  for (let k = 1; k < 4; k++) {
    const before = tables[k - 1] as Int32Array;
    tables.push(before.map((crc) => (crc << 8) ^ (first[crc >>> 24] as number)));
  }
  return tables;
}

/** sum -r: 16 bits, turned right by one before each byte. */
export class BsdSum implements Sum {
  #sum = 0;
  bytes = 0;

  update(block: Uint8Array): void {
    let sum = this.#sum;
    for (const byte of block) sum = (((sum >> 1) | ((sum & 1) << 15)) + byte) & 0xffff;
    this.#sum = sum;
    this.bytes += block.length;
  }

  value(): number {
    return this.#sum;
  }
}

/** sum -s: all bytes added up, folded to 16 bits. */
export class SystemVSum implements Sum {
  #sum = 0;
  bytes = 0;

  update(block: Uint8Array): void {
    let sum = 0;
    for (const byte of block) sum += byte;
    this.#sum = (this.#sum + sum) % 2 ** 32;
    this.bytes += block.length;
  }

  value(): number {
    const folded = (this.#sum & 0xffff) + (this.#sum >>> 16);
    return (folded & 0xffff) + (folded >>> 16);
  }
}
