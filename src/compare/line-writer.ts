/** Writes single lines of a text to the output: a flag before them, tabs expanded or not, and a note on a missing newline. */
import { BlockBuilder } from "../io/output.ts";
import { isCutLine, lineEnd, type LineText } from "./line-text.ts";

export interface LineStyle {
  readonly expandTabs: boolean;
  /** -T: a tab between flag and text. */
  readonly initialTab: boolean;
  readonly tabColumns: number;
  readonly suppressBlankEmpty: boolean;
}

export class LineWriter {
  readonly out = new BlockBuilder();
  readonly style: LineStyle;

  constructor(style: LineStyle) {
    this.style = style;
  }

  text(text: string): void {
    this.out.addText(text);
  }

  /** A line after `flag` and a space or tab, with a note where its newline is missing. */
  flagged(flag: string, text: LineText, line: number): void {
    const isEmpty = lineEnd(text, line) === text.starts[line] && !isCutLine(text, line);
    const bare = this.style.suppressBlankEmpty && isEmpty;
    const before = bare ? (flag === " " ? "" : flag) : flag + (this.style.initialTab ? "\t" : " ");
    this.out.addText(before);
    this.content(text, line, before);
    this.#end(text, line);
  }

  /** A line after one character, as in the unified format. */
  marked(mark: " " | "-" | "+", text: LineText, line: number): void {
    const isEmpty = lineEnd(text, line) === text.starts[line] && !isCutLine(text, line);
    const bare = this.style.suppressBlankEmpty && isEmpty;
    if (mark === " ") {
      if (!bare) this.out.addText(this.style.initialTab ? "\t" : " ");
    } else {
      this.out.addText(this.style.initialTab && !bare ? `${mark}\t` : mark);
    }
    this.content(text, line, undefined);
    this.#end(text, line);
  }

  /** A line as it is, a missing newline left out. */
  bare(text: LineText, line: number): void {
    this.content(text, line, "");
    if (!isCutLine(text, line)) this.out.addByte(10);
  }

  #end(text: LineText, line: number): void {
    this.out.addText(isCutLine(text, line) ? "\n\\ No newline at end of file\n" : "\n");
  }

  /** The line without its newline; a carriage return inside it starts over behind the flag where tabs are expanded. */
  content(text: LineText, line: number, flag: string | undefined): void {
    const start = text.starts[line] as number;
    const end = lineEnd(text, line);
    if (!this.style.expandTabs) {
      this.out.add(text.bytes, start, end);
      return;
    }
    const { tabColumns } = this.style;
    let column = 0;
    for (let at = start; at < end; at++) {
      const byte = text.bytes[at] as number;
      if (byte === 9) {
        const width = tabColumns - (column % tabColumns);
        this.out.addText(" ".repeat(width));
        column += width;
      } else if (byte === 13) {
        this.out.addByte(byte);
        if (flag !== undefined && at + 1 < end) this.out.addText(flag);
        column = 0;
      } else if (byte === 8) {
        if (column === 0) continue;
        column--;
        this.out.addByte(byte);
      } else {
        if (byte >= 0x20 && byte < 0x7f) column++;
        this.out.addByte(byte);
      }
    }
  }
}
