/** Lines as a person types them, one at a time; pasted or piped lines wait until they are asked for. */
import { createInterface, type Interface, type Key } from "node:readline";
import { HistorySearch } from "./history-search.ts";
import type { LineHistory } from "./line-history.ts";

export interface TypedLinesOptions {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** The stream on which prompts and the line being typed are shown. */
  readonly output: NodeJS.WritableStream;
  /** The commands before, for Up and Ctrl-R. Default: the lines typed here. */
  readonly history?: LineHistory;
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

  readonly #history: LineHistory | undefined;
  /** The library's own array of lines, the newest first. */
  #recalled: string[];
  #prompt = "";
  #keyListener: ((text: string | undefined, key: Key) => void) | undefined;
  #search: HistorySearch | undefined;
  #lastQuery = "";

  constructor({ input, output, history, complete }: TypedLinesOptions) {
    const isTerminal = input.isTTY === true;
    this.#output = output;
    this.#history = history;
    this.#recalled = [...(history?.commands ?? [])];
    this.#terminal = createInterface({
      input,
      output,
      terminal: isTerminal,
      ...(history === undefined
        ? { historySize: 1000, removeHistoryDuplicates: true }
        : { historySize: Number.MAX_SAFE_INTEGER, history: this.#recalled }),
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
    if (history !== undefined) {
      // The library would keep each line of a command, and what is to be forgotten.
      this.#terminal.on("history", (recalled: string[]) => {
        this.#recalled = recalled;
        this.#recall();
      });
    }
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
      this.#prompt = prompt;
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
    const terminal = this.#terminal;
    if (!readsKeys(terminal)) throw new Error("node:readline has no _ttyWrite");
    const obey = terminal._ttyWrite.bind(terminal);
    terminal._ttyWrite = (text, key) => {
      if (!this.#takes(text, key)) obey(text, key);
    };
  }

  /** Keeps `command` in the history. */
  remember(command: string): void {
    this.#history?.add(command);
    this.#recall();
  }

  #recall(): void {
    this.#recalled.splice(0, this.#recalled.length, ...(this.#history?.commands ?? []));
  }

  /** Gives every key to `listener`, until the function that is returned is called. */
  takeKeys(listener: (key: Pick<Key, "name" | "ctrl"> & { readonly text: string | undefined }) => void): () => void {
    this.#keyListener = (text, key) => listener({ ...key, text });
    return () => (this.#keyListener = undefined);
  }

  /** True for a key that is obeyed here. */
  #takes(text: string | undefined, key: Key): boolean {
    if (this.#keyListener !== undefined) {
      this.#keyListener(text, key);
      return true;
    }
    if (this.#search !== undefined) return this.#searches(this.#search, text, key);
    if (key.ctrl !== true) return false;
    if (key.name === "r" && this.#history !== undefined && this.#waiting !== undefined) {
      this.#search = new HistorySearch(this.#history.commands, this.#terminal.line, this.#terminal.cursor, this.#lastQuery);
      this.#show(this.#search);
      return true;
    }
    // The library would close the input; within an unfinished command more is read after it.
    if (key.name !== "d" || this.#terminal.line !== "") return false;
    this.#output.write("\n");
    this.#deliver({ kind: "end" });
    return true;
  }

  #searches(search: HistorySearch, text: string | undefined, key: Key): boolean {
    const end = search.press({ text, ...key });
    if (end === undefined) {
      this.#show(search);
      return true;
    }
    this.#search = undefined;
    if (search.query !== "") this.#lastQuery = search.query;
    this.#show({ prompt: this.#prompt, ...end });
    return !end.obeys;
  }

  /** Shows `line` behind `prompt` in place of the row being typed. */
  #show({ prompt, line, cursor }: { readonly prompt: string; readonly line: string; readonly cursor: number }): void {
    this.#terminal.setPrompt(prompt);
    Object.assign(this.#terminal, { line, cursor });
    this.#terminal.prompt(true);
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

interface KeyReader {
  _ttyWrite(text: string | undefined, key: Key): void;
}

const readsKeys = (terminal: Interface): terminal is Interface & KeyReader =>
  "_ttyWrite" in terminal && typeof terminal._ttyWrite === "function";
