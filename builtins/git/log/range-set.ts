/** Sets of line ranges, and how they move from one side of a diff to the other (git log -L). */
import type { LineRange } from "./line-ranges.ts";

/** Sorted, and apart from each other; an empty range stands for the place between two lines. */
export type RangeSet = readonly LineRange[];

/** Changes of a diff: for each one the lines removed and the lines added. */
export interface ChangedRange {
  readonly parent: LineRange;
  readonly target: LineRange;
}

/** Both sets, joined where they touch. */
export function union(a: RangeSet, b: RangeSet): RangeSet {
  const joined: LineRange[] = [];
  for (const range of [...a, ...b].sort((x, y) => x.from - y.from || x.to - y.to)) {
    const last = joined.at(-1);
    if (range.from === range.to) continue;
    if (last === undefined || last.to < range.from) joined.push(range);
    else if (last.to < range.to) joined[joined.length - 1] = { from: last.from, to: range.to };
  }
  return joined;
}

/** The changes that touch one of `ranges`. */
export function touching(changes: readonly ChangedRange[], ranges: RangeSet): ChangedRange[] {
  const found: ChangedRange[] = [];
  let next = 0;
  for (const change of changes) {
    const { target } = change;
    while (next < ranges.length && target.from > (ranges[next] as LineRange).to) next++;
    const range = ranges[next];
    if (range === undefined) break;
    if (target.to > range.from && range.to > target.from) found.push(change);
  }
  return found;
}

/** Maps `ranges` of the target to the parent: an untouched range moves, a touched one becomes all lines that stood there. */
export function inParent(ranges: RangeSet, changes: readonly ChangedRange[], touched: readonly ChangedRange[]): RangeSet {
  const moved: LineRange[] = [];
  let next = 0;
  let offset = 0;
  for (const { from, to } of without(
    ranges,
    touched.map(({ target }) => target),
  )) {
    for (let change = changes[next]; change !== undefined && from >= change.target.from; change = changes[++next])
      offset += change.parent.to - change.parent.from - (change.target.to - change.target.from);
    moved.push({ from: from + offset, to: to + offset });
  }
  return union(
    moved,
    touched.map(({ parent }) => parent),
  );
}

function without(ranges: RangeSet, left: RangeSet): RangeSet {
  const kept: LineRange[] = [];
  let next = 0;
  for (const { from, to } of ranges) {
    for (let start = from; start < to; ) {
      while (next < left.length && start >= (left[next] as LineRange).to) next++;
      const hole = left[next];
      if (hole === undefined || to <= hole.from) {
        kept.push({ from: start, to });
        break;
      }
      if (start < hole.from) kept.push({ from: start, to: hole.from });
      start = hole.to;
    }
  }
  return kept;
}
