/**
 * A stage's standard input: blocks of bytes that are pulled, can be pushed back, and can be closed.
 *
 * `for await (const block of input)` reads to the end and closes the input when the loop is left early, which is
 * how a reader that has enough stops its producer (SIGPIPE). `read` and `unread` are for a reader that must leave
 * the rest to the next command of a group: `{ head -n 1; cat; }`.
 */
export interface ByteInput extends AsyncIterable<Uint8Array> {
  /**
   * True where a pipe, a file or text was given; false for an input that stands for /dev/null or a terminal. Some tools
   * (rg) read standard input without an operand only where this is true.
   */
  readonly isGiven: boolean;
  /** The next block (never empty), or undefined at the end. It is the reader's until the next `read`: copy what you keep. */
  read(): Promise<Uint8Array | undefined>;
  /** Puts `rest` back in front of what is still to come. */
  unread(rest: Uint8Array): void;
  /** Stops the producer; later reads give undefined. */
  close(): Promise<void>;
}

/** An input over any source of blocks. `close` calls the source's `return`. */
export function inputFrom(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, isGiven = true): ByteInput {
  return new PulledInput(source, isGiven);
}

/** An input that holds `bytes`; without any it is as /dev/null, and not given. */
export function inputOf(...bytes: Uint8Array[]): ByteInput {
  return inputFrom(bytes, bytes.length > 0);
}

class PulledInput implements ByteInput {
  readonly isGiven: boolean;
  readonly #source: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  readonly #pushedBack: Uint8Array[] = [];
  #ended = false;
  #closed = false;

  constructor(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, isGiven: boolean) {
    this.isGiven = isGiven;
    this.#source = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  async read(): Promise<Uint8Array | undefined> {
    const back = this.#pushedBack.pop();
    if (back !== undefined) return back;
    while (!this.#ended) {
      const next = await this.#source.next();
      if (next.done === true) this.#ended = true;
      // An input closed while its source was at work drops the block.
      else if (next.value.length > 0 && !this.#closed) return next.value;
    }
    return undefined;
  }

  unread(rest: Uint8Array): void {
    if (rest.length > 0 && !this.#closed) this.#pushedBack.push(rest);
  }

  async close(): Promise<void> {
    this.#pushedBack.length = 0;
    this.#closed = true;
    if (this.#ended) return;
    this.#ended = true;
    await this.#source.return?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    try {
      for (let block = await this.read(); block !== undefined; block = await this.read()) yield block;
    } finally {
      await this.close();
    }
  }
}
