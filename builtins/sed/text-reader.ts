/** The text of `a`, `i` and `c`: on the same line, or after a backslash on the next ones; it may go on in the next -e. */
import { readEscape } from "./escapes.ts";
import type { ScriptReader } from "./script-reader.ts";

export class TextReader {
  readonly #into: { text: Buffer };
  readonly #posix: boolean;
  #text = "";
  /** Nothing but `a\` was read yet. */
  #isEmpty = false;

  /** `posix`: the text begins with a backslash. */
  constructor(into: { text: Buffer }, posix: boolean) {
    this.#into = into;
    this.#posix = posix;
  }

  /** Reads what follows the command's letter; false where the text goes on in the next chunk. */
  start(reader: ScriptReader): boolean {
    reader.skipWhile(" \t\r\v\f");
    const isEscaped = reader.peek() === "\\";
    if (reader.atEnd || (this.#posix && !isEscaped)) {
      reader.isPastLine = reader.next() === "\n";
      throw reader.error("expected \\ after `a', `c' or `i'");
    }
    if (isEscaped) {
      reader.next();
      if (reader.atEnd) {
        this.#isEmpty = true;
        return false;
      }
      if (reader.peek() === "\n") reader.next();
    }
    return this.#read(reader);
  }

  /** Goes on in the next chunk; false where the text goes on in the one after it. */
  resume(reader: ScriptReader): boolean {
    if (!this.#isEmpty) this.#text += "\n";
    this.#isEmpty = false;
    return this.#read(reader);
  }

  /** There is no further chunk. */
  finish(): void {
    this.#done(this.#isEmpty ? "" : "\n");
  }

  #read(reader: ScriptReader): boolean {
    for (;;) {
      const byte = reader.next();
      if (byte === "" || byte === "\n") return this.#done("\n");
      if (byte !== "\\") {
        this.#text += byte;
        continue;
      }
      if (reader.atEnd) return false;
      const escape = readEscape(reader.text, reader.at - 1);
      this.#text += escape?.byte ?? reader.next();
      if (escape !== undefined) reader.at = escape.next;
    }
  }

  #done(end: string): true {
    this.#into.text = Buffer.from(this.#text + end, "latin1");
    return true;
  }
}
