/** The end of a stream of which only the start is kept. */

/** More than an answer shows. */
const MOST_LAST_BYTES = 128 * 1024;

export class LastBytes {
  #blocks: Uint8Array[] = [];
  #held = 0;

  add(block: Uint8Array): void {
    // A copy: producers use their memory again.
    this.#blocks.push(Buffer.from(block.subarray(Math.max(0, block.length - MOST_LAST_BYTES))));
    this.#held += this.#blocks.at(-1)?.length ?? 0;
    while (this.#held - (this.#blocks[0]?.length ?? 0) >= MOST_LAST_BYTES) this.#held -= this.#blocks.shift()?.length ?? 0;
  }

  get isEmpty(): boolean {
    return this.#held === 0;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#blocks).subarray(-MOST_LAST_BYTES);
  }
}
