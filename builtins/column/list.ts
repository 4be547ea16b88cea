/** Lines as a list in columns, with tabs between them. */
import { cellWidth } from "./cell-width.ts";

const TAB = 8;
const nextStop = (at: number): number => at + TAB - (at % TAB);

/** Down the columns. */
export function* filledColumns(lines: readonly string[], width: number): Generator<string, void> {
  const { cell, columns: fitting } = shape(lines, width);
  const columns = Math.max(1, fitting);
  const rows = Math.ceil(lines.length / columns);
  for (let row = 0; row < rows; row++) {
    const parts: string[] = [];
    for (let at = row; at < lines.length; at += rows) parts.push(lines[at] as string);
    yield aligned(parts, cell);
  }
}

/** Along the rows. */
export function* filledRows(lines: readonly string[], width: number): Generator<string, void> {
  const { cell, columns: fitting, isSimple } = shape(lines, width);
  // Where not even one fits, with the tab after it, the real tool never ends a row.
  const columns = fitting === 0 ? Math.max(1, lines.length) : fitting;
  for (let at = 0; at < lines.length; at += columns) {
    const parts = lines.slice(at, at + columns);
    const row = aligned(parts, cell);
    // A last row that takes no room, of no character or of such as have no width, gets no newline of its own.
    const isEnded = isSimple || at + columns < lines.length || parts.length > 1 || cellWidth(parts[0] as string) > 0;
    yield isEnded ? row : row.slice(0, -1);
  }
}

function shape(lines: readonly string[], width: number): { cell: number; columns: number; isSimple: boolean } {
  let widest = 0;
  for (const line of lines) widest = Math.max(widest, cellWidth(line));
  // As the lines are, one below the other.
  if (widest >= width) return { cell: width, columns: 1, isSimple: true };
  const cell = nextStop(widest);
  return { cell, columns: Math.floor(width / cell), isSimple: false };
}

function aligned(parts: readonly string[], cell: number): string {
  let line = "";
  let at = 0;
  parts.forEach((part, index) => {
    line += part;
    at += cellWidth(part);
    if (index + 1 === parts.length) return;
    for (const end = (index + 1) * cell; nextStop(at) <= end; at = nextStop(at)) line += "\t";
  });
  return `${line}\n`;
}
