/** The formats that put several names on a line: down columns, across, with commas; and one name per line. */
import type { Entry } from "./entry.ts";
import { frillsOf, frillWidths, type FrillWidths } from "./long.ts";
import { indicatorOf, type Names } from "./names.ts";
import type { Report } from "./report.ts";
import type { Settings } from "./settings.ts";

/** The narrowest column: a name of one character and two spaces. */
const MIN_COLUMN_WIDTH = 3;

export class ShortFormat {
  readonly #settings: Settings;
  readonly #names: Names;
  readonly #report: Report;
  #frills: FrillWidths = { inode: 0, blocks: 0 };

  constructor(settings: Settings, names: Names, report: Report) {
    this.#settings = settings;
    this.#names = names;
    this.#report = report;
  }

  /** Prints `shown`, aligned as `gathered`, of which they are a part. */
  *print(shown: readonly Entry[], gathered: readonly Entry[]): Generator<void> {
    const { format, lineWidth, lineEnd } = this.#settings;
    this.#frills = format === "commas" ? { inode: 0, blocks: 0 } : frillWidths(gathered, this.#settings);
    switch (format) {
      case "long":
      case "single":
        for (const entry of shown) {
          this.#printOne(entry, 0);
          this.#report.print(lineEnd);
          if (this.#report.full) yield;
        }
        return;
      case "columns":
        return lineWidth === 0 ? this.#separated(shown, " ") : this.#down(shown);
      case "across":
        return lineWidth === 0 ? this.#separated(shown, " ") : this.#across(shown);
      case "commas":
        return this.#separated(shown, ",");
    }
  }

  #printOne(entry: Entry, column: number): void {
    const frills = frillsOf(entry, this.#settings, this.#frills);
    this.#report.print(frills);
    this.#names.print(entry, column);
    this.#report.print(indicatorOf(entry, this.#settings.indicator));
  }

  #width(entry: Entry): number {
    return frillsOf(entry, this.#settings, this.#frills).length + this.#names.fullWidth(entry);
  }

  #down(shown: readonly Entry[]): void {
    const widths = shown.map((entry) => this.#width(entry));
    const columns = this.#columnWidths(widths, true);
    const rows = Math.ceil(shown.length / columns.length);
    for (let row = 0; row < rows; row++) {
      let column = 0;
      for (let at = row, nth = 0; ; nth++) {
        this.#printOne(shown[at] as Entry, column);
        const next = at + rows;
        if (next >= shown.length) break;
        this.#indent(column + (widths[at] as number), column + (columns[nth] as number));
        column += columns[nth] as number;
        at = next;
      }
      this.#report.print(this.#settings.lineEnd);
    }
  }

  #across(shown: readonly Entry[]): void {
    const widths = shown.map((entry) => this.#width(entry));
    const columns = this.#columnWidths(widths, false);
    let column = 0;
    shown.forEach((entry, at) => {
      const nth = at % columns.length;
      if (at > 0 && nth === 0) {
        this.#report.print(this.#settings.lineEnd);
        column = 0;
      } else if (at > 0) {
        const before = columns[nth - 1] as number;
        this.#indent(column + (widths[at - 1] as number), column + before);
        column += before;
      }
      this.#printOne(entry, column);
    });
    this.#report.print(this.#settings.lineEnd);
  }

  #separated(shown: readonly Entry[], separator: string): void {
    const { lineWidth, lineEnd } = this.#settings;
    let column = 0;
    shown.forEach((entry, at) => {
      const width = lineWidth === 0 ? 0 : this.#width(entry);
      if (at > 0) {
        const fits = lineWidth === 0 || column + width + 2 < lineWidth;
        column = fits ? column + 2 : 0;
        this.#report.print(separator + (fits ? " " : lineEnd));
      }
      this.#printOne(entry, column);
      column += width;
    });
    this.#report.print(lineEnd);
  }

  /** The widths of as many columns as fit on a line; all but the last with two spaces. */
  #columnWidths(widths: readonly number[], down: boolean): readonly number[] {
    const { lineWidth } = this.#settings;
    const most = Math.min(widths.length, Math.ceil(lineWidth / MIN_COLUMN_WIDTH));
    for (let count = most; count > 1; count--) {
      const columns = Array<number>(count).fill(MIN_COLUMN_WIDTH);
      const rows = Math.ceil(widths.length / count);
      let line = count * MIN_COLUMN_WIDTH;
      // GNU ls only looks at the width where a column grows: one of single letters may fill the line.
      let fits = true;
      for (let at = 0; at < widths.length && fits; at++) {
        const nth = down ? Math.floor(at / rows) : at % count;
        const wanted = (widths[at] as number) + (nth === count - 1 ? 0 : 2);
        if (wanted <= (columns[nth] as number)) continue;
        line += wanted - (columns[nth] as number);
        columns[nth] = wanted;
        fits = line < lineWidth;
      }
      if (fits) return columns;
    }
    return [Math.max(MIN_COLUMN_WIDTH, ...widths)];
  }

  /** From one column to another, by tabs where they fit. */
  #indent(from: number, to: number): void {
    const { tabWidth } = this.#settings;
    let out = "";
    for (let at = from; at < to; ) {
      if (tabWidth !== 0 && Math.floor(to / tabWidth) > Math.floor((at + 1) / tabWidth)) {
        out += "\t";
        at += tabWidth - (at % tabWidth);
      } else {
        out += " ";
        at++;
      }
    }
    this.#report.print(out);
  }
}
