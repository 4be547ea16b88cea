/** Progress of a command line that takes longer than a second: one terminal line, rewritten in place, gone afterwards. */
import type { RunProgress } from "../exec/result.ts";
import { showName } from "../display/visible.ts";

/** A line of progress on a terminal; shows nothing on any other stream. */
export class ProgressLine {
  readonly #terminal: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">;
  #isShown = false;

  constructor(terminal: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">) {
    this.#terminal = terminal;
  }

  show(text: string): void {
    if (!this.#terminal.isTTY) return;
    this.#terminal.write(`${CLEAR}${showName(text).slice(0, (this.#terminal.columns || 80) - 1)}`);
    this.#isShown = true;
  }

  /** Must come before anything else is written to the terminal. */
  clear(): void {
    if (this.#isShown) this.#terminal.write(CLEAR);
    this.#isShown = false;
  }
}

const CLEAR = "\r\u001b[K";

/** "3 s, 1,024 bytes, in sort -u" */
export function progressText(seconds: number, { outputBytes, stage }: RunProgress): string {
  return `${seconds} s, ${outputBytes.toLocaleString("en-US")} bytes${stage === undefined ? "" : `, in ${stage}`}`;
}
