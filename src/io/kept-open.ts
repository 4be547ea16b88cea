/** Standard input that one reader hands on to the next. */
import type { ByteInput } from "./input.ts";

/** The same input, which its reader cannot close: the next one reads on where it left off. */
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
