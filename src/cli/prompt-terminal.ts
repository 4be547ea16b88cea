/**
 * The terminal of the prompt of `shelpa`. Whatever a line prints is shown with what a terminal would obey spelled out: no file, and no
 * name of one, speaks to it. Colours that a builtin sets have a mark that no data can know, because it is drawn anew for each line.
 */
import { randomBytes } from "node:crypto";
import { colourSequence } from "../display/colour.ts";
import { BEGINS_AS_OURS, escapeOf, showText } from "../display/visible.ts";
import { toText } from "../io/text.ts";
import { PagedOutput, type PagedTerminal } from "./paged-output.ts";
import { Pager } from "./pager.ts";

/** Clears the screen and what has scrolled off it, and puts the cursor at its beginning. */
const CLEAR_SCREEN = "\u001b[H\u001b[2J\u001b[3J";

const MARK_BYTES = 16;

export interface LineStreams {
  readonly stdout: ShownStream;
  readonly stderr: ShownStream;
  /** See RunRequest. */
  readonly colourMark: string | undefined;
  /** Shows the rest, and resolves once it was read. */
  readonly end: () => Promise<void>;
}

export class PromptTerminal {
  readonly #stdout: NodeJS.WriteStream;
  readonly #stderr: NodeJS.WriteStream;

  /** False where the environment says that there are to be no colours: https://no-color.org, and a terminal that has none. */
  readonly hasColours: boolean;

  constructor(
    stdout: NodeJS.WriteStream,
    stderr: NodeJS.WriteStream,
    environment: Readonly<Record<string, string | undefined>> = process.env,
  ) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    const { NO_COLOR: noColour = "", TERM: kind = "" } = environment;
    this.hasColours = stdout.isTTY && noColour === "" && kind !== "dumb";
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

  /** The prompt at `place` after a command that ended with `status`: its sign is red after one that failed. */
  promptFor(place: string, status: number): string {
    const coloured = (codes: string, text: string): string =>
      this.hasColours ? `${colourSequence("", codes)}${text}${colourSequence("", "0")}` : text;
    return `${coloured("32", "shelpa")}:${coloured("01;34", place)}${coloured(status === 0 ? "32" : "31", "$ ")}`;
  }

  /** The two streams of a line that is about to run; `reading` is what a page that waits is told by, undefined for none. */
  streams(reading: Omit<PagedTerminal, "output"> | undefined): LineStreams {
    const colourMark = this.hasColours ? randomBytes(MARK_BYTES).toString("hex") : undefined;
    const { rows, columns } = this.#stdout;
    // A terminal of which no size is known has none.
    const isPaged = reading !== undefined && this.#stdout.isTTY && rows > 1 && columns > 1;
    const paged = isPaged ? new PagedOutput(new Pager({ rows, columns }), { ...reading, output: this.#stdout }) : undefined;
    const send = (stream: NodeJS.WriteStream) => (text: string) =>
      paged !== undefined && stream.isTTY ? paged.write(text) : written(stream, text);
    const stdout = new ShownStream(send(this.#stdout), colourMark);
    const stderr = new ShownStream(send(this.#stderr));
    const end = async (): Promise<void> => {
      for (const stream of [stdout, stderr]) stream.end();
      await paged?.end();
    };
    return { stdout, stderr, colourMark, end };
  }
}

/** Resolves once the terminal has room again: an endless line must not fill our memory. */
function written(stream: NodeJS.WriteStream, text: string): void | Promise<void> {
  if (stream.write(text)) return;
  return new Promise((resolve) => void stream.once("drain", resolve));
}

/** One stream of a line, shown as it comes. */
class ShownStream {
  readonly #send: (text: string) => void | Promise<void>;
  readonly #text: ShownText;

  constructor(send: (text: string) => void | Promise<void>, colourMark?: string) {
    this.#send = send;
    this.#text = new ShownText(colourMark);
  }

  readonly write = (bytes: Uint8Array): void | Promise<void> => this.#send(this.#text.next(bytes));

  /** Shows the bytes that were kept back, because more of their character might have come. */
  end(): void {
    void this.#send(this.#text.end());
  }
}

/** Bytes → the text that stands for them on a terminal, block by block. */
export class ShownText {
  #rest: Uint8Array = new Uint8Array();
  #isAtLineStart = true;
  #isColoured = false;
  readonly #mark: string | undefined;
  readonly #sequence: RegExp | undefined;

  /** `colourMark`: that of the sequences which are shown as colours; it is letters and digits. */
  constructor(colourMark?: string) {
    this.#mark = colourMark;
    this.#sequence = colourMark === undefined ? undefined : new RegExp(`\\u001b\\[${colourMark}([\\d;]*)m`);
  }

  next(bytes: Uint8Array): string {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const whole = all.length - Math.max(unfinishedBytes(all), this.#unfinishedSequence(all));
    // A copy, because the block is its producer's again.
    this.#rest = Buffer.from(all.subarray(whole));
    return this.#shown(all.subarray(0, whole));
  }

  end(): string {
    const rest = this.#rest;
    this.#rest = new Uint8Array();
    // A line that was ended early leaves no colour behind.
    const reset = this.#isColoured ? colourSequence("", "0") : "";
    this.#isColoured = false;
    return `${this.#shown(rest)}${reset}`;
  }

  /** Length of a beginning of a sequence of ours at the end of `bytes`. */
  #unfinishedSequence(bytes: Uint8Array): number {
    if (this.#mark === undefined) return 0;
    const longest = this.#mark.length + MOST_CODES;
    const from = Math.max(0, bytes.length - longest);
    const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).lastIndexOf(ESCAPE);
    if (at < from) return 0;
    const tail = toText(bytes.subarray(at));
    const beginning = colourSequence(this.#mark, "").slice(0, -1);
    const isBeginning = beginning.startsWith(tail) || (tail.startsWith(beginning) && /^[\d;]*$/.test(tail.slice(beginning.length)));
    return isBeginning ? bytes.length - at : 0;
  }

  #shown(bytes: Uint8Array): string {
    if (bytes.length === 0) return "";
    // In the middle of a line nothing begins as a line of ours does.
    const before = this.#isAtLineStart ? "" : " ";
    this.#isAtLineStart = bytes.at(-1) === NEWLINE;
    const text = before + toText(bytes);
    if (this.#sequence === undefined) return showText(text).slice(before.length);
    // Texts and codes by turns.
    const parts = text.split(this.#sequence);
    const codes = parts.filter((_, at) => at % 2 === 1).at(-1);
    if (codes !== undefined) this.#isColoured = codes !== "" && codes !== "0";
    const shown = withoutOurs(parts.filter((_, at) => at % 2 === 0));
    return parts
      .map((part, at) => (at % 2 === 0 ? (shown[at / 2] ?? "") : colourSequence("", part)))
      .join("")
      .slice(before.length);
  }
}

/** `texts`, which follow one another, each shown as `showText` would show it among the others. */
function withoutOurs(texts: readonly string[]): readonly string[] {
  const places = new Set([...texts.join("").matchAll(BEGINS_AS_OURS)].map(({ index }) => index));
  let offset = 0;
  return texts.map((text) => {
    let shown = "";
    let from = 0;
    for (let at = 0; places.size > 0 && at < text.length; at++) {
      if (!places.has(offset + at)) continue;
      shown += withinLine(text.slice(from, at)) + escapeOf(text.charAt(at));
      from = at + 1;
    }
    offset += text.length;
    return shown + withinLine(text.slice(from));
  });
}

/** A text in front of which its line has begun, or of whose beginning it is known that it is no beginning of ours. */
const withinLine = (text: string): string => showText(` ${text}`).slice(1);

/** Room for the codes of one sequence, in characters. */
const MOST_CODES = 40;
const ESCAPE = 27;
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
