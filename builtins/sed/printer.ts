/** What sed prints: text and lines, and the separator that a last line without one still owes when more follows. */
import type { BlockBuilder } from "../../src/io/output.ts";
import type { Channel } from "./program.ts";
import type { Space } from "./space.ts";

export class Printer {
  readonly output: BlockBuilder;
  readonly #separator: number;
  readonly #stderr: (bytes: Uint8Array) => void;
  readonly #owes = { stdout: false, stderr: false };

  constructor(output: BlockBuilder, separator: number, stderr: (bytes: Uint8Array) => void) {
    this.output = output;
    this.#separator = separator;
    this.#stderr = stderr;
  }

  get owesSeparator(): boolean {
    return this.#owes.stdout;
  }

  /** A line of `bytes`; `isTerminated` false: its separator comes only if more does. */
  line(bytes: Uint8Array, from: number, to: number, isTerminated: boolean): void {
    const { output } = this;
    if (this.#owes.stdout) this.settle();
    output.add(bytes, from, to);
    if (isTerminated) output.addByte(this.#separator);
    else this.#owes.stdout = true;
  }

  space(space: Space, channel: Channel = "stdout"): void {
    if (channel === "stdout") {
      this.line(space.bytes, space.start, space.end, space.isTerminated);
      return;
    }
    const end = Buffer.of(this.#separator);
    const before = this.#owes.stderr ? [end] : [];
    this.#stderr(Buffer.concat([...before, space.bytes.subarray(space.start, space.end), ...(space.isTerminated ? [end] : [])]));
    this.#owes.stderr = !space.isTerminated;
  }

  /** The first line of a space. */
  firstLine(space: Space, channel: Channel): void {
    const found = space.bytes.subarray(0, space.end).indexOf(this.#separator, space.start);
    if (found < 0) {
      this.space(space, channel);
      return;
    }
    const end = found;
    if (channel === "stdout") this.line(space.bytes, space.start, end, true);
    else this.#stderr(Buffer.concat([space.bytes.subarray(space.start, end), Buffer.of(this.#separator)]));
  }

  /** Bytes as they are. */
  raw(bytes: Uint8Array): void {
    this.settle();
    this.output.add(bytes);
  }

  /** Pays a separator that is owed. */
  settle(): void {
    if (!this.#owes.stdout) return;
    this.output.addByte(this.#separator);
    this.#owes.stdout = false;
  }
}
