/** Standard input that can be read again from its start, as long as it is short. */
import { inputFrom, type ByteInput } from "./input.ts";

const GIVEN_AWAY = new Uint8Array(0);

export class RereadInput {
  readonly #source: ByteInput;
  readonly #mostBytes: number;
  /** In order; empty in the place of one that is not kept any more. */
  readonly #blocks: Uint8Array[] = [];
  #bytes = 0;
  #pull: Promise<boolean> | undefined;

  /** Keeps up to `mostBytes` of `source`. */
  constructor(source: ByteInput, mostBytes: number) {
    this.#source = source;
    this.#mostBytes = mostBytes;
  }

  /** All of it anew; undefined where more has been read than is kept. Of several, one is read at a time, and none closes the source. */
  fromStart(): ByteInput | undefined {
    return this.#isLong ? undefined : inputFrom(this.#read(), this.#source.isGiven);
  }

  close(): Promise<void> {
    return this.#source.close();
  }

  get #isLong(): boolean {
    return this.#bytes > this.#mostBytes;
  }

  async *#read(): AsyncGenerator<Uint8Array, void> {
    for (let at = 0; ; at++) {
      while (at >= this.#blocks.length) if (!(await this.#pulled())) return;
      const block = this.#blocks[at] as Uint8Array;
      if (this.#isLong) this.#blocks.fill(GIVEN_AWAY, 0, at + 1);
      yield block;
    }
  }

  /** False at the end. A pull that an earlier reader left is waited for: its block is the next. */
  #pulled(): Promise<boolean> {
    this.#pull ??= this.#source.read().then((block) => {
      this.#pull = undefined;
      if (block === undefined) return false;
      this.#bytes += block.length;
      // A copy: the block is the reader's until the next read.
      this.#blocks.push(Buffer.from(block));
      return true;
    });
    return this.#pull;
  }
}
