/**
 * Lines of a server's log on their way out: those of one turn of the event loop are one write, because a write waits for the system. What
 * is still held is written when the process exits.
 */

export class LogLines {
  readonly #write: (lines: string) => void;
  readonly #atExit = (): void => this.#flush();
  #held = "";

  constructor(write: (lines: string) => void) {
    this.#write = write;
    process.on("exit", this.#atExit);
  }

  /** `lines` are whole. */
  write(lines: string): void {
    if (this.#held === "") setImmediate(() => this.#flush());
    this.#held += lines;
  }

  /** Writes what is held; lines that come later are written as well, but not by the exit of the process. */
  close(): void {
    this.#flush();
    process.off("exit", this.#atExit);
  }

  #flush(): void {
    const lines = this.#held;
    this.#held = "";
    if (lines !== "") this.#write(lines);
  }
}
