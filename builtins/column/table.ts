/** Lines as a table: fields become cells, columns as wide as their widest cell. */
import { textWidth } from "../../src/io/character-width.ts";

/** What ends the stage with exit status 1, without a word where there is no message. */
export class ColumnFault extends Error {
  override readonly name = "ColumnFault";
}

export interface TableShape {
  /** Each of these characters ends a field. */
  readonly separators: string;
  /** Several separators in a row are one, and those around the line none. */
  readonly mergesSeparators: boolean;
  /** The last of so many columns takes the rest of the line. */
  readonly limit: number | undefined;
  readonly names: readonly string[];
}

/** Columns by name or by number from 1. */
export interface TableLayout {
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  readonly right: readonly string[];
}

export class Table {
  readonly #shape: TableShape;
  readonly #rows: string[][] = [];
  #columns: number;

  constructor(shape: TableShape) {
    this.#shape = shape;
    this.#columns = shape.names.length;
  }

  add(line: string): void {
    const cells = this.#cellsOf(line);
    this.#columns = Math.max(this.#columns, cells.length);
    this.#rows.push(cells);
  }

  #cellsOf(line: string): string[] {
    const { separators, mergesSeparators, limit = Infinity } = this.#shape;
    const isSeparator = (at: number): boolean => separators.includes(line.charAt(at));
    const cells: string[] = [];
    let start = 0;
    if (line === "") return cells;
    for (;;) {
      if (mergesSeparators) while (start < line.length && isSeparator(start)) start++;
      if (mergesSeparators && start >= line.length) return cells;
      if (cells.length + 1 >= limit) {
        cells.push(line.slice(start));
        return cells;
      }
      let end = start;
      while (end < line.length && !isSeparator(end)) end++;
      cells.push(line.slice(start, end));
      if (end >= line.length) return cells;
      start = end + 1;
    }
  }

  /** Throws ColumnFault for a name that is none. */
  *asText(layout: TableLayout, separator: string, hasHeader: boolean): Generator<string, void> {
    if (this.#rows.length === 0) return;
    const shown = this.#shown(layout);
    const right = this.#chosen(layout.right);
    // Rows without a column, which are empty lines that were kept: libsmartcols prints no such table.
    if (this.#columns === 0) throw new ColumnFault();
    const { names } = this.#shape;
    const widths = new Map(shown.map((column) => [column, textWidth(names[column] ?? "")]));
    for (const row of this.#rows) {
      for (const column of shown) widths.set(column, Math.max(widths.get(column) ?? 0, textWidth(row[column] ?? "")));
    }
    const lineOf = (cells: readonly string[]): string => {
      let line = "";
      shown.forEach((column, at) => {
        const cell = cells[column] ?? "";
        const isLast = at + 1 === shown.length;
        const padding = " ".repeat((widths.get(column) ?? 0) - textWidth(cell));
        if (right.has(column)) line += isLast && cell === "" ? "" : padding + cell;
        else line += isLast ? cell : cell + padding;
        if (!isLast) line += separator;
      });
      return `${line}\n`;
    };
    if (hasHeader) yield lineOf(names);
    for (const row of this.#rows) yield lineOf(row);
  }

  /** Throws ColumnFault for a column without a name. */
  *asJson(layout: TableLayout, title: string): Generator<string, void> {
    if (this.#rows.length === 0) return;
    const { names } = this.#shape;
    this.#rows.forEach((row, at) => {
      if (row.length > names.length)
        throw new ColumnFault(`line ${at + 1}: for JSON the name of the column ${names.length + 1} is required`);
    });
    const shown = this.#shown(layout);
    yield `{\n   ${JSON.stringify(title)}: [\n`;
    for (const [at, row] of this.#rows.entries()) {
      const members = shown.map((column) => {
        const cell = row[column];
        return `         ${JSON.stringify((names[column] ?? "").toLowerCase())}: ${cell === undefined || cell === "" ? "null" : JSON.stringify(cell)}`;
      });
      yield `${at === 0 ? "      " : ","}{\n${members.join(",\n")}\n      }`;
    }
    yield "\n   ]\n}\n";
  }

  #shown({ order, hidden }: TableLayout): number[] {
    const first = this.#chosen(order);
    const left = this.#chosen(hidden);
    const all = [...first, ...Array.from({ length: this.#columns }, (_, at) => at).filter((at) => !first.has(at))];
    return all.filter((at) => !left.has(at));
  }

  /** The columns that are meant; a number past the last column means none. */
  #chosen(specs: readonly string[]): Set<number> {
    const chosen = new Set<number>();
    const { names } = this.#shape;
    const all = Array.from({ length: this.#columns }, (_, at) => at);
    for (const spec of specs) {
      if (spec === "") continue;
      if (spec === "-") for (const at of all.slice(names.length)) chosen.add(at);
      else if (spec === "0") for (const at of all) chosen.add(at);
      else if (/^\d+$/.test(spec)) {
        if (Number(spec) <= this.#columns) chosen.add(Number(spec) - 1);
      } else {
        const at = names.indexOf(spec);
        if (at < 0) throw new ColumnFault(`undefined column name '${spec}'`);
        chosen.add(at);
      }
    }
    return chosen;
  }
}
