/**
 * The histogram algorithm of git diff (--histogram). Of the blocks of lines that both texts contain it keeps one whose lines are rare
 * in the old text, the rarer and the longer first; then it does the same before and after that block.
 */
import { markAll, type Region, type Sides } from "./patience.ts";

/** Highest count in the old text that a common line may have; if all are more frequent, the usual search is used. */
const MOST_OFTEN = 64;

export function histogram(sides: Sides): void {
  const { old, now, classic } = sides;
  const lines = new Occurrences(old);
  const open: Region[] = [{ oldFrom: 0, oldTo: old.length, newFrom: 0, newTo: now.length }];
  for (let region = open.pop(); region !== undefined; region = open.pop()) {
    const { oldFrom, oldTo, newFrom, newTo } = region;
    if (oldFrom === oldTo || newFrom === newTo) {
      markAll(sides, region);
      continue;
    }
    const piece = rarestPiece(sides, region, lines);
    if (piece === "frequent") classic(region);
    else if (piece === undefined) markAll(sides, region);
    else
      open.push(
        { oldFrom, oldTo: piece.oldFrom, newFrom, newTo: piece.newFrom },
        { oldFrom: piece.oldTo, oldTo, newFrom: piece.newTo, newTo },
      );
  }
}

/** Counts and places of each line in a part of the old text. */
class Occurrences {
  readonly #lines: Int32Array;
  /** The next line of the same class, or -1. */
  readonly next: Int32Array;
  readonly counts = new Map<number, number>();
  readonly first = new Map<number, number>();

  constructor(lines: Int32Array) {
    this.#lines = lines;
    this.next = new Int32Array(lines.length);
  }

  scan(from: number, to: number): void {
    this.counts.clear();
    this.first.clear();
    for (let line = to - 1; line >= from; line--) {
      const key = this.#lines[line] as number;
      this.next[line] = this.first.get(key) ?? -1;
      this.first.set(key, line);
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    }
  }
}

/** Undefined where nothing is common; "frequent" where what is common is too frequent. */
function rarestPiece({ old, now }: Sides, region: Region, lines: Occurrences): Region | "frequent" | undefined {
  const { oldFrom, oldTo, newFrom, newTo } = region;
  lines.scan(oldFrom, oldTo);
  const { counts, first, next } = lines;
  const countAt = (line: number): number => counts.get(old[line] as number) as number;
  let best: Region | undefined;
  let rarest = MOST_OFTEN + 1;
  let hasCommon = false;
  for (let newLine = newFrom; newLine < newTo; ) {
    let after = newLine + 1;
    const key = now[newLine] as number;
    const count = counts.get(key);
    if (count !== undefined) hasCommon = true;
    if (count !== undefined && count <= rarest) {
      for (let oldLine = first.get(key) as number; oldLine >= 0; ) {
        let [a, b] = [oldLine, newLine];
        let rare = count;
        while (a > oldFrom && b > newFrom && old[a - 1] === now[b - 1]) {
          a--;
          b--;
          if (rare > 1) rare = Math.min(rare, countAt(a));
        }
        let [aEnd, bEnd] = [oldLine + 1, newLine + 1];
        while (aEnd < oldTo && bEnd < newTo && old[aEnd] === now[bEnd]) {
          if (rare > 1) rare = Math.min(rare, countAt(aEnd));
          aEnd++;
          bEnd++;
        }
        after = Math.max(after, bEnd);
        if (best === undefined || best.oldTo - best.oldFrom < aEnd - a || rare < rarest) {
          best = { oldFrom: a, oldTo: aEnd, newFrom: b, newTo: bEnd };
          rarest = rare;
        }
        oldLine = next[oldLine] as number;
        while (oldLine >= 0 && oldLine < aEnd) oldLine = next[oldLine] as number;
      }
    }
    newLine = after;
  }
  if (hasCommon && rarest > MOST_OFTEN) return "frequent";
  return best;
}
