/** The standard input of a command that a program prints to: what was printed and is not read yet. */
import type { ByteInput } from "../../../src/io/input.ts";
import { BlockBuilder } from "../../../src/io/output.ts";

interface Reader {
  readonly give: (block: Uint8Array | undefined) => void;
  readonly fail: (error: Error) => void;
}

export class CommandInput implements ByteInput {
  readonly isGiven = true;
  readonly #printed = new BlockBuilder();
  readonly #back: Uint8Array[] = [];
  #isEnded = false;
  #error: Error | undefined;
  /** A read that waits for more to be printed. */
  #reader: Reader | undefined;
  #tellIdle: (() => void) | undefined;

  /** True once as much is printed as a pipe holds. */
  get full(): boolean {
    return this.#printed.full;
  }

  /** Takes text whose every unit is one byte. */
  print(text: string): void {
    this.#printed.addLatin1(text);
  }

  /** Hands what was printed to a read that waits for it. */
  deliver(): void {
    if (this.#reader === undefined || this.#printed.empty) return;
    this.#reader.give(this.#printed.take());
    this.#reader = undefined;
  }

  end(): void {
    this.deliver();
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
    const back = this.#back.pop();
    if (back !== undefined) return Promise.resolve(back);
    if (!this.#printed.empty) return Promise.resolve(this.#printed.take());
    if (this.#isEnded) return Promise.resolve(undefined);
    return new Promise((give, fail) => {
      this.#reader = { give, fail };
      this.#tellIdle?.();
      this.#tellIdle = undefined;
    });
  }

  unread(rest: Uint8Array): void {
    if (rest.length > 0) this.#back.push(Uint8Array.from(rest));
  }

  async close(): Promise<void> {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for (let block = await this.read(); block !== undefined; block = await this.read()) yield block;
  }
}
