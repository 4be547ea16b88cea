/** BLAKE2b (RFC 7693) for lengths below 512 bits, which node:crypto does not offer; 64-bit words as pairs of 32 bits. */
import type { Digest } from "./algorithm.ts";

const BLOCK_BYTES = 128;

/** Low and high half of each word, as everywhere here. */
// prettier-ignore
const INITIAL = [
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a, 0xade682d1, 0x510e527f, 0x2b3e6c1f,
  0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
];

/** Which word of the block goes where, round by round; rounds 10 and 11 are 0 and 1 again. */
const SCHEDULE = [
  "0123456789abcdef",
  "ea489fd61c02b753",
  "b8c052fdae367194",
  "7931dcbe265a40f8",
  "905724afe1bc683d",
  "2c6a0b834d75fe19",
  "c51fed4a0763928b",
  "db7ec13950f4862a",
  "6fe9b308c2d714a5",
  "a2847615fb9e3cd0",
].map((row) => [...row].map((digit) => Number.parseInt(digit, 16)));

/** The four words that each of the eight mixing steps of a round takes: columns, then diagonals. */
const STEPS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

export class Blake2b implements Digest {
  readonly #digestBytes: number;
  readonly #state = Uint32Array.from(INITIAL);
  readonly #work = new Uint32Array(32);
  readonly #words = new Uint32Array(32);
  readonly #block = new Uint8Array(BLOCK_BYTES);
  #filled = 0;
  #bytes = 0;

  constructor(digestBytes: number) {
    this.#digestBytes = digestBytes;
    this.#state[0] = (this.#state[0] as number) ^ (0x01010000 | digestBytes);
  }

  update(block: Uint8Array): void {
    for (let at = 0; at < block.length; ) {
      // The last block is compressed at the end, so a full one waits until more comes.
      if (this.#filled === BLOCK_BYTES) {
        this.#bytes += BLOCK_BYTES;
        this.#compress(false);
        this.#filled = 0;
      }
      const count = Math.min(BLOCK_BYTES - this.#filled, block.length - at);
      this.#block.set(block.subarray(at, at + count), this.#filled);
      this.#filled += count;
      at += count;
    }
  }

  hex(): string {
    this.#bytes += this.#filled;
    this.#block.fill(0, this.#filled);
    this.#compress(true);
    const digest = Buffer.alloc(64);
    for (const [at, half] of this.#state.entries()) digest.writeUInt32LE(half, at * 4);
    return digest.toString("hex", 0, this.#digestBytes);
  }

  #compress(isLast: boolean): void {
    const v = this.#work;
    const m = this.#words;
    const view = new DataView(this.#block.buffer);
    for (let at = 0; at < 32; at++) m[at] = view.getUint32(at * 4, true);
    v.set(this.#state);
    v.set(INITIAL, 16);
    v[24] = (v[24] as number) ^ (this.#bytes % 2 ** 32);
    v[25] = (v[25] as number) ^ Math.floor(this.#bytes / 2 ** 32);
    if (isLast) {
      v[28] = ~(v[28] as number);
      v[29] = ~(v[29] as number);
    }
    for (let round = 0; round < 12; round++) {
      const order = SCHEDULE[round % 10] as number[];
      for (let step = 0; step < 8; step++) {
        const [a, b, c, d] = STEPS[step] as (typeof STEPS)[number];
        mix(v, a * 2, b * 2, c * 2, d * 2, m, (order[step * 2] as number) * 2, (order[step * 2 + 1] as number) * 2);
      }
    }
    for (let at = 0; at < 16; at++) this.#state[at] = (this.#state[at] as number) ^ (v[at] as number) ^ (v[at + 16] as number);
  }
}

function mix(v: Uint32Array, a: number, b: number, c: number, d: number, m: Uint32Array, x: number, y: number): void {
  add(v, a, v[b] as number, v[b + 1] as number);
  add(v, a, m[x] as number, m[x + 1] as number);
  turn(v, d, a, 32);
  add(v, c, v[d] as number, v[d + 1] as number);
  turn(v, b, c, 24);
  add(v, a, v[b] as number, v[b + 1] as number);
  add(v, a, m[y] as number, m[y + 1] as number);
  turn(v, d, a, 16);
  add(v, c, v[d] as number, v[d + 1] as number);
  turn(v, b, c, 63);
}

function add(v: Uint32Array, into: number, low: number, high: number): void {
  const sum = (v[into] as number) + low;
  v[into] = sum;
  v[into + 1] = (v[into + 1] as number) + high + (sum > 0xffffffff ? 1 : 0);
}

/** v[into] ^= v[from], turned right by `bits`. */
function turn(v: Uint32Array, into: number, from: number, bits: 16 | 24 | 32 | 63): void {
  const low = (v[into] as number) ^ (v[from] as number);
  const high = (v[into + 1] as number) ^ (v[from + 1] as number);
  if (bits === 32) {
    v[into] = high;
    v[into + 1] = low;
  } else if (bits === 63) {
    v[into] = (low << 1) | (high >>> 31);
    v[into + 1] = (high << 1) | (low >>> 31);
  } else {
    v[into] = (low >>> bits) | (high << (32 - bits));
    v[into + 1] = (high >>> bits) | (low << (32 - bits));
  }
}
