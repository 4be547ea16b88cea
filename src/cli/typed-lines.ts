/** Lines as a person types them, one at a time; pasted or piped lines wait until they are asked for. */
import { createInterface, type Interface } from "node:readline";

export interface TypedLinesOptions {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** The stream on which prompts and the line being typed are shown. */
  readonly output: NodeJS.WritableStream;
  /** readline's contract: the completions, and the part of the line they replace. */
  readonly complete?: (line: string) => Promise<[string[], string]>;
}

/** What was typed: a line; Ctrl-C, which drops it; Ctrl-D, or the end of the input. */
export type Typed = { readonly kind: "line"; readonly line: string } | { readonly kind: "dropped" } | { readonly kind: "end" };

export class TypedLines {
  readonly #terminal: Interface;
  readonly #output: NodeJS.WritableStream;
  /** Typed before it was asked for. */
  readonly #ahead: Typed[] = [];
  #waiting: ((typed: Typed) => void) | undefined;
  /** The action of Ctrl-C while something runs; while a line is typed, Ctrl-C drops the line. */
  #onInterrupt: (() => void) | undefined;

  constructor({ input, output, complete }: TypedLinesOptions) {
    const isTerminal = input.isTTY === true;
    this.#output = output;
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
    this.#terminal.on("line", (line: string) => this.#deliver({ kind: "line", line }));
    this.#terminal.on("close", () => this.#deliver({ kind: "end" }));
    this.#terminal.on("SIGINT", () => {
      const interrupt = this.#onInterrupt;
      // To the end of the line, which stays to be read.
      if (interrupt === undefined) this.#terminal.write(null, { ctrl: true, name: "e" });
      interrupt?.();
      this.#output.write("^C\n");
      if (interrupt !== undefined) return;
      // Not by the library's own keys, which would draw the line anew.
      Object.assign(this.#terminal, { line: "", cursor: 0, prevRows: 0 });
      if (this.#waiting !== undefined) this.#deliver({ kind: "dropped" });
    });
  }

  /** What is typed next. */
  next(prompt: string): Promise<Typed> {
    const [ahead] = this.#ahead;
    this.#terminal.setPrompt(prompt);
    if (ahead?.kind !== "end") this.#terminal.prompt();
    if (ahead === undefined) return new Promise((resolve) => (this.#waiting = resolve));
    // After the end there is nothing more, however often it is asked for.
    if (ahead.kind !== "end") this.#ahead.shift();
    return Promise.resolve(ahead);
  }

  #deliver(typed: Typed): void {
    if (this.#waiting === undefined || typed.kind === "end") this.#ahead.push(typed);
    this.#waiting?.(typed);
    this.#waiting = undefined;
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
