/**
 * The descriptors of one command besides standard input, output and error: those of redirections (`3< FILE`, `3>&1`), its own and those
 * around it, and those of process substitutions, which bash numbers from 63 down. The names of those that are read are `/dev/fd/N`.
 */
import { keptOpen } from "../io/kept-open.ts";
import { type ByteInput, inputFrom } from "../io/input.ts";
import { LimitReached } from "../io/limit-reached.ts";
import type { OpenFile } from "../workspace/contract.ts";
import type { StageDescriptors } from "../workspace/read/held-descriptors.ts";
import type { OpenedOutput } from "./routes.ts";
import { Started } from "./started-stage.ts";
import type { StageOutput } from "./stage.ts";

const FIRST_SUBSTITUTION = 63;

export class Descriptors implements StageDescriptors {
  /** undefined: closed here, whatever is around. */
  readonly #inputs = new Map<number, ByteInput | undefined>();
  /** Descriptors from 3 on that are written; undefined: not here, whatever is around. */
  readonly #outputs = new Map<number, OpenedOutput | undefined>();
  readonly #outer: Descriptors | undefined;
  whole: ReadonlyMap<string, Uint8Array> = new Map();
  readonly #producers: Started[] = [];
  readonly #opened: ByteInput[] = [];
  #next = FIRST_SUBSTITUTION;

  constructor(outer: Descriptors | undefined) {
    this.#outer = outer;
  }

  /** True if any descriptor is open. */
  get areOpen(): boolean {
    return this.#inputs.size > 0 || this.#outer?.areOpen === true;
  }

  input(number: number): ByteInput | undefined {
    return this.#inputs.has(number) ? this.#inputs.get(number) : this.#outer?.input(number);
  }

  /**
   * The same as the words of the command see them: without those of its own redirections. The files of process substitutions in the
   * words belong to the command.
   */
  beforeOwn(): Descriptors {
    const seen = new Descriptors(this.#outer);
    seen.substitute = (output) => this.substitute(output);
    return seen;
  }

  output(number: number): OpenedOutput | undefined {
    return this.#outputs.has(number) ? this.#outputs.get(number) : this.#outer?.output(number);
  }

  /** From here on descriptor `number` writes to `output`. */
  openOutput(number: number, output: OpenedOutput): void {
    this.#inputs.set(number, undefined);
    this.#outputs.set(number, output);
  }

  /** From here on descriptor `number` is closed. */
  shut(number: number): void {
    this.#inputs.set(number, undefined);
    this.#outputs.set(number, undefined);
  }

  /** From here on descriptor `number` reads `input`, which belongs to whoever opened it. */
  duplicate(number: number, input: ByteInput): void {
    this.#inputs.set(number, keptOpen(input));
    this.#outputs.set(number, undefined);
  }

  /** From here on descriptor `number` reads `input`, which is closed with these descriptors. */
  open(number: number, input: ByteInput): void {
    this.#opened.push(input);
    this.duplicate(number, input);
  }

  /** The file name of what `output` gives. It runs as far as it is read, and is closed with these descriptors. */
  substitute(output: StageOutput): string {
    while (this.#inputs.has(this.#next)) this.#next--;
    const producer = new Started(output, 0);
    this.#producers.push(producer);
    this.duplicate(this.#next, inputFrom(producer));
    return `/dev/fd/${this.#next--}`;
  }

  /** Reads the descriptors among `numbers` to their end, for a stage that opens them as files. */
  async readWhole(numbers: Iterable<number>, mostBytes: number): Promise<void> {
    const held = new Map<string, Uint8Array>();
    let bytes = 0;
    for (const number of numbers) {
      const input = this.input(number);
      if (input === undefined) continue;
      const blocks: Uint8Array[] = [];
      for (let block = await input.read(); block !== undefined; block = await input.read()) {
        bytes += block.length;
        if (bytes > mostBytes) throw new LimitReached("held", mostBytes, "bytes in a process substitution");
        blocks.push(Buffer.from(block));
      }
      held.set(`/dev/fd/${number}`, Buffer.concat(blocks));
    }
    this.whole = held;
  }

  /** Undefined where nothing was opened: most commands open nothing, and wait for nothing. */
  close(): Promise<void> | undefined {
    return this.#opened.length + this.#producers.length === 0 ? undefined : this.#closeAll();
  }

  async #closeAll(): Promise<void> {
    for (const input of this.#opened) await input.close();
    for (const producer of this.#producers) await producer.return();
  }
}

/** An input that reads `file`, and closes it when it is closed, read or not. */
export function inputOfFile(file: OpenFile): ByteInput {
  const blocks = file.blocks();
  return inputFrom({
    [Symbol.iterator]: () => ({
      next: () => blocks.next(),
      return: () => {
        blocks.return();
        file.close();
        return { done: true, value: undefined };
      },
    }),
  });
}
