/** Lines as a person types them, one at a time; pasted or piped lines wait until they are asked for. */
import { createInterface, type Interface, type Key } from "node:readline";

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
  #closed = false;
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
    if (isTerminal) this.#readKeys();
    this.#terminal.on("line", (line: string) => this.#deliver({ kind: "line", line }));
    this.#terminal.on("close", () => {
      this.#closed = true;
      this.#deliver({ kind: "end" });
    });
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

  /** What is typed next. After the end of the input there is nothing more, however often it is asked for. */
  next(prompt: string): Promise<Typed> {
    const ahead = this.#ahead.shift();
    if (ahead === undefined && this.#closed) return Promise.resolve({ kind: "end" });
    if (ahead?.kind === "line" && this.#terminal.terminal) {
      // It was shown when it was typed, which may have been among the output of the command before it.
      this.#output.write(`${prompt}${ahead.line}\n`);
    } else if (!this.#closed) {
      this.#terminal.setPrompt(prompt);
      this.#terminal.prompt();
    }
    return ahead === undefined ? new Promise((resolve) => (this.#waiting = resolve)) : Promise.resolve(ahead);
  }

  #deliver(typed: Typed): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#ahead.push(typed);
    else waiting(typed);
  }

  /** Has each key looked at before the library obeys it, by the method through which Node's own REPL does. */
  #readKeys(): void {
    const obey: unknown = Reflect.get(this.#terminal, "_ttyWrite");
    if (typeof obey !== "function") throw new Error("node:readline has no _ttyWrite");
    const looked = (text: string | undefined, key: Key): void => {
      if (!this.#takes(key)) Reflect.apply(obey, this.#terminal, [text, key]);
    };
    Object.defineProperty(this.#terminal, "_ttyWrite", { value: looked });
  }

  /** True for a key that is obeyed here. */
  #takes(key: Key): boolean {
    // The library would close the input; within an unfinished command more is read after it.
    if (key.ctrl !== true || key.name !== "d" || this.#terminal.line !== "") return false;
    this.#output.write("\n");
    this.#deliver({ kind: "end" });
    return true;
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
