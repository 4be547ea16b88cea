/** Lines as a table: cells, and the columns that are shown, in their order. */
import { type LineTree, treeOf } from "./line-tree.ts";

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
  readonly truncated: readonly string[];
  readonly wrapped: readonly string[];
  /** Columns whose unusually long cells do not count for their width; undefined: the last one that is shown. */
  readonly noExtremes: readonly string[] | undefined;
  readonly tree: { readonly column: string; readonly id: string; readonly parent: string } | undefined;
}

/** One column as it is to be printed. */
export interface TableColumn {
  /** Of its cells in a row. */
  readonly index: number;
  /** undefined where it has no name. */
  readonly name: string | undefined;
  readonly isRight: boolean;
  readonly truncates: boolean;
  readonly wraps: boolean;
  readonly ignoresExtremes: boolean;
  readonly isHidden: boolean;
  readonly isTree: boolean;
}

/** A row's cells; what it lacks is undefined. */
export type TableRow = readonly string[];

/** Everything that printing needs. */
export interface LaidOutTable {
  /** In the order of printing, hidden ones too. */
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly tree: LineTree | undefined;
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
    const ends: number[] = [];
    let [start, rest] = [0, 0];
    if (line === "") return cells;
    for (;;) {
      if (cells.length + 1 >= limit) {
        // The real tool takes the fields before for one separator apart, and cuts the line where the first one behind that place ended.
        if (rest < line.length)
          cells.push(
            line.slice(
              rest,
              ends.find((end) => end >= rest),
            ),
          );
        return cells;
      }
      if (mergesSeparators) while (start < line.length && isSeparator(start)) start++;
      if (mergesSeparators && start >= line.length) return cells;
      let end = start;
      while (end < line.length && !isSeparator(end)) end++;
      if (cells.length === 0) rest = start;
      cells.push(line.slice(start, end));
      ends.push(end);
      rest += end - start + 1;
      if (end >= line.length && cells.length + 1 < limit) return cells;
      start = end + 1;
    }
  }

  get rowCount(): number {
    return this.#rows.length;
  }

  /** The first row with more cells than there are names, from 1; counted as the real tool does, where it has begun with that row. */
  firstUnnamed(): number | undefined {
    const { names } = this.#shape;
    const at = this.#rows.findIndex((row) => row.length > names.length);
    return at < 0 ? undefined : at + (names.length === 0 ? 1 : 2);
  }

  /** Throws ColumnFault for a name that is none. The flags are looked at in the real tool's order, for its messages. */
  laidOut({ order, hidden, right, truncated, wrapped, noExtremes, tree }: TableLayout): LaidOutTable {
    const { names } = this.#shape;
    const isRight = this.#chosen(right);
    const truncates = this.#chosen(truncated);
    const ignoresExtremes = this.#chosen(noExtremes ?? []);
    const wraps = this.#chosen(wrapped);
    const isHidden = this.#chosen(hidden.filter((spec) => spec !== "-"));
    if (hidden.includes("-")) for (let at = names.length; at < this.#columns; at++) isHidden.add(at);
    if (noExtremes === undefined) {
      let last = this.#columns - 1;
      while (isHidden.has(last)) last--;
      ignoresExtremes.add(last);
    }
    const treeColumns = tree && { column: this.#column(tree.column), parent: this.#column(tree.parent), id: this.#column(tree.id) };
    const isDrawn = treeColumns?.column !== undefined && treeColumns.parent !== undefined && treeColumns.id !== undefined;
    const first = new Set(order.map((spec) => this.#column(spec)).filter((at) => at !== undefined));
    const all = [...first];
    for (let at = 0; at < this.#columns; at++) if (!first.has(at)) all.push(at);
    return {
      columns: all.map((index) => ({
        index,
        name: names[index],
        isRight: isRight.has(index),
        truncates: truncates.has(index),
        wraps: wraps.has(index),
        ignoresExtremes: ignoresExtremes.has(index),
        isHidden: isHidden.has(index),
        isTree: isDrawn && treeColumns.column === index,
      })),
      rows: this.#rows,
      tree: isDrawn ? treeOf(this.#rows, treeColumns.id as number, treeColumns.parent as number) : undefined,
    };
  }

  /** The columns that are meant. 0 means all of them. */
  #chosen(specs: readonly string[]): Set<number> {
    const chosen = new Set<number>();
    for (const spec of specs) {
      if (spec === "0") for (let at = 0; at < this.#columns; at++) chosen.add(at);
      else {
        const at = this.#column(spec);
        if (at !== undefined) chosen.add(at);
      }
    }
    return chosen;
  }

  /** Index of a column; undefined for a number that none has. */
  #column(spec: string): number | undefined {
    if (/^\d+$/.test(spec)) {
      const number = Number(spec);
      if (number >= 2 ** 32) throw new ColumnFault(`failed to parse column: '${spec}': Numerical result out of range`);
      return number > 0 && number <= this.#columns ? number - 1 : undefined;
    }
    const at = this.#shape.names.findIndex((name) => inAsciiLowerCase(name) === inAsciiLowerCase(spec));
    if (at < 0) throw new ColumnFault(`undefined column name '${spec}'`);
    return at;
  }
}

/** As strcasecmp(3) sees it in C.UTF-8. */
export const inAsciiLowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
