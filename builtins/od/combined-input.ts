/** Input of od: its operands one after the other, as if they were one file. */
import type { Invocation } from "../../src/builtin/definition.ts";
import { inputComplaint, openInput } from "../../src/builtin/inputs.ts";
import { asBuffer } from "../../src/io/lines.ts";
import { FileError } from "../../src/workspace/file-error.ts";

type InputPlace = Pick<Invocation, "stdin" | "files" | "warn">;

/** Blocks that say what was opened. In a directory, and in the null device, od can go anywhere. */
const [EMPTY, DIRECTORY, NULL_DEVICE] = [Buffer.alloc(0), Buffer.alloc(0), Buffer.alloc(0)];

/** All operands as one input, of which at most `limit` bytes are given out. */
export class CombinedInput {
  readonly #invocation: InputPlace;
  readonly #blocks: AsyncGenerator<Buffer, void>;
  #left: number;
  #rest: Buffer = Buffer.alloc(0);
  #goesAnywhere = false;
  failed = false;

  constructor(invocation: InputPlace, operands: readonly string[], limit: number) {
    this.#invocation = invocation;
    this.#left = limit;
    this.#blocks = this.#read(operands.length === 0 ? ["-"] : operands);
  }

  /** What is in the operands, after an empty block for each that could be opened; a directory is only told of behind that. */
  async *#read(operands: readonly string[]): AsyncGenerator<Buffer, void> {
    for (const operand of operands) {
      let isOpen = false;
      try {
        const source = openInput(this.#invocation, operand);
        for await (const block of source) {
          if (!isOpen) yield EMPTY;
          isOpen = true;
          yield asBuffer(block);
        }
        if (!isOpen) yield operand === "/dev/null" ? NULL_DEVICE : EMPTY;
      } catch (thrown) {
        if (!isOpen && thrown instanceof FileError && thrown.code === "EISDIR") yield DIRECTORY;
        this.#invocation.warn(inputComplaint(thrown, operand));
        this.failed = true;
      }
    }
  }

  /** Closes the operand that is being read. */
  async close(): Promise<void> {
    await this.#blocks.return();
  }

  /** Opens the first operand that can be; false where none can. */
  async start(): Promise<boolean> {
    const { value, done } = await this.#blocks.next();
    this.#goesAnywhere = value === DIRECTORY || value === NULL_DEVICE;
    return done !== true;
  }

  /** Passes over `bytes` bytes; false where there are fewer. */
  async skip(bytes: number): Promise<boolean> {
    if (this.#goesAnywhere) return true;
    for (let left = bytes; left > 0; ) {
      const { value, done } = await this.#blocks.next();
      if (done === true) return false;
      if (value === DIRECTORY || value === NULL_DEVICE) return true;
      if (value.length > left) this.#rest = Buffer.from(value.subarray(left));
      left -= Math.min(left, value.length);
    }
    return true;
  }

  /** The next `bytes` bytes, fewer at the end; the caller may keep them. */
  async take(bytes: number): Promise<Buffer> {
    const wanted = Math.min(bytes, this.#left);
    if (this.#rest.length >= wanted) {
      const taken = this.#rest.subarray(0, wanted);
      this.#rest = this.#rest.subarray(wanted);
      this.#left -= wanted;
      return taken;
    }
    const parts = [this.#rest];
    let held = this.#rest.length;
    while (held < wanted) {
      const { value, done } = await this.#blocks.next();
      if (done === true) break;
      const copy = Buffer.from(value);
      parts.push(copy);
      held += copy.length;
    }
    const whole = Buffer.concat(parts, held);
    const taken = whole.subarray(0, wanted);
    this.#rest = whole.subarray(taken.length);
    this.#left -= taken.length;
    return taken;
  }
}
