/** A file or standard input as records. Files are read as they are needed; standard input only by `fill`. */
import type { InputSource } from "../../../src/builtin/inputs.ts";
import { LimitReached } from "../../../src/io/limit-reached.ts";
import type { OpenFile } from "../../../src/workspace/contract.ts";
import type { ByteWindow, FoundRecord, RecordFinder } from "./record-finder.ts";

/** Reason why a record is missing: the input is at its end, or standard input has to be read on. */
export type Missing = "end" | "wait";

export class RecordSource {
  readonly window: ByteWindow = { bytes: Buffer.alloc(0), at: 0, end: 0, isStart: true, isLast: false };
  readonly found: FoundRecord = { from: 0, to: 0, next: 0 };
  readonly #blocks: Generator<Uint8Array, void> | undefined;
  readonly #file: OpenFile | undefined;
  readonly #standardInput: InputSource | undefined;
  readonly #recordBytes: number;
  /** Called before the window's bytes move. */
  readonly #beforeMove: (bytes: Buffer) => void;

  constructor(from: OpenFile | InputSource, recordBytes: number, beforeMove: (bytes: Buffer) => void) {
    this.#recordBytes = recordBytes;
    this.#beforeMove = beforeMove;
    if ("blocks" in from) {
      this.#file = from;
      this.#blocks = from.blocks();
    } else this.#standardInput = from;
  }

  /** The records of `bytes`. */
  static of(bytes: Buffer, beforeMove: (bytes: Buffer) => void): RecordSource {
    const source = new RecordSource({ operand: "-", file: undefined, ...NOTHING }, bytes.length, beforeMove);
    source.window.bytes = bytes;
    source.window.end = bytes.length;
    source.window.isLast = true;
    return source;
  }

  get isStandardInput(): boolean {
    return this.#standardInput !== undefined;
  }

  /** Finds the next record, which `found` then holds. Throws FileError, LimitReached. */
  next(finder: RecordFinder): Missing | undefined {
    const { window } = this;
    for (;;) {
      if (finder.find(window, window.at, this.found)) {
        window.at = this.found.next;
        window.isStart = false;
        return undefined;
      }
      if (window.isLast) return "end";
      if (this.#blocks === undefined) return "wait";
      this.#readBlock();
    }
  }

  /** Reads on. */
  async fill(): Promise<void> {
    const block = await this.#standardInput?.read();
    if (block === undefined) this.window.isLast = true;
    else this.#add(block);
  }

  /** True if at least `count` records, or all of the input, can be had without waiting. */
  holds(count: number, finder: RecordFinder): boolean {
    return this.window.isLast || this.#blocks !== undefined || this.#held(count, finder) === count;
  }

  /** Number of records left in a file, at most `count`. Throws FileError, LimitReached. */
  left(count: number, finder: RecordFinder): number {
    for (;;) {
      const held = this.#held(count, finder);
      if (held === count || this.window.isLast) return held;
      this.#readBlock();
    }
  }

  /** Number of records in the window, at most `count`. */
  #held(count: number, finder: RecordFinder): number {
    const { window } = this;
    const found: FoundRecord = { from: 0, to: 0, next: 0 };
    let at = window.at;
    for (let number = 0; number < count; number++) {
      if (!finder.find(window, at, found)) return number;
      at = found.next;
    }
    return count;
  }

  #readBlock(): void {
    const step = this.#blocks?.next();
    if (step === undefined || step.done === true) this.window.isLast = true;
    else this.#add(step.value);
  }

  /** Closes a file; what was read of standard input and not used goes back. */
  close(): void {
    this.#blocks?.return();
    this.#file?.close();
    const { window } = this;
    if (this.#standardInput !== undefined && window.at < window.end) {
      this.#standardInput.unread(Uint8Array.from(window.bytes.subarray(window.at, window.end)));
    }
    window.at = window.end;
    window.isLast = true;
  }

  #add(block: Uint8Array): void {
    const { window } = this;
    const left = window.end - window.at;
    if (left > this.#recordBytes) throw new LimitReached("line", this.#recordBytes, "bytes");
    if (window.bytes.length - window.end >= block.length) {
      window.bytes.set(block, window.end);
      window.end += block.length;
      return;
    }
    this.#beforeMove(window.bytes);
    // A record that does not fit in a block grows by doubling, so that it is not copied with every block.
    const room = left > block.length ? 2 * (left + block.length) : left + block.length;
    const joined = Buffer.allocUnsafe(room);
    joined.set(window.bytes.subarray(window.at, window.end));
    joined.set(block, left);
    window.bytes = joined;
    window.at = 0;
    window.end = left + block.length;
  }
}

const NOTHING = {
  read: async () => undefined,
  unread: () => {},
  close: () => {},
  async *[Symbol.asyncIterator]() {},
} satisfies Omit<InputSource, "operand" | "file">;
