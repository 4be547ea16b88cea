/** A file that is read in order from a place that may be chosen, as a zip archive is. */
import type { OpenFile } from "../../src/workspace/contract.ts";

const BUFFER_BYTES = 1 << 16;

export class ByteFile {
  readonly #file: OpenFile;
  readonly size: number;
  #memory = Buffer.alloc(0);
  /** Place of the first byte of `#memory`. */
  #from = 0;

  constructor(file: OpenFile) {
    this.#file = file;
    this.size = file.size;
  }

  /** `bytes` from `position` on, at most 256 KiB, good until the next call; undefined where there are fewer. */
  at(position: number, bytes: number): Buffer | undefined {
    const start = position - this.#from;
    if (start >= 0 && start + bytes <= this.#memory.length) return this.#memory.subarray(start, start + bytes);
    if (position < 0 || position + bytes > this.size) return undefined;
    const memory = Buffer.allocUnsafe(Math.max(bytes, Math.min(BUFFER_BYTES, this.size - position)));
    let held = 0;
    while (held < memory.length) {
      const count = this.#file.readAt(memory.subarray(held), position + held);
      if (count === 0) break;
      held += count;
    }
    this.#memory = memory.subarray(0, held);
    this.#from = position;
    return held < bytes ? undefined : this.#memory.subarray(0, bytes);
  }

  close(): void {
    this.#file.close();
  }
}
