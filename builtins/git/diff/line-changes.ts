/**
 * Finds the lines that differ, as git decides it. The search is that of src/compare with git's own ways to give up; before it git
 * leaves other lines out than GNU diff does, and after it slides each group of lines to where its indentation reads best (the
 * indent heuristic, on by default since git 2.14).
 */
import { changesMarked, type Change } from "../../../src/compare/changes.ts";
import { LineClasses, type LineRule } from "../../../src/compare/line-classes.ts";
import type { LineText } from "../../../src/compare/line-text.ts";
import { shortestEdit } from "../../../src/compare/shortest-edit.ts";
import { histogram } from "./histogram.ts";
import { patience, type Region, type Sides } from "./patience.ts";

export interface ChangeOptions {
  readonly rule: LineRule;
  readonly minimal: boolean;
  readonly indentHeuristic: boolean;
  /** Algorithm that pairs lines; undefined: Myers' search. */
  readonly algorithm?: "patience" | "histogram" | undefined;
  /** Lines that begin so are kept where they can be (--anchored; patience alone). */
  readonly anchors?: readonly string[];
}

export const EXACT: LineRule = { whiteSpace: { kind: "exact" }, ignoreCase: false, tabColumns: 8, completesLines: false };
export const USUAL: ChangeOptions = { rule: EXACT, minimal: false, indentHeuristic: true };

/** The changes from `old` to `now`, in order. */
export function lineChanges(old: LineText, now: LineText, options: ChangeOptions = USUAL): Change[] {
  const { rule, minimal, indentHeuristic, algorithm, anchors = [] } = options;
  const classes = new LineClasses(rule, Math.max(old.lineCount, now.lineCount));
  const oldLines = classes.classesOf(old, 0, old.lineCount);
  const newLines = classes.classesOf(now, 0, now.lineCount);
  // One more element, never 1, stands for the end.
  const removed = new Uint8Array(oldLines.length + 1);
  const added = new Uint8Array(newLines.length + 1);
  const search = (region: Region): void => classic({ old: oldLines, now: newLines, removed, added }, region, classes.count, minimal);
  const sides: Sides = { old: oldLines, now: newLines, removed, added, classic: search };
  if (algorithm === "histogram") histogram(sides);
  else if (algorithm === "patience") patience(sides, anchoredIn(old, anchors));
  else search({ oldFrom: 0, oldTo: oldLines.length, newFrom: 0, newTo: newLines.length });
  settle(old, oldLines, removed, added, indentHeuristic);
  settle(now, newLines, added, removed, indentHeuristic);
  return changesMarked(removed, added, 0);
}

/** Tells whether a line begins with one of `anchors` (byte strings). */
function anchoredIn({ bytes, starts }: LineText, anchors: readonly string[]): (line: number) => boolean {
  if (anchors.length === 0) return () => false;
  const wanted = anchors.map((text) => Buffer.from(text, "latin1"));
  return (line) => {
    const start = starts[line] as number;
    return wanted.some((anchor) => bytes.subarray(start, start + anchor.length).equals(anchor));
  };
}

/** Myers' search in a region, as if its lines were whole files. */
function classic(
  { old, now, removed, added }: Omit<Sides, "classic">,
  { oldFrom, oldTo, newFrom, newTo }: Region,
  classCount: number,
  minimal: boolean,
): void {
  const oldLines = old.subarray(oldFrom, oldTo);
  const newLines = now.subarray(newFrom, newTo);
  const oldMarks = removed.subarray(oldFrom, oldTo);
  const newMarks = added.subarray(newFrom, newTo);
  const least = Math.min(oldLines.length, newLines.length);
  let start = 0;
  while (start < least && oldLines[start] === newLines[start]) start++;
  let tail = 0;
  while (tail < least - start && oldLines[oldLines.length - 1 - tail] === newLines[newLines.length - 1 - tail]) tail++;
  const oldKept = keptLines(oldLines, newLines, classCount, start, oldLines.length - tail, minimal, oldMarks);
  const newKept = keptLines(newLines, oldLines, classCount, start, newLines.length - tail, minimal, newMarks);
  shortestEdit(
    oldKept.lines,
    newKept.lines,
    { minimal, speedLarge: false, gitHeuristics: true },
    (index) => void (oldMarks[oldKept.places[index] as number] = 1),
    (index) => void (newMarks[newKept.places[index] as number] = 1),
  );
}

const LEFT_OUT = 0;
const KEPT = 1;
const FREQUENT = 2;

/** Lines from `start` to `end` that take part in the search: not those the other text lacks, nor frequent ones among such. */
function keptLines(
  lines: Int32Array,
  others: Int32Array,
  classCount: number,
  start: number,
  end: number,
  minimal: boolean,
  changed: Uint8Array,
): { lines: Int32Array; places: Int32Array } {
  const counts = new Int32Array(classCount);
  for (const other of others) counts[other] = (counts[other] as number) + 1;
  let often = 1;
  for (let left = lines.length; left > 0; left >>= 2) often *= 2;
  often = Math.min(often, 1024);
  const marks = new Uint8Array(lines.length);
  for (let at = start; at < end; at++) {
    const count = counts[lines[at] as number] as number;
    marks[at] = count === 0 ? LEFT_OUT : count >= often && !minimal ? FREQUENT : KEPT;
  }
  const kept = new Int32Array(Math.max(0, end - start));
  const places = new Int32Array(kept.length);
  let count = 0;
  for (let at = start; at < end; at++) {
    if (marks[at] === KEPT || (marks[at] === FREQUENT && !standsAmongLeftOut(marks, at, start, end - 1))) {
      kept[count] = lines[at] as number;
      places[count++] = at;
    } else changed[at] = 1;
  }
  return { lines: kept.subarray(0, count), places };
}

const WINDOW = 100;

function standsAmongLeftOut(marks: Uint8Array, at: number, start: number, end: number): boolean {
  let leftOut = 0;
  let frequent = 0;
  for (const step of [-1, 1]) {
    let here = 0;
    frequent++;
    const edge = step < 0 ? Math.max(start, at - WINDOW) : Math.min(end, at + WINDOW);
    for (let near = at + step; step < 0 ? near >= edge : near <= edge; near += step) {
      if (marks[near] === LEFT_OUT) here++;
      else if (marks[near] === FREQUENT) frequent++;
      else break;
    }
    if (here === 0) return false;
    leftOut += here;
  }
  return frequent * 4 < frequent + leftOut;
}

/** A run of changed lines, `start` to `end`; empty between two unchanged lines. */
class Group {
  start = 0;
  end = 0;
  readonly #lines: Int32Array | undefined;
  readonly #changed: Uint8Array;

  /** `lines` are not needed where nothing slides. */
  constructor(changed: Uint8Array, lines?: Int32Array) {
    this.#changed = changed;
    this.#lines = lines;
    while (changed[this.end] === 1) this.end++;
  }

  next(): boolean {
    if (this.end === this.#changed.length - 1) return false;
    this.start = this.end + 1;
    for (this.end = this.start; this.#changed[this.end] === 1; this.end++);
    return true;
  }

  previous(): void {
    this.end = this.start - 1;
    for (this.start = this.end; this.start > 0 && this.#changed[this.start - 1] === 1; this.start--);
  }

  slideUp(): boolean {
    const lines = this.#lines as Int32Array;
    if (this.start === 0 || lines[this.start - 1] !== lines[this.end - 1]) return false;
    this.#changed[--this.start] = 1;
    this.#changed[--this.end] = 0;
    while (this.start > 0 && this.#changed[this.start - 1] === 1) this.start--;
    return true;
  }

  slideDown(): boolean {
    const lines = this.#lines as Int32Array;
    if (this.end === lines.length || lines[this.start] !== lines[this.end]) return false;
    this.#changed[this.start++] = 0;
    this.#changed[this.end++] = 1;
    while (this.#changed[this.end] === 1) this.end++;
    return true;
  }
}

/** No group slides further for its indentation. */
const MOST_SLIDING = 100;

function settle(text: LineText, lines: Int32Array, changed: Uint8Array, opposite: Uint8Array, indentHeuristic: boolean): void {
  const group = new Group(changed, lines);
  const other = new Group(opposite);
  do {
    if (group.end > group.start) {
      let size: number;
      let earliestEnd: number;
      let facing: boolean;
      do {
        size = group.end - group.start;
        facing = false;
        while (group.slideUp()) other.previous();
        earliestEnd = group.end;
        if (other.end > other.start) facing = true;
        while (group.slideDown()) {
          other.next();
          if (other.end > other.start) facing = true;
        }
      } while (size !== group.end - group.start);
      if (group.end === earliestEnd) {
        // It cannot be moved.
      } else if (facing) {
        while (other.end === other.start) {
          group.slideUp();
          other.previous();
        }
      } else if (indentHeuristic) {
        let best = -1;
        let bestScore: Score = { indent: 0, penalty: 0 };
        for (let shift = Math.max(earliestEnd, group.end - size - 1, group.end - MOST_SLIDING); shift <= group.end; shift++) {
          const score: Score = { indent: 0, penalty: 0 };
          addSplit(text, shift, score);
          addSplit(text, shift - size, score);
          if (best >= 0 && 60 * Math.sign(score.indent - bestScore.indent) + (score.penalty - bestScore.penalty) > 0) continue;
          bestScore = score;
          best = shift;
        }
        while (group.end > best) {
          group.slideUp();
          other.previous();
        }
      }
    }
    if (!group.next()) return;
  } while (other.next());
}

interface Score {
  indent: number;
  penalty: number;
}

const BLANK = -1;
const MOST_BLANK = 20;

/** Columns before the first character that is not white space; BLANK where there is none. */
function indentOf({ bytes, starts }: LineText, line: number): number {
  const end = starts[line + 1] as number;
  let columns = 0;
  for (let at = starts[line] as number; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === 32) columns++;
    else if (byte === 9) columns += 8 - (columns % 8);
    else if (!(byte >= 9 && byte <= 13)) return columns;
    if (columns >= 200) return 200;
  }
  return BLANK;
}

/** Adds how bad it is to split before `line`. The weights are git's, found by its authors from many diffs. */
function addSplit(text: LineText, line: number, score: Score): void {
  const isEnd = line >= text.lineCount;
  const indent = isEnd ? BLANK : indentOf(text, line);
  let blankBefore = 0;
  let indentBefore = BLANK;
  for (let at = line - 1; at >= 0; at--) {
    indentBefore = indentOf(text, at);
    if (indentBefore !== BLANK) break;
    if (++blankBefore === MOST_BLANK) {
      indentBefore = 0;
      break;
    }
  }
  let blankAfter = 0;
  let indentAfter = BLANK;
  for (let at = line + 1; at < text.lineCount; at++) {
    indentAfter = indentOf(text, at);
    if (indentAfter !== BLANK) break;
    if (++blankAfter === MOST_BLANK) {
      indentAfter = 0;
      break;
    }
  }
  if (indentBefore === BLANK && blankBefore === 0) score.penalty += 1;
  if (isEnd) score.penalty += 21;
  const after = indent === BLANK ? 1 + blankAfter : 0;
  const blanks = blankBefore + after;
  score.penalty += -30 * blanks + 6 * after;
  const effective = indent === BLANK ? indentAfter : indent;
  score.indent += effective;
  if (effective === BLANK || indentBefore === BLANK || effective === indentBefore) return;
  if (effective > indentBefore) score.penalty += blanks > 0 ? 10 : -4;
  else if (indentAfter !== BLANK && indentAfter > effective) score.penalty += blanks > 0 ? 17 : 24;
  else score.penalty += blanks > 0 ? 17 : 23;
}
