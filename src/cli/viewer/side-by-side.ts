/** Two texts as rows of a side-by-side display, without equal lines far from any change. */
import { changesBetween } from "../../compare/changes.ts";
import { lineEnd, lineText, type LineText } from "../../compare/line-text.ts";
import { ORDINARY_COMPARISON } from "../../compare/unified-diff.ts";
import { showText } from "../../display/visible.ts";

/** Line numbers are from 1. A side without a line is null. */
export interface DiffRow {
  readonly kind: "same" | "changed" | "removed" | "added" | "gap";
  readonly old: DiffLine | null;
  readonly now: DiffLine | null;
}

interface DiffLine {
  readonly number: number;
  readonly text: string;
}

const CONTEXT_LINES = 4;
const MOST_ROWS = 5000;
const MOST_LINE_CHARACTERS = 2000;

/** The rows, at most 5,000; `isCut` where there are more. */
export function sideBySide(oldBytes: Buffer, newBytes: Buffer): { readonly rows: readonly DiffRow[]; readonly isCut: boolean } {
  const old = lineText(oldBytes);
  const now = lineText(newBytes);
  const rows: DiffRow[] = [];
  let at = 0;
  let offset = 0;
  const same = (from: number, to: number): void => {
    for (let line = from; line < to; line++) rows.push({ kind: "same", old: shown(old, line), now: shown(now, line + offset) });
  };
  const changes = changesBetween(old, now, ORDINARY_COMPARISON);
  for (const { oldFrom, removed, newFrom, added } of changes) {
    const isFar = oldFrom - at > 2 * CONTEXT_LINES + 1;
    if (isFar) {
      same(at, at === 0 ? 0 : at + CONTEXT_LINES);
      rows.push({ kind: "gap", old: null, now: null });
    }
    same(isFar ? oldFrom - CONTEXT_LINES : at, oldFrom);
    for (let line = 0; line < Math.max(removed, added); line++) {
      const left = line < removed ? shown(old, oldFrom + line) : null;
      const right = line < added ? shown(now, newFrom + line) : null;
      rows.push({ kind: left === null ? "added" : right === null ? "removed" : "changed", old: left, now: right });
    }
    at = oldFrom + removed;
    offset = newFrom + added - at;
    if (rows.length > MOST_ROWS) return { rows: rows.slice(0, MOST_ROWS), isCut: true };
  }
  if (changes.length > 0) same(at, Math.min(old.lineCount, at + CONTEXT_LINES));
  if (changes.length > 0 && at + CONTEXT_LINES < old.lineCount) rows.push({ kind: "gap", old: null, now: null });
  return { rows, isCut: false };
}

function shown(text: LineText, line: number): DiffLine {
  const bytes = text.bytes.subarray(text.starts[line] as number, lineEnd(text, line));
  return { number: line + 1, text: showText(bytes.toString("utf8").slice(0, MOST_LINE_CHARACTERS)) };
}
