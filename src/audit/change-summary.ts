/** Bounded account of a change for the answer to a write: how many lines, and the first lines of their differences. */
import type { ChangeSummary } from "../builtin/recorder.ts";
import { unifiedDiff } from "../compare/unified-diff.ts";
import { countByte } from "../io/count-byte.ts";

/** Longest file that is compared, in bytes. */
export const MOST_COMPARED_BYTES = 1 << 20;
/**
 * Most pairs of lines between the first and the last difference: what a comparison costs at worst grows with them, and this many
 * take a tenth of a second.
 */
const MOST_PAIRS = 1500 * 1500;
const MOST_DIFF_LINES = 40;
/** UTF-16 code units of a line. */
const MOST_LINE_LENGTH = 240;
/** The numbers of the lines are in their heads; lines around a change would cost more than the change. */
const CONTEXT_LINES = 0;
const NEWLINE = 10;

/** The change from `old` to `now` (undefined: no file); undefined where they are too long to compare, or no text. */
export function changeSummary(old: Buffer | undefined, now: Buffer | undefined): ChangeSummary | undefined {
  if ([old, now].some((text) => text !== undefined && isTooMuch(text))) return undefined;
  if (old === undefined || now === undefined) return { added: linesOf(now), removed: linesOf(old), diff: [], more: 0 };
  if (pairsToCompare(old, now) > MOST_PAIRS) return undefined;
  const [, , ...lines] = unifiedDiff(old, now, ["a", "b"], CONTEXT_LINES).toString("utf8").split("\n").slice(0, -1);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return {
    added: count("+"),
    removed: count("-"),
    diff: lines.slice(0, MOST_DIFF_LINES).map(clipped),
    more: Math.max(0, lines.length - MOST_DIFF_LINES),
  };
}

const isTooMuch = (text: Buffer): boolean => text.length > MOST_COMPARED_BYTES || text.includes(0);

/** Lines of `old`, times lines of `now`, without what both begin and end with. */
function pairsToCompare(old: Buffer, now: Buffer): number {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const linesBetween = (text: Buffer): number => countByte(text.subarray(start, text.length - end), NEWLINE) + 1;
  return linesBetween(old) * linesBetween(now);
}

const linesOf = (text: Buffer | undefined): number =>
  text === undefined ? 0 : countByte(text, NEWLINE) + (text.length > 0 && text.at(-1) !== NEWLINE ? 1 : 0);

/** A long line is cut between words: half of a secret would not be found to be one. */
function clipped(line: string): string {
  if (line.length <= MOST_LINE_LENGTH) return line;
  const blank = Math.max(line.lastIndexOf(" ", MOST_LINE_LENGTH), line.lastIndexOf("\t", MOST_LINE_LENGTH));
  return `${line.slice(0, Math.max(1, blank + 1))}…`;
}
