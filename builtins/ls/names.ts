/** Names as they are shown: quoted, padded where others are quoted, colored, with their indicator. */
import { CUT_SHORT, isPrintable, textWidth } from "../../src/display/character-width.ts";
import { toBytes } from "../../src/io/text.ts";
import { quoteInStyle } from "../../src/display/quoting-style.ts";
import { colourSequence } from "../../src/display/colour.ts";
import { CLEAR_TO_LINE_END, RESET, colorOf } from "./colors.ts";
import type { Entry } from "./entry.ts";
import type { Report } from "./report.ts";
import type { Indicator, Settings } from "./settings.ts";

export class Names {
  readonly #settings: Settings;
  readonly #report: Report;
  /** Characters that are quoted beside those of the style: they would be taken for indicators. */
  readonly #also: string;
  /** Whether a quoted name beside it moves a bare one by a column. */
  readonly #aligns: boolean;
  #pads = false;
  #hasColored = false;
  /** Byte offsets of names and of directory headers, begin and end by turns. */
  readonly dired: number[] = [];
  readonly subdired: number[] = [];

  constructor(settings: Settings, report: Report) {
    this.#settings = settings;
    this.#report = report;
    const { quoting, indicator, format } = settings;
    const marks = indicator === "file-type" ? "*=>@|" : indicator === "classify" ? "=>@|" : "";
    this.#also = quoting === "escape" ? ` ${marks}` : marks;
    const isAligned = format === "long" || ((format === "columns" || format === "across") && settings.lineWidth > 0);
    this.#aligns = isAligned && (quoting === "shell" || quoting === "shell-escape" || quoting === "c-maybe");
  }

  /** Takes note of a new set of names that stand together. */
  begin(entries: readonly Pick<Entry, "name">[]): void {
    this.#pads = this.#aligns && entries.some((entry) => this.#quoted(entry.name) !== entry.name);
  }

  /** Columns the name takes, without its indicator. */
  width(entry: Entry): number {
    const shown = this.#shown(entry.name);
    return textWidth(shown) + (this.#padding(entry.name) ? 1 : 0);
  }

  /** Columns with the indicator. */
  fullWidth(entry: Entry): number {
    return this.width(entry) + indicatorOf(entry, this.#settings.indicator).length;
  }

  /** Bytes it takes, which GNU ls takes for columns where it asks whether a line goes on below. */
  bytes(entry: Entry): number {
    return toBytes(this.#shown(entry.name)).length + (this.#padding(entry.name) ? 1 : 0);
  }

  /** Prints the name at column `column` of its line. */
  print(entry: Entry, column: number): void {
    const padding = this.#padding(entry.name) ? " " : "";
    const color = this.#settings.color ? colorOf(entry, this.#settings.colorMark) : undefined;
    const shown = this.#shown(entry.name);
    this.#report.print(padding);
    if (color === undefined) this.#mark(shown, this.dired);
    else this.#colored(color, column, toBytes(shown).length + padding.length, () => this.#mark(shown, this.dired));
  }

  /** Prints the text of a symbolic link, colored as what it leads to where that is known. */
  printLink({ link = "", target }: Entry, column: number): void {
    const shown = this.#shown(link);
    const color =
      this.#settings.color && target !== undefined ? colorOf({ kind: target.kind, status: target }, this.#settings.colorMark) : undefined;
    if (color === undefined) this.#report.print(shown);
    else this.#colored(color, column, toBytes(shown).length, () => this.#report.print(shown));
  }

  /** What `print` prints, `bytes` long from `column` on with what stands before it, in a color. */
  #colored(color: string, column: number, bytes: number, print: () => void): void {
    const reset = colourSequence(this.#settings.colorMark, RESET);
    this.#report.printColor(`${this.#hasColored ? "" : reset}${color}`);
    this.#hasColored = true;
    print();
    this.#report.printColor(reset);
    const { lineWidth, colorMark } = this.#settings;
    if (colorMark === "" && lineWidth > 0 && Math.floor(column / lineWidth) !== Math.floor((column + bytes - 1) / lineWidth))
      this.#report.printColor(CLEAR_TO_LINE_END);
  }

  printHeader(directory: string): void {
    const { quoting } = this.#settings;
    this.#mark(this.#harmless(quoteInStyle(directory, quoting, ":")), this.subdired);
    this.#report.print(":\n");
  }

  #mark(shown: string, offsets: number[]): void {
    if (!this.#settings.dired) return this.#report.print(shown);
    const begin = this.#report.bytes;
    this.#report.print(shown);
    offsets.push(begin, this.#report.bytes);
  }

  #padding(name: string): boolean {
    return this.#pads && this.#quoted(name) === name;
  }

  #shown(name: string): string {
    return this.#harmless(this.#quoted(name));
  }

  #quoted(name: string): string {
    return quoteInStyle(name, this.#settings.quoting, this.#also);
  }

  #harmless(text: string): string {
    if (!this.#settings.hidesControls || /^[ -~]*$/.test(text)) return text;
    let out = "";
    for (const character of text.replace(CUT_SHORT, "\u0001")) out += isPrintable(character.codePointAt(0) as number) ? character : "?";
    return out;
  }
}

/** The mark after a name, or "". */
export function indicatorOf({ kind, status }: Pick<Entry, "kind" | "status">, style: Indicator): string {
  if (style === "none" || kind === undefined) return "";
  if (kind === "directory") return "/";
  if (kind === "file") return style === "classify" && status !== undefined && (status.permissions & 0o111) !== 0 ? "*" : "";
  if (style === "slash") return "";
  return kind === "symlink" ? "@" : kind === "fifo" ? "|" : kind === "socket" ? "=" : "";
}
