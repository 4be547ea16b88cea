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

/** Interval between updates of the progress shown on a terminal, in milliseconds. */
const PROGRESS_INTERVAL_MS = 1000;
const NEWLINE = 10;

/** The progress of one running line, told each second while its output stands at the beginning of a terminal line. */
export class RunningProgress {
  readonly #shown: ProgressLine;
  readonly #timer: NodeJS.Timeout;
  #seconds = 0;
  #now: RunProgress = { outputBytes: 0, stage: undefined };
  #isAtLineStart = true;
  #isSilent = false;

  constructor(terminal: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">) {
    this.#shown = new ProgressLine(terminal);
    this.#timer = setInterval(() => {
      this.#seconds++;
      // Progress must not overwrite an unfinished line of output on the terminal.
      if (this.#isAtLineStart && !this.#isSilent) this.#shown.show(progressText(this.#seconds, this.#now));
    }, PROGRESS_INTERVAL_MS);
  }

  /** False where the last byte that the line printed was no newline. */
  get isAtLineStart(): boolean {
    return this.#isAtLineStart;
  }

  told(now: RunProgress): void {
    this.#now = now;
  }

  /** The same `write`, which the progress makes room for. */
  cleared(write: (bytes: Uint8Array) => void | Promise<void>): (bytes: Uint8Array) => void | Promise<void> {
    return (bytes) => {
      this.#shown.clear();
      this.#isAtLineStart = bytes.at(-1) === NEWLINE;
      return write(bytes);
    };
  }

  clear(): void {
    this.#shown.clear();
  }

  /** Tells nothing more: somebody reads the output. */
  silence(): void {
    this.#isSilent = true;
    this.#shown.clear();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#shown.clear();
  }
}

/** "3 s, 1,024 bytes, in sort -u" */
export function progressText(seconds: number, { outputBytes, stage }: RunProgress): string {
  return `${seconds} s, ${outputBytes.toLocaleString("en-US")} bytes${stage === undefined ? "" : `, in ${stage}`}`;
}
