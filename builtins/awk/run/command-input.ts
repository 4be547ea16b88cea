/** The standard input of a command that a program prints to: what was printed and is not read yet. */
import type { ByteInput } from "../../../src/io/input.ts";

export class CommandInput implements ByteInput {
  readonly isGiven = true;
  #blocks: Uint8Array[] = [];
  #bytes = 0;
  #isEnded = false;
  #error: Error | undefined;
  /** A read that waits for more to be printed. */
  #reader: { readonly give: (block: Uint8Array | undefined) => void; readonly fail: (error: Error) => void } | undefined;
  #tellIdle: (() => void) | undefined;

  /** Bytes that are not read yet. */
  get bytes(): number {
    return this.#bytes;
  }

  write(block: Uint8Array): void {
    if (block.length === 0) return;
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader !== undefined) {
      reader.give(block);
      return;
    }
    this.#blocks.push(block);
    this.#bytes += block.length;
  }

  end(): void {
    this.#isEnded = true;
    this.#reader?.give(undefined);
    this.#reader = undefined;
  }

  /** Ends the command as one ends whose producer failed: it is not to take what there is for all there was. */
  abandon(): void {
    this.#error = new Error("the program that prints to the command has ended");
    this.#reader?.fail(this.#error);
    this.#reader = undefined;
  }

  /** Resolves when the command has read all there is and waits for more. */
  idle(): Promise<"idle"> {
    return new Promise((resolve) => {
      if (this.#reader !== undefined) resolve("idle");
      else this.#tellIdle = () => resolve("idle");
    });
  }

  read(): Promise<Uint8Array | undefined> {
    if (this.#error !== undefined) return Promise.reject(this.#error);
    const block = this.#blocks.length > 1 ? Buffer.concat(this.#blocks) : this.#blocks[0];
    this.#blocks = [];
    this.#bytes = 0;
    if (block !== undefined || this.#isEnded) return Promise.resolve(block);
    return new Promise((give, fail) => {
      this.#reader = { give, fail };
      this.#tellIdle?.();
      this.#tellIdle = undefined;
    });
  }

  unread(rest: Uint8Array): void {
    if (rest.length === 0) return;
    this.#blocks.unshift(Buffer.from(rest));
    this.#bytes += rest.length;
  }

  async close(): Promise<void> {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for (let block = await this.read(); block !== undefined; block = await this.read()) yield block;
  }
}
