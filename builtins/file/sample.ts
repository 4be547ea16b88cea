/** The first bytes of a file, as the tables of magic numbers look at them. */

/** A kind of file: libmagic's words and the MIME type. */
export interface Kind {
  readonly description: string;
  readonly mime: string;
}

export const kind = (description: string, mime = "application/octet-stream"): Kind => ({ description, mime });

/** Fills a buffer from a place in the file; says how many bytes there were. */
export type ReadAt = (into: Uint8Array, position: number) => number;

const PAGE_BYTES = 65_536;

/** Reads past the end give zeros and shorter texts. */
export class Sample {
  /** The beginning of the file. */
  readonly bytes: Buffer;
  /** The size of the whole file; for a pipe of what was read. */
  readonly size: number;
  readonly #readAt: ReadAt | undefined;
  #page: { readonly from: number; readonly bytes: Buffer } | undefined;
  #latin1: string | undefined;

  /** `readAt` reads what is behind `bytes`. */
  constructor(bytes: Buffer, size: number, readAt?: ReadAt) {
    this.bytes = bytes;
    this.size = size;
    this.#readAt = readAt;
  }

  /** False for a pipe, and for a part of a file. */
  get isSeekable(): boolean {
    return this.#readAt !== undefined;
  }

  byte(at: number): number {
    return this.bytes[at] ?? (at < this.size ? this.#byteBehind(at) : 0);
  }

  #byteBehind(at: number): number {
    if (this.#readAt === undefined || !(at >= 0)) return 0;
    const from = at - (at % PAGE_BYTES);
    if (this.#page?.from !== from) {
      const page = Buffer.alloc(PAGE_BYTES);
      this.#page = { from, bytes: page.subarray(0, this.#readAt(page, from)) };
    }
    return this.#page.bytes[at - from] ?? 0;
  }

  uint16(at: number, endian: Endian): number {
    return endian === "little" ? this.byte(at) | (this.byte(at + 1) << 8) : (this.byte(at) << 8) | this.byte(at + 1);
  }

  uint32(at: number, endian: Endian): number {
    const [low, high] = endian === "little" ? [at, at + 2] : [at + 2, at];
    return this.uint16(low, endian) + this.uint16(high, endian) * 0x10000;
  }

  /** One character per byte. */
  text(at: number, length: number): string {
    const end = Math.min(this.size, at + length);
    if (end <= this.bytes.length || this.#readAt === undefined)
      return this.bytes.toString("latin1", Math.min(at, this.bytes.length), Math.min(end, this.bytes.length));
    let text = "";
    for (let next = at; next < end; next++) text += String.fromCharCode(this.byte(next));
    return text;
  }

  /** Whether `expected` (one character per byte) stands at `at`. */
  has(expected: string, at = 0): boolean {
    return this.text(at, expected.length) === expected;
  }

  /** What begins at `at`. */
  from(at: number): Sample {
    return new Sample(this.bytes.subarray(at), Math.max(0, this.size - at));
  }

  /** The first 8 KiB, where libmagic looks for words. */
  get beginning(): string {
    this.#latin1 ??= this.text(0, 8192);
    return this.#latin1;
  }
}

export type Endian = "little" | "big";
