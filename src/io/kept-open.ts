/** Standard input that its reader cannot close, for several commands that read it one after the other. */
import type { ByteInput } from "./input.ts";

/** The same input without its `close`: the next reader goes on where this one stopped. */
export const keptOpen = (stdin: ByteInput): ByteInput => new KeptOpen(stdin);

class KeptOpen implements ByteInput {
  readonly #stdin: ByteInput;

  constructor(stdin: ByteInput) {
    this.#stdin = stdin;
  }

  get isGiven(): boolean {
    return this.#stdin.isGiven;
  }

  read(): Promise<Uint8Array | undefined> {
    return this.#stdin.read();
  }

  unread(rest: Uint8Array): void {
    this.#stdin.unread(rest);
  }

  async close(): Promise<void> {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for (let block = await this.read(); block !== undefined; block = await this.read()) yield block;
  }
}
