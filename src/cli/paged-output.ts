/** Output of a line on the prompt's terminal through the pager: what it asks for is read from the keys, and its producer waits meanwhile. */
import type { Pager, PagerKey } from "./pager.ts";

export interface PagedTerminal {
  readonly output: Pick<NodeJS.WriteStream, "write" | "once">;
  /** Gives every key to `listener` until the function that it returns is called. */
  readonly takeKeys: (listener: (key: PagerKey) => void) => () => void;
  /** Called when a key is asked for: nothing else may be shown then. */
  readonly onAsk: () => void;
  /** Ends the line. */
  readonly quit: () => void;
  readonly signal: AbortSignal;
}

export class PagedOutput {
  readonly #pager: Pager;
  readonly #terminal: PagedTerminal;
  #giveBack: (() => void) | undefined;
  /** Those that wait until no key is asked for. */
  #waiting: (() => void)[] = [];

  constructor(pager: Pager, terminal: PagedTerminal) {
    this.#pager = pager;
    this.#terminal = terminal;
    terminal.signal.addEventListener("abort", () => this.#release());
  }

  /** Resolves once there is room, on the terminal or on its screen. */
  write(text: string): void | Promise<void> {
    if (this.#pager.hasQuit) return;
    const isTaken = this.#send(this.#pager.add(text));
    if (this.#pager.isAsking) return this.#answered();
    return isTaken ? undefined : new Promise((resolve) => void this.#terminal.output.once("drain", resolve));
  }

  /** Shows the rest; resolves once all was seen, or nobody wants to see it. */
  async end(): Promise<void> {
    if (this.#pager.hasQuit || this.#terminal.signal.aborted) return;
    this.#send(this.#pager.end());
    if (this.#pager.isAsking) await this.#answered();
  }

  #send(text: string): boolean {
    const isTaken = text === "" || this.#terminal.output.write(text);
    if (this.#pager.isAsking && this.#giveBack === undefined && !this.#terminal.signal.aborted) {
      this.#terminal.onAsk();
      this.#giveBack = this.#terminal.takeKeys((key) => this.#press(key));
    }
    return isTaken;
  }

  #press(key: PagerKey): void {
    this.#send(this.#pager.press(key));
    if (this.#pager.hasQuit) this.#terminal.quit();
    if (!this.#pager.isAsking) this.#release();
  }

  #answered(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#terminal.signal.aborted) resolve();
      else this.#waiting.push(resolve);
    });
  }

  #release(): void {
    this.#giveBack?.();
    this.#giveBack = undefined;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
