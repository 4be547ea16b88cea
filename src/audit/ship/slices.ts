/**
 * Slices of the server's time for reading records: one reader has one slice in each round of the event loop, so that a journal of any size,
 * and any number of them, keep calls waiting for no longer than that.
 */

/** Length of a slice, in milliseconds. What is done between two looks at `isOver` comes to it: one line of 1 MiB takes some 5. */
const SLICE_MS = 8;

export class Slices {
  readonly #waiting: (() => void)[] = [];
  #beganMs = 0;

  /** True once the slice of the reader that runs is used up. */
  get isOver(): boolean {
    return performance.now() - this.#beganMs >= SLICE_MS;
  }

  /** Resolves when the caller has the next slice, in the order of asking. Throws the signal's reason where that has come. */
  async next(signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(this.#begin);
    });
    signal?.throwIfAborted();
  }

  readonly #begin = (): void => {
    this.#beganMs = performance.now();
    this.#waiting.shift()?.();
    // An immediate that is set within one is for the next round.
    if (this.#waiting.length > 0) setImmediate(this.#begin);
  };
}

/** A reader's way to its slices, and the end of its reading. */
export interface ReaderTime {
  readonly slices: Pick<Slices, "isOver" | "next">;
  /** Default: it is read to the end. */
  readonly signal?: AbortSignal | undefined;
}
