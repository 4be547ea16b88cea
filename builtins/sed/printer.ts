/** Output of sed: text and lines, and the separator that a last line without one still owes when more follows. */
import type { BlockBuilder } from "../../src/io/output.ts";
import type { Channel } from "./program.ts";
import type { Space } from "./space.ts";
import type { WrittenFiles } from "./written-files.ts";

export class Printer {
  readonly output: BlockBuilder;
  /** Target of `w /dev/stdout`: `output`, unless that is a file being edited. */
  readonly stdout: BlockBuilder;
  readonly #separator: number;
  readonly #stderr: (bytes: Uint8Array) => void;
  readonly #files: WrittenFiles;
  /** `w /dev/stdout` owes for itself: what is printed otherwise does not pay for it. */
  readonly #owes = { main: false, stdout: false, stderr: false };

  constructor(output: BlockBuilder, separator: number, stderr: (bytes: Uint8Array) => void, files: WrittenFiles, stdout = output) {
    this.output = output;
    this.stdout = stdout;
    this.#separator = separator;
    this.#stderr = stderr;
    this.#files = files;
  }

  /** A line of `bytes`; `isTerminated` false: its separator comes only if more does. */
  line(bytes: Uint8Array, from: number, to: number, isTerminated: boolean, owner: "main" | "stdout" = "main"): void {
    const output = owner === "main" ? this.output : this.stdout;
    if (this.#owes[owner]) this.#pay(owner);
    output.add(bytes, from, to);
    if (isTerminated) output.addByte(this.#separator);
    else this.#owes[owner] = true;
  }

  /** `channel`: as `w` of it. */
  space(space: Space, channel?: Channel): void {
    if (typeof channel === "object") {
      this.#files.line(channel.file, space.bytes, space.start, space.end, space.isTerminated);
      return;
    }
    if (channel !== "stderr") {
      this.line(space.bytes, space.start, space.end, space.isTerminated, channel);
      return;
    }
    const end = Buffer.of(this.#separator);
    const before = this.#owes.stderr ? [end] : [];
    this.#stderr(Buffer.concat([...before, space.bytes.subarray(space.start, space.end), ...(space.isTerminated ? [end] : [])]));
    this.#owes.stderr = !space.isTerminated;
  }

  /** The first line of a space. `channel`: as `W` of it. */
  firstLine(space: Space, channel?: Channel): void {
    const found = space.bytes.subarray(0, space.end).indexOf(this.#separator, space.start);
    if (found < 0) {
      this.space(space, channel);
      return;
    }
    const end = found;
    if (typeof channel === "object") this.#files.line(channel.file, space.bytes, space.start, end, true);
    else if (channel !== "stderr") this.line(space.bytes, space.start, end, true, channel);
    else this.#stderr(Buffer.concat([space.bytes.subarray(space.start, end), Buffer.of(this.#separator)]));
  }

  /** Bytes as they are. */
  raw(bytes: Uint8Array): void {
    this.settle();
    this.output.add(bytes);
  }

  /** Pays a separator that is owed. */
  settle(): void {
    if (this.#owes.main) this.#pay("main");
  }

  /** Begins another file: what the one before it owes stays unpaid. */
  beginFile(): void {
    this.#owes.main = false;
  }

  #pay(owner: "main" | "stdout"): void {
    (owner === "main" ? this.output : this.stdout).addByte(this.#separator);
    this.#owes[owner] = false;
  }
}
