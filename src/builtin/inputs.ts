/**
 * Operands as sources of bytes: `-` and `/dev/stdin` are standard input, `/dev/fd/N` is a descriptor of the stage, everything
 * else is a file.
 *
 *     return yield* eachInput(invocation, output, async function* (source) {
 *       for await (const block of source) {
 *         …
 *         if (output.full) yield output.take();
 *       }
 *     });
 */
import type { Invocation } from "./definition.ts";
import type { ByteInput } from "../io/input.ts";
import type { BlockBuilder } from "../io/output.ts";
import { quoteName } from "../display/quote.ts";
import type { Files, OpenFile } from "../workspace/contract.ts";
import { FileError } from "../workspace/file-error.ts";

/** One operand being read. */
export interface InputSource extends AsyncIterable<Uint8Array> {
  /** The operand as typed: "-" for standard input. */
  readonly operand: string;
  /** The open file, for `status` and `readAt`; undefined for standard input. */
  readonly file: OpenFile | undefined;
  /** The next block (never empty), or undefined at the end. */
  read(): Promise<Uint8Array | undefined>;
  /** Puts bytes back in front of those still to be read. */
  unread(rest: Uint8Array): void;
  /**
   * Closes a file. Standard input stays open, because `-` may be named again and because the rest of it belongs
   * to the next command of a group; the engine closes it when the stage ends. Leaving a `for await` over the source
   * does the same.
   */
  close(): void;
}

/**
 * Reads the operands one after the other, and yields the blocks that `read` yields and the rest of `output`. A file that cannot
 * be read is named on standard error, after the output before it. Returns the exit status: 1 if there was such a file, else 0.
 */
export async function* eachInput(
  invocation: Pick<Invocation, "operands" | "stdin" | "files" | "warn">,
  output: BlockBuilder,
  read: (source: InputSource) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, number> {
  let exit = 0;
  for (const operand of inputOperands(invocation)) {
    try {
      yield* read(openInput(invocation, operand));
    } catch (thrown) {
      const complaint = inputComplaint(thrown, operand);
      if (!output.empty) yield output.take();
      invocation.warn(complaint);
      exit = 1;
    }
  }
  if (!output.empty) yield output.take();
  return exit;
}

/** The operands to read: those given, or standard input. */
export function inputOperands(invocation: Pick<Invocation, "operands">): readonly string[] {
  return invocation.operands.length === 0 ? ["-"] : invocation.operands;
}

/** True if `operand` means standard input. */
export function isStandardInput(operand: string): boolean {
  return operand === "-" || operand === "/dev/stdin" || operand === "/dev/fd/0" || operand === "/proc/self/fd/0";
}

/** Opens `operand` for reading. Throws FileError; so may every read. */
export function openInput(invocation: { readonly stdin: ByteInput; readonly files: Files }, operand: string): InputSource {
  const descriptor = invocation.files.descriptor(operand);
  if (descriptor !== undefined) return new StandardInput(operand, descriptor);
  if (isStandardInput(operand)) {
    // Named as a file although the call gave no input: this process's own standard input is not the caller's.
    if (operand !== "-" && !invocation.stdin.isGiven) throw new FileError("ENXIO", operand);
    return new StandardInput(operand, invocation.stdin);
  }
  return new FileInput(operand, invocation.files.open(operand));
}

/** The complaint that GNU tools print after their name: `FILE: No such file or directory`. Rethrows all but a FileError. */
export function inputComplaint(thrown: unknown, operand: string): string {
  if (!(thrown instanceof FileError)) throw thrown;
  return `${quoteName(operand)}: ${thrown.message}`;
}

/**
 * The blocks of `source`, those of a file all read into the same memory: for a reader that keeps nothing of a block, and
 * saves one allocation per block. Nothing may have been read from `source` before.
 */
export async function* overwritingBlocks(source: InputSource): AsyncGenerator<Uint8Array, void> {
  const { file } = source;
  if (file === undefined) {
    yield* source;
    return;
  }
  try {
    const { size } = file;
    const memory = Buffer.allocUnsafe(size > 0 && size < OVERWRITTEN_BYTES ? size + 1 : OVERWRITTEN_BYTES);
    for (let position = 0; ; ) {
      const count = file.readAt(memory, position);
      if (count === 0) return;
      position += count;
      yield memory.subarray(0, count);
      if (count < memory.length && position === size) return;
    }
  } finally {
    source.close();
  }
}

const OVERWRITTEN_BYTES = 1 << 17;

class StandardInput implements InputSource {
  readonly operand: string;
  readonly file = undefined;
  readonly #stdin: ByteInput;

  constructor(operand: string, stdin: ByteInput) {
    this.operand = operand;
    this.#stdin = stdin;
  }

  read(): Promise<Uint8Array | undefined> {
    return this.#stdin.read();
  }

  unread(rest: Uint8Array): void {
    this.#stdin.unread(rest);
  }

  close(): void {}

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return iterate(this);
  }
}

class FileInput implements InputSource {
  readonly operand: string;
  readonly file: OpenFile;
  readonly #pushedBack: Uint8Array[] = [];
  readonly #blocks: Generator<Uint8Array, void>;

  constructor(operand: string, file: OpenFile) {
    this.operand = operand;
    this.file = file;
    this.#blocks = file.blocks();
  }

  async read(): Promise<Uint8Array | undefined> {
    const back = this.#pushedBack.pop();
    if (back !== undefined) return back;
    const next = this.#blocks.next();
    return next.done === true ? undefined : next.value;
  }

  unread(rest: Uint8Array): void {
    if (rest.length > 0) this.#pushedBack.push(rest);
  }

  close(): void {
    this.#blocks.return();
    this.file.close();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return iterate(this);
  }
}

function iterate(source: InputSource): AsyncIterator<Uint8Array> {
  return {
    async next(): Promise<IteratorResult<Uint8Array>> {
      const value = await source.read();
      if (value !== undefined) return { done: false, value };
      source.close();
      return { done: true, value: undefined };
    },
    async return(): Promise<IteratorResult<Uint8Array>> {
      source.close();
      return { done: true, value: undefined };
    },
  };
}
