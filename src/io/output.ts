/**
 * Gathers the small writes of a stage into blocks, so that a stage yields once per 64 KiB and not once per line.
 *
 *     const output = new BlockBuilder();
 *     for (…) { output.add(line); if (output.full) yield output.take(); }
 *     if (!output.empty) yield output.take();
 *
 * What a stage writes to standard error appears where the real tool would print it only if the stage first yields
 * what it has gathered (glibc's error(3) flushes standard output before it prints).
 */
export class BlockBuilder {
  readonly #capacity: number;
  #block: Buffer;
  #used = 0;

  constructor(capacity = BLOCK_BYTES) {
    this.#capacity = capacity;
    this.#block = Buffer.allocUnsafe(capacity);
  }

  /** True once a block's worth is held: time to yield `take()`. */
  get full(): boolean {
    return this.#used >= this.#capacity;
  }

  get empty(): boolean {
    return this.#used === 0;
  }

  /** Appends bytes, `from` inclusive to `to` exclusive. */
  add(bytes: Uint8Array, from = 0, to = bytes.length): void {
    const count = to - from;
    this.#reserve(count);
    if (count < 48) {
      for (let at = from, into = this.#used; at < to; at++, into++) this.#block[into] = bytes[at] as number;
    } else {
      this.#block.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to), this.#used);
    }
    this.#used += count;
  }

  addByte(byte: number): void {
    this.#reserve(1);
    this.#block[this.#used++] = byte;
  }

  /** Appends text as UTF-8. The text must be well-formed; for names use `add(toBytes(name))`. */
  addText(text: string): void {
    this.#reserve(text.length * 3);
    this.#used += this.#block.write(text, this.#used, "utf8");
  }

  /** Appends text whose every unit is one byte (0–255). */
  addLatin1(text: string): void {
    const { length } = text;
    this.#reserve(length);
    if (length >= 32) {
      this.#used += this.#block.write(text, this.#used, "latin1");
      return;
    }
    // A call out of JavaScript costs more than a few steps here.
    for (let at = 0; at < length; at++) this.#block[this.#used++] = text.charCodeAt(at);
  }

  /** The bytes gathered so far; the builder is empty afterwards. */
  take(): Uint8Array {
    const block = this.#block.subarray(0, this.#used);
    this.#block = Buffer.allocUnsafe(this.#capacity);
    this.#used = 0;
    return block;
  }

  #reserve(more: number): void {
    if (this.#used + more <= this.#block.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#block.length * 2, this.#used + more));
    grown.set(this.#block.subarray(0, this.#used));
    this.#block = grown;
  }
}

/** The usual size of a block between stages, in bytes. */
export const BLOCK_BYTES = 64 * 1024;
