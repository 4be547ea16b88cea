/** The output of a search, counted: for its statistics, and for the line between two files. */
import { LimitReached } from "../../../src/io/limit-reached.ts";
import type { BlockBuilder } from "../../../src/io/output.ts";

export class Written {
  readonly #output: BlockBuilder;
  readonly #mostHeld: number;
  /** Stands between two inputs, and is counted with neither. */
  readonly #separator: Uint8Array | undefined;
  /** Bytes printed of this input. */
  count = 0;
  #before = 0;
  /** Bytes that may not have gone out yet. */
  #held = 0;

  constructor(output: BlockBuilder, mostHeld: number, separator: Uint8Array | undefined) {
    this.#output = output;
    this.#mostHeld = mostHeld;
    this.#separator = separator;
  }

  /** True if anything was printed, of this input or of another. */
  get hasPrinted(): boolean {
    return this.#before + this.count > 0;
  }

  get isFull(): boolean {
    return this.#output.full;
  }

  /** A new input. */
  start(): void {
    this.#before += this.count;
    this.count = 0;
  }

  /** What was full has gone out. */
  resume(): void {
    this.#held = 0;
  }

  /** Throws LimitReached where more is held than may be. */
  add(bytes: Uint8Array, from = 0, to = bytes.length): void {
    if (to === from) return;
    if (this.count === 0 && this.#before > 0 && this.#separator !== undefined) this.#output.add(this.#separator);
    this.count += to - from;
    this.#held += to - from;
    if (this.#held > this.#mostHeld) throw new LimitReached("held", this.#mostHeld, "bytes");
    this.#output.add(bytes, from, to);
  }

  addText(text: string): void {
    this.add(Buffer.from(text));
  }
}
