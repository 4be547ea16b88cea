/**
 * The patience algorithm (--patience, --anchored): lines that are once in each text are kept in the longest order that
 * both have; between them the same again, and where there are none the usual search.
 */

/** Lines `oldFrom` to `oldTo` of one text against `newFrom` to `newTo` of the other. */
export interface Region {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

export interface Sides {
  /** Classes of lines: the same number where they are the same. */
  readonly old: Int32Array;
  readonly now: Int32Array;
  readonly removed: Uint8Array;
  readonly added: Uint8Array;
  /** The usual search, for a region that this one cannot settle. */
  readonly classic: (region: Region) => void;
}

/** `isAnchor`: whether a line of the old text is to be kept where it can be. */
export function patience(sides: Sides, isAnchor: (oldLine: number) => boolean): void {
  const { old, now, classic } = sides;
  // Regions are independent of each other, and can be nested deep: they wait on a list.
  const open: Region[] = [{ oldFrom: 0, oldTo: old.length, newFrom: 0, newTo: now.length }];
  for (let region = open.pop(); region !== undefined; region = open.pop()) {
    const { oldFrom, oldTo, newFrom, newTo } = region;
    const unique = oldFrom === oldTo || newFrom === newTo ? undefined : uniqueLines(sides, region);
    if (unique === undefined) {
      markAll(sides, region);
      continue;
    }
    const kept = longestOrder(unique, isAnchor);
    if (kept.length === 0) {
      classic(region);
      continue;
    }
    let [oldAt, newAt] = [oldFrom, newFrom];
    for (let index = 0; index <= kept.length; index++) {
      const pair = kept[index];
      let [oldNext, newNext] = pair ?? [oldTo, newTo];
      if (pair !== undefined)
        while (oldNext > oldAt && newNext > newAt && old[oldNext - 1] === now[newNext - 1]) {
          oldNext--;
          newNext--;
        }
      while (oldAt < oldNext && newAt < newNext && old[oldAt] === now[newAt]) {
        oldAt++;
        newAt++;
      }
      if (oldNext > oldAt || newNext > newAt) open.push({ oldFrom: oldAt, oldTo: oldNext, newFrom: newAt, newTo: newNext });
      if (pair !== undefined) [oldAt, newAt] = [pair[0] + 1, pair[1] + 1];
    }
  }
}

export function markAll({ removed, added }: Sides, { oldFrom, oldTo, newFrom, newTo }: Region): void {
  removed.fill(1, oldFrom, oldTo);
  added.fill(1, newFrom, newTo);
}

type Pair = readonly [oldLine: number, newLine: number];

const TWICE = -1;

/** Lines that are once in both, in the old order; undefined where no line is in both at all. */
function uniqueLines({ old, now }: Sides, { oldFrom, oldTo, newFrom, newTo }: Region): readonly Pair[] | undefined {
  const lines = new Map<number, number>();
  for (let line = oldFrom; line < oldTo; line++) {
    const key = old[line] as number;
    lines.set(key, lines.has(key) ? TWICE : line);
  }
  const found = new Map<number, number>();
  let hasCommon = false;
  for (let line = newFrom; line < newTo; line++) {
    const key = now[line] as number;
    if (!lines.has(key)) continue;
    hasCommon = true;
    found.set(key, found.has(key) ? TWICE : line);
  }
  if (!hasCommon) return undefined;
  const pairs: Pair[] = [];
  for (const [key, oldLine] of lines) {
    const newLine = found.get(key);
    if (oldLine !== TWICE && newLine !== undefined && newLine !== TWICE) pairs.push([oldLine, newLine]);
  }
  return pairs;
}

/** The longest part of `pairs` whose new lines ascend. What an anchor has taken is not taken from it. */
function longestOrder(pairs: readonly Pair[], isAnchor: (oldLine: number) => boolean): Pair[] {
  interface Link {
    readonly pair: Pair;
    readonly before: Link | undefined;
  }
  /** The best last link of an ascending part of each length. */
  const ends: Link[] = [];
  let longest = 0;
  let anchored = -1;
  for (const pair of pairs) {
    let low = -1;
    let high = longest;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as Link).pair[1] > pair[1]) high = middle;
      else low = middle;
    }
    const place = low + 1;
    if (place <= anchored) continue;
    ends[place] = { pair, before: low < 0 ? undefined : ends[low] };
    if (isAnchor(pair[0])) {
      anchored = place;
      longest = place + 1;
    } else if (place === longest) longest++;
  }
  const kept: Pair[] = [];
  for (let link = ends[longest - 1]; link !== undefined && longest > 0; link = link.before) kept.push(link.pair);
  return kept.reverse();
}
