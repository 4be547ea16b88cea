/** A table as text: columns aligned, cells cut or broken to fit, a tree drawn before the text of its column. */
import { characterWidth } from "../../src/display/character-width.ts";
import { toBytes, toText } from "../../src/io/text.ts";
import { cellWidth } from "./cell-width.ts";
import { ASCII_TREE, artOf, UTF8_TREE } from "./line-tree.ts";
import type { LaidOutTable, TableColumn, TableRow } from "./table.ts";
import { widthsOf } from "./widths.ts";

/** Lines on a page where no terminal says how many: the header is repeated after them. */
const PAGE_LINES = 24;

export interface TextLayout {
  readonly separator: string;
  /** In characters' columns. */
  readonly outputWidth: number;
  readonly hasHeader: boolean;
  readonly repeatsHeader: boolean;
  /** In the locale C a tree is drawn in ASCII. */
  readonly isAscii: boolean;
}

/** Yields lines, each with its newline. */
export function* textTable({ columns, rows, tree }: LaidOutTable, layout: TextLayout): Generator<string, void> {
  const { separator, outputWidth } = layout;
  const art = tree && artOf(tree, layout.isAscii ? ASCII_TREE : UTF8_TREE);
  const vertical = (layout.isAscii ? ASCII_TREE : UTF8_TREE).vertical;
  const order = tree === undefined ? [...rows.keys()] : [...tree.order()];
  const cellOf = (row: number, { index, isTree }: TableColumn): string => {
    const text = (rows[row] as TableRow)[index] ?? "";
    return isTree ? (art?.before[row] ?? "") + text : text;
  };
  const widths = widthsOf(columns, order, cellOf, cellWidth(separator), outputWidth);
  let lastShown = columns.length - 1;
  while (columns[lastShown]?.isHidden === true) lastShown--;
  const isLast = (at: number): boolean => at >= lastShown;
  const widthAt = (at: number): number => widths[at] as number;
  let lines = 0;

  /** What stands for a cell that has no text on this line; `hasMore`: its row goes on there. */
  const emptyCell = (at: number, row: number | undefined, hasMore: boolean): string => {
    let drawn = "";
    if (row !== undefined && columns[at]?.isTree === true)
      drawn = (art?.under[row] ?? "") + (hasMore && (tree?.children[row]?.length ?? 0) > 0 ? vertical : "");
    if (isLast(at)) return drawn;
    return drawn + " ".repeat(Math.max(0, widthAt(at) - cellWidth(drawn))) + separator;
  };

  /** All lines that a row takes. */
  const lineOf = (text: (column: TableColumn) => string, row: number | undefined): string => {
    let line = "";
    const pending = new Map<number, string>();
    const put = (at: number, rest: string): void => void (rest !== "" && pending.set(at, rest));
    for (const [at, column] of columns.entries()) {
      if (column.isHidden) continue;
      let cell = text(column);
      let width = widthAt(at);
      let taken = cellWidth(cell);
      if (isLast(at) && taken < width && !column.isRight) width = taken;
      if (taken > width && column.truncates) [cell, taken] = cutTo(cell, width);
      if (taken > width && column.wraps) {
        const whole = cell;
        [cell, taken] = cutTo(cell, width);
        put(at, afterPart(whole, cell));
      }
      if (column.isRight && cell !== "") {
        line += " ".repeat(Math.max(0, width - taken));
        taken = width;
      }
      line += cell;
      if (isLast(at)) continue;
      line += " ".repeat(Math.max(0, width - taken));
      if (taken <= width || column.truncates) line += separator;
      else {
        // The next column starts under its place on a new line.
        line += "\n";
        lines++;
        for (let before = 0; before <= at; before++) line += emptyCell(before, row, false);
      }
    }
    while (pending.size > 0) {
      line += "\n";
      lines++;
      for (const [at, column] of columns.entries()) {
        if (column.isHidden) continue;
        const rest = pending.get(at);
        if (rest === undefined) {
          line += emptyCell(at, row, true);
          continue;
        }
        let [cell, taken] = [rest, cellWidth(rest)];
        pending.delete(at);
        if (taken > widthAt(at)) {
          [cell, taken] = cutTo(rest, widthAt(at));
          put(at, afterPart(rest, cell));
        }
        line += cell;
        if (!isLast(at)) line += " ".repeat(Math.max(0, widthAt(at) - taken)) + separator;
      }
    }
    lines++;
    return `${line}\n`;
  };

  const header = (): string => lineOf(({ name }) => name ?? "", undefined);
  if (layout.hasHeader) yield header();
  let nextHeader = lines + PAGE_LINES;
  for (const [at, row] of order.entries()) {
    yield lineOf((column) => cellOf(row, column), row);
    if (layout.hasHeader && layout.repeatsHeader && tree === undefined && at + 1 < order.length && nextHeader <= lines) {
      yield header();
      nextHeader = lines + PAGE_LINES;
    }
  }
}

/** The first characters of `text` that fit, a control among them as U+FFFD, and the width that they take. */
function cutTo(text: string, width: number): [string, number] {
  let [part, taken] = ["", 0];
  for (const character of text) {
    const own = characterWidth(character.codePointAt(0) as number);
    if (taken + Math.abs(own) > width) break;
    part += own < 0 ? "\ufffd" : character;
    taken += Math.abs(own);
  }
  // It is written over the text itself, whose end it cannot pass.
  for (const most = toBytes(text).length; Buffer.byteLength(part) > most; ) part = part.slice(0, -1);
  return [part, taken];
}

/**
 * What is left of `text` after as many bytes as `part` has. A character that is wider than its column would never be printed, and
 * the real tool does not end then: it is left out.
 */
function afterPart(text: string, part: string): string {
  if (part === "") return [...text].slice(1).join("");
  return toText(toBytes(text).subarray(Buffer.byteLength(part)));
}
