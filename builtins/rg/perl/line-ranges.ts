/** Ranges of lines in a buffer (crates/searcher/src/lines.rs of ripgrep). */
import type { Span } from "../../../src/regex/text-pattern.ts";

const NEWLINE = 10;

/** End of the line that begins at `from`, behind its newline; `to` for a last line that has none. */
export function lineEnd(bytes: Buffer, from: number, to: number): number {
  const newline = bytes.indexOf(NEWLINE, from);
  return newline < 0 || newline >= to ? to : newline + 1;
}

/** The range without the newline at its end. */
export const withoutNewline = (bytes: Buffer, { start, end }: Span): Span =>
  end > start && bytes[end - 1] === NEWLINE ? { start, end: end - 1 } : { start, end };

/** The lines that a match touches. */
export function linesAround(bytes: Buffer, { start, end }: Span): Span {
  const from = start === 0 ? 0 : bytes.lastIndexOf(NEWLINE, start - 1) + 1;
  return { start: from, end: end > from && bytes[end - 1] === NEWLINE ? end : lineEnd(bytes, end, bytes.length) };
}

/** Start of the line that `count` lines precede before the last one of the range. */
export function startOfPreceding(bytes: Buffer, { start, end }: Span, count: number): number {
  if (end === start) return start;
  let at = bytes[end - 1] === NEWLINE ? end - 1 : end;
  for (let left = count; ; left--) {
    const newline = at === start ? -1 : bytes.lastIndexOf(NEWLINE, at - 1);
    if (newline < start) return start;
    if (left === 0) return newline + 1;
    if (newline === start) return start;
    at = newline;
  }
}
