/** A stage whose output another stage reads. */
import type { ExitStatus } from "../builtin/definition.ts";
import { FLUSH } from "./routes.ts";
import type { StageOutput } from "./stage.ts";

/** bash's exit status of a stage that a closed pipe has ended. */
export const BROKEN_PIPE = 141;

/** Capacity of a pipe on Linux: a stage that has written no more than that has ended before its reader was gone. */
export const PIPE_BYTES = 65_536;

/**
 * A stage as its reader sees it. A reader that closes before reading has not kept the stage from running: in a real
 * pipeline it runs until it writes into the closed pipe, so it is pulled once (`tee f | true` writes f), and where its
 * exit status counts, until it has given `heldBytes` that nobody reads.
 */
export class Started implements AsyncIterable<Uint8Array> {
  readonly #output: StageOutput;
  readonly #heldBytes: number;
  /** Length of the last block given to the reader, which may have read all or nothing of it. */
  #lastBytes = 0;
  #pulled = false;
  /** Result of `begin` that is still to be given. */
  #begun: IteratorResult<Uint8Array, ExitStatus> | undefined;
  #ended = false;
  exit: ExitStatus = BROKEN_PIPE;

  constructor(output: StageOutput, heldBytes: number) {
    this.#output = output;
    this.#heldBytes = heldBytes;
  }

  /** Runs up to the first block, or to the first FLUSH before it. */
  async begin(): Promise<void> {
    this.#begun = await this.#output.next();
  }

  /** The next block for a reader. */
  async next(): Promise<IteratorResult<Uint8Array, ExitStatus>> {
    for (;;) {
      const next = await this.#pull();
      if (next.done === true || next.value !== FLUSH) return next;
    }
  }

  async #pull(): Promise<IteratorResult<Uint8Array, ExitStatus>> {
    this.#pulled = true;
    const next = this.#begun ?? (await this.#output.next());
    this.#begun = undefined;
    if (next.done === true) {
      this.#ended = true;
      this.exit = next.value;
    } else {
      this.#lastBytes = next.value.length;
    }
    return next;
  }

  async return(): Promise<IteratorResult<Uint8Array, ExitStatus>> {
    if (!this.#pulled) await this.next();
    for (let unread = this.#lastBytes; !this.#ended && unread <= this.#heldBytes && this.#heldBytes > 0; unread += this.#lastBytes) {
      await this.next();
    }
    if (!this.#ended) {
      this.#ended = true;
      await this.#output.return(0);
    }
    return { done: true, value: 0 };
  }

  async *all(): StageOutput {
    try {
      for (;;) {
        const next = await this.#pull();
        if (next.done === true) return next.value;
        yield next.value;
      }
    } finally {
      if (!this.#ended) await this.#output.return(0);
    }
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }
}
