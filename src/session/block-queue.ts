/** A queue of blocks from a writer that waits to a reader that pulls: the backpressure of a Node stream, for one run. */
export class BlockQueue implements AsyncIterable<Uint8Array> {
  /** Called when the reader leaves before the end. */
  onAbandoned: () => void = () => {};
  #blocks: Uint8Array[] = [];
  #heldBytes = 0;
  #ended = false;
  #abandoned = false;
  #wakeReader: () => void = () => {};
  #wakeWriter: () => void = () => {};

  /** Resolves once there is room for more. */
  add(block: Uint8Array): void | Promise<void> {
    if (this.#abandoned) return;
    this.#blocks.push(Buffer.from(block));
    this.#heldBytes += block.length;
    this.#wakeReader();
    if (this.#heldBytes < QUEUE_BYTES) return;
    return new Promise((resolve) => {
      this.#wakeWriter = resolve;
    });
  }

  end(): void {
    this.#ended = true;
    this.#wakeReader();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    try {
      for (;;) {
        const block = this.#blocks.shift();
        if (block !== undefined) {
          this.#heldBytes -= block.length;
          if (this.#heldBytes < QUEUE_BYTES) this.#wakeWriter();
          yield block;
        } else if (this.#ended) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve;
          });
        }
      }
    } finally {
      this.#abandoned = true;
      this.#wakeWriter();
      if (!this.#ended) this.onAbandoned();
    }
  }
}

/** Size of the queue, in bytes: a writer waits while it is full. */
const QUEUE_BYTES = 256 * 1024;
