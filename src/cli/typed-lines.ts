/** Lines as a person types them, one at a time; pasted or piped lines wait until they are asked for. */
import { createInterface, type Interface } from "node:readline";

export interface TypedLinesOptions {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** The stream on which prompts and the line being typed are shown. */
  readonly output: NodeJS.WritableStream;
  /** readline's contract: the completions, and the part of the line they replace. */
  readonly complete?: (line: string) => Promise<[string[], string]>;
}

export class TypedLines {
  readonly #terminal: Interface;
  readonly #lines: AsyncIterator<string, unknown>;
  /** The action of Ctrl-C while something runs; while a line is typed, Ctrl-C drops the line. */
  #onInterrupt: (() => void) | undefined;

  constructor({ input, output, complete }: TypedLinesOptions) {
    const isTerminal = input.isTTY === true;
    this.#terminal = createInterface({
      input,
      output,
      terminal: isTerminal,
      historySize: 1000,
      removeHistoryDuplicates: true,
      ...(complete === undefined
        ? {}
        : {
            completer: (line: string, done: (error: Error | null, result?: [string[], string]) => void) => {
              complete(line).then(
                (found) => done(null, found),
                (error: Error) => done(error),
              );
            },
          }),
    });
    this.#lines = this.#terminal[Symbol.asyncIterator]();
    this.#terminal.on("SIGINT", () => {
      if (this.#onInterrupt !== undefined) return this.#onInterrupt();
      // Moves to the end, and removes all before the cursor.
      this.#terminal.write(null, { ctrl: true, name: "e" });
      this.#terminal.write(null, { ctrl: true, name: "u" });
    });
  }

  /** The next line, or undefined at the end of input. */
  async next(prompt: string): Promise<string | undefined> {
    this.#terminal.setPrompt(prompt);
    this.#terminal.prompt();
    const { value, done } = await this.#lines.next();
    return done === true ? undefined : (value as string);
  }

  /** Resolves as `work` does; until then Ctrl-C aborts the signal that `work` gets. */
  async interruptibly<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const interrupted = new AbortController();
    this.#onInterrupt = () => interrupted.abort();
    try {
      return await work(interrupted.signal);
    } finally {
      this.#onInterrupt = undefined;
    }
  }

  close(): void {
    this.#terminal.close();
  }
}
