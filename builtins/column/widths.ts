/** Widths of a table's columns: as wide as their text, or less if the table would be wider than the output. */
import { cellWidth } from "./cell-width.ts";
import type { TableColumn } from "./table.ts";

/** A cell is extreme that is wider than so many times the average of its column. */
const EXTREME = 2;

/** What is known of a column's width, in characters' columns. */
interface Measured {
  readonly column: TableColumn;
  width: number;
  least: number;
  widest: number;
  average: number;
  hasExtremes: boolean;
}

/**
 * Widths by the columns' places; 0 of one that is hidden. `cellOf` gives the text of a row in a column, or undefined.
 * As libsmartcols: first the extreme cells give way, then the columns that may be cut or broken, each by one in turn.
 */
export function widthsOf(
  columns: readonly TableColumn[],
  rows: readonly number[],
  cellOf: (row: number, column: TableColumn) => string,
  separatorWidth: number,
  outputWidth: number,
): number[] {
  const all = columns.map((column): Measured => ({ column, width: 0, least: 0, widest: 0, average: 0, hasExtremes: false }));
  const shown = all.filter(({ column }) => !column.isHidden);
  for (const measured of shown) measure(measured, rows, cellOf);
  let total = shown.reduce((sum, { width }) => sum + width, 0) + Math.max(0, shown.length - 1) * separatorWidth;
  let extremes = shown.filter(({ hasExtremes }) => hasExtremes).length;
  if (total > outputWidth && extremes > 0) {
    for (const measured of shown) {
      if (!measured.hasExtremes) continue;
      const before = measured.width;
      measure(measured, rows, cellOf);
      if (before > measured.width) total -= before - measured.width;
      else extremes--;
    }
  }
  if (total < outputWidth && extremes > 0) {
    for (const measured of shown) {
      if (!measured.hasExtremes) continue;
      const more = Math.min(outputWidth - total, Math.max(0, measured.widest - measured.width));
      measured.width += more;
      total += more;
      if (total === outputWidth) break;
    }
  }
  const last = all.at(-1);
  if (total < outputWidth && last !== undefined && !last.column.isRight) {
    last.width += outputWidth - total;
    total = outputWidth;
  }
  const giving = shown.filter(({ column }) => column.truncates || column.wraps);
  for (let isReduced = true; total > outputWidth && isReduced; ) {
    isReduced = false;
    for (const measured of giving) {
      if (total <= outputWidth) break;
      if (measured.width === measured.least || measured.width === 0) continue;
      measured.width--;
      total--;
      isReduced = true;
    }
  }
  return all.map(({ width }) => width);
}

/** The first time all cells count, the second time no extreme one. */
function measure(measured: Measured, rows: readonly number[], cellOf: (row: number, column: TableColumn) => string): void {
  const { column, hasExtremes, average } = measured;
  const isFirst = measured.least === 0;
  if (isFirst) measured.least = Math.max(1, cellWidth(column.name ?? ""));
  let [width, sum, count] = [0, 0, 0];
  for (const row of rows) {
    const cell = cellWidth(cellOf(row, column));
    if (cell > measured.widest) measured.widest = cell;
    if (hasExtremes && average > 0 && cell > average * EXTREME) continue;
    sum += cell;
    count++;
    if (cell > width) width = cell;
  }
  if (column.ignoresExtremes && average === 0 && count > 0) {
    measured.average = Math.floor(sum / count);
    measured.hasExtremes = measured.average > 0 && measured.widest > measured.average * EXTREME;
  }
  measured.width = Math.max(width, measured.least);
  if (isFirst && column.name === undefined && measured.widest === 0) measured.width = measured.least = 0;
}
