/** Output of a bc program that is not handed on yet: both streams, in their order. Text is Latin-1. */

export interface Printed {
  readonly to: "stdout" | "stderr";
  readonly text: string;
}

export class Transcript {
  #parts: Printed[] = [];
  #text = "";
  #length = 0;
  #column = 0;
  /** Columns of a line, the backslash and the newline among them; 0: lines are not broken. */
  readonly #lineColumns: number;

  constructor(lineColumns: number) {
    this.#lineColumns = lineColumns;
  }

  get length(): number {
    return this.#length;
  }

  /** Prints; a line that gets too long is broken behind a backslash. */
  print(text: string): void {
    for (let at = 0; at < text.length; ) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline;
      this.#printOnLine(text.slice(at, end));
      if (newline >= 0) {
        this.#write("\n");
        this.#column = 0;
      }
      at = end + 1;
    }
  }

  #printOnLine(text: string): void {
    const most = this.#lineColumns - 2;
    if (this.#lineColumns === 0) return this.#write(text);
    for (let at = 0; at < text.length; ) {
      if (this.#column >= most) {
        this.#write("\\\n");
        this.#column = 0;
      }
      const piece = text.slice(at, at + most - this.#column);
      this.#write(piece);
      this.#column += piece.length;
      at += piece.length;
    }
  }

  /** Prints as it is: lines are not broken. */
  printStraight(text: string): void {
    this.#write(text);
    if (text.endsWith("\n")) this.#column = 0;
  }

  tell(message: string): void {
    this.#flush();
    this.#parts.push({ to: "stderr", text: `${message}\n` });
    this.#length += message.length;
  }

  /** All that was printed since the last time. */
  take(): readonly Printed[] {
    this.#flush();
    const parts = this.#parts;
    this.#parts = [];
    this.#length = 0;
    return parts;
  }

  /** A newline was read from standard input in the midst of a number: the line is taken to be empty again. */
  forgetColumn(): void {
    this.#column = 0;
  }

  #write(text: string): void {
    this.#text += text;
    this.#length += text.length;
  }

  #flush(): void {
    if (this.#text !== "") this.#parts.push({ to: "stdout", text: this.#text });
    this.#text = "";
  }
}
