/**
 * The terminal of the prompt of `shelpa`. Whatever a line prints is shown with what a terminal would obey spelled out: no file, and no
 * name of one, speaks to it.
 */
import { showText } from "../display/visible.ts";
import { toText } from "../io/text.ts";

/** Clears the screen and what has scrolled off it, and puts the cursor at its beginning. */
const CLEAR_SCREEN = "\u001b[H\u001b[2J\u001b[3J";

export class PromptTerminal {
  readonly #stdout: NodeJS.WriteStream;
  readonly #stderr: NodeJS.WriteStream;

  constructor(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream) {
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  /** Prints a line of ours. */
  say(text: string): void {
    this.#stdout.write(`${showText(text)}\n`);
  }

  /** Prints a message in bash's name. */
  complain(message: string): void {
    this.#stderr.write(`bash: ${showText(message)}\n`);
  }

  clear(): void {
    this.#stdout.write(CLEAR_SCREEN);
  }

  /** The two streams of a line that is about to run. */
  streams(): { readonly stdout: ShownStream; readonly stderr: ShownStream } {
    return { stdout: new ShownStream(this.#stdout), stderr: new ShownStream(this.#stderr) };
  }
}

/** One stream of a line, shown on the terminal as it comes. */
export class ShownStream {
  readonly #terminal: Pick<NodeJS.WriteStream, "write" | "once">;
  readonly #text = new ShownText();

  constructor(terminal: Pick<NodeJS.WriteStream, "write" | "once">) {
    this.#terminal = terminal;
  }

  /** Resolves once the terminal has room again: an endless line must not fill our memory. */
  readonly write = (bytes: Uint8Array): void | Promise<void> => {
    if (this.#terminal.write(this.#text.next(bytes))) return;
    return new Promise((resolve) => void this.#terminal.once("drain", resolve));
  };

  /** Shows the bytes that were kept back, because more of their character might have come. */
  end(): void {
    const rest = this.#text.end();
    if (rest !== "") this.#terminal.write(rest);
  }
}

/** Bytes → the text that stands for them on a terminal, block by block. */
export class ShownText {
  #rest: Uint8Array = new Uint8Array();
  #isAtLineStart = true;

  next(bytes: Uint8Array): string {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const whole = all.length - unfinishedBytes(all);
    // A copy, because the block is its producer's again.
    this.#rest = Buffer.from(all.subarray(whole));
    return this.#shown(all.subarray(0, whole));
  }

  end(): string {
    const rest = this.#rest;
    this.#rest = new Uint8Array();
    return this.#shown(rest);
  }

  #shown(bytes: Uint8Array): string {
    if (bytes.length === 0) return "";
    // In the middle of a line nothing begins as a line of ours does.
    const before = this.#isAtLineStart ? "" : " ";
    this.#isAtLineStart = bytes.at(-1) === NEWLINE;
    return showText(before + toText(bytes)).slice(before.length);
  }
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** Length of the end of `bytes` that may be the beginning of a character, or of a line end, that comes with the next block. */
function unfinishedBytes(bytes: Uint8Array): number {
  if (bytes.at(-1) === CARRIAGE_RETURN) return 1;
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes.at(-back) ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}
