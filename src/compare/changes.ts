/** Differences of two texts as GNU diff finds them: from bytes to a list of changes. */
import { settleBoundaries } from "./boundaries.ts";
import { confusingLines } from "./confusing-lines.ts";
import { LineClasses, type LineRule } from "./line-classes.ts";
import type { LineText } from "./line-text.ts";
import { shortestEdit, type EditOptions } from "./shortest-edit.ts";

/** Lines `oldFrom`… (from 0, `removed` of them) of the old text are replaced by `newFrom`… (`added` of them). */
export interface Change {
  readonly oldFrom: number;
  readonly removed: number;
  readonly newFrom: number;
  readonly added: number;
}

export interface ComparisonOptions extends EditOptions, LineRule {
  /** Number of lines of the common beginning and end that take part, so that the first and last changes can be moved. */
  readonly horizonLines: number;
}

/** The changes from `old` to `now`, in order. */
export function changesBetween(old: LineText, now: LineText, options: ComparisonOptions): Change[] {
  const { prefix, oldEnd, newEnd } = differingPart(old, now, options);
  const classes = new LineClasses(options, oldEnd - prefix);
  const oldLines = classes.classesOf(old, prefix, oldEnd);
  const newLines = classes.classesOf(now, prefix, newEnd);
  // One more element, never 1, stands for the end.
  const removed = new Uint8Array(oldLines.length + 1);
  const added = new Uint8Array(newLines.length + 1);
  const drop = options.minimal ? undefined : classes.count;
  const oldKept = keptLines(oldLines, newLines, drop, removed);
  const newKept = keptLines(newLines, oldLines, drop, added);
  shortestEdit(
    oldKept.lines,
    newKept.lines,
    options,
    (index) => void (removed[oldKept.places[index] as number] = 1),
    (index) => void (added[newKept.places[index] as number] = 1),
  );
  settleBoundaries(oldLines, removed, added);
  settleBoundaries(newLines, added, removed);
  return changesMarked(removed, added, prefix);
}

/** The lines that take part in the search, and where they stand; the others are marked in `changed`. */
function keptLines(
  lines: Int32Array,
  others: Int32Array,
  classCount: number | undefined,
  changed: Uint8Array,
): { lines: Int32Array; places: Int32Array } {
  const places = new Int32Array(lines.length);
  if (classCount === undefined) {
    for (let at = 0; at < lines.length; at++) places[at] = at;
    return { lines, places };
  }
  const counts = new Int32Array(classCount);
  for (const other of others) counts[other] = (counts[other] as number) + 1;
  const dropped = confusingLines(lines, counts);
  const kept = new Int32Array(lines.length);
  let count = 0;
  for (let at = 0; at < lines.length; at++) {
    if (dropped[at] !== 0) {
      changed[at] = 1;
      continue;
    }
    kept[count] = lines[at] as number;
    places[count++] = at;
  }
  return { lines: kept.subarray(0, count), places };
}

/** The changes that the marks of both texts make, numbered from `prefix` on. Each array has one more element, never 1, for the end. */
export function changesMarked(removed: Uint8Array, added: Uint8Array, prefix: number): Change[] {
  const changes: Change[] = [];
  const oldEnd = removed.length - 1;
  const newEnd = added.length - 1;
  for (let old = 0, now = 0; old < oldEnd || now < newEnd; old++, now++) {
    if (removed[old] === 0 && added[now] === 0) continue;
    const [oldFrom, newFrom] = [old, now];
    while (removed[old] === 1) old++;
    while (added[now] === 1) now++;
    changes.push({ oldFrom: oldFrom + prefix, removed: old - oldFrom, newFrom: newFrom + prefix, added: now - newFrom });
  }
  return changes;
}

/** Leaves out the beginning and end that are the same byte for byte, but for `horizonLines` lines of each. */
function differingPart(old: LineText, now: LineText, options: ComparisonOptions): { prefix: number; oldEnd: number; newEnd: number } {
  const { horizonLines, completesLines } = options;
  const same = commonBeginning(old.bytes, now.bytes);
  let prefix = lineOf(old, same);
  // The beginning ends where a line ends in both: a last line without its newline does not.
  if (prefix === old.lineCount && old.isIncomplete) prefix--;
  prefix = Math.max(0, prefix - horizonLines);
  if (old.isIncomplete !== now.isIncomplete && !completesLines) return { prefix, oldEnd: old.lineCount, newEnd: now.lineCount };
  const from = old.starts[prefix] as number;
  const ending = commonEnding(old, now, from);
  let oldEnd = old.lineCount;
  while (oldEnd > prefix && (old.starts[oldEnd - 1] as number) >= ending) oldEnd--;
  const isAtLine = ending === from || old.starts[oldEnd] === ending;
  const newAt = now.bytes.length - (old.bytes.length - ending);
  const newAtLine = newAt === 0 || now.bytes[newAt - 1] === 10;
  const spared = horizonLines + (isAtLine && newAtLine ? 0 : 1);
  if (spared > 0) {
    // `oldEnd` is the first line that begins in the common ending; a part of a line before it counts as one.
    oldEnd = Math.min(old.lineCount, oldEnd + spared - (isAtLine ? 0 : 1));
  }
  return { prefix, oldEnd, newEnd: now.lineCount - (old.lineCount - oldEnd) };
}

/** Length of the common beginning, in bytes. */
function commonBeginning(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  for (let step = 1 << 16; at < most; ) {
    const to = Math.min(at + step, most);
    if (a.compare(b, at, to, at, to) === 0) at = to;
    else if (step > 64) step >>= 3;
    else {
      while (a[at] === b[at]) at++;
      return at;
    }
  }
  return at;
}

/** Start of the common ending in the old text; neither it nor its like in the new text reaches before `from`. */
function commonEnding(old: LineText, now: LineText, from: number): number {
  const a = old.bytes;
  const b = now.bytes;
  const shift = b.length - a.length;
  const least = Math.max(from, from - shift);
  let at = a.length;
  for (let step = 1 << 16; at > least; ) {
    const to = Math.max(at - step, least);
    if (a.compare(b, to + shift, at + shift, to, at) === 0) at = to;
    else if (step > 64) step >>= 3;
    else {
      while (at > least && a[at - 1] === b[at - 1 + shift]) at--;
      return at;
    }
  }
  return at;
}

/** The number of the line that holds byte `at`; the number of lines at the end. */
function lineOf({ starts, lineCount }: LineText, at: number): number {
  let low = 0;
  let high = lineCount;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
