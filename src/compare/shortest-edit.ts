/**
 * Shortest edit between two sequences, as the elements it removes and adds: E. Myers, "An O(ND) Difference Algorithm
 * and Its Variations" (1986), in its linear-space form. A search from both ends meets on a diagonal, which halves the
 * problem. The order in which diagonals are tried, the ties and the two points at which the search gives up are those
 * of GNU diff, because among edits of one length they decide which is printed.
 */

export interface EditOptions {
  /** Look for the shortest edit whatever it costs (-d). */
  readonly minimal: boolean;
  /** Be content with a good diagonal in large files with many small changes (--speed-large-files). */
  readonly speedLarge: boolean;
  /** git's thresholds in place of GNU diff's: for accepting a good diagonal early, and for calling one good. */
  readonly gitHeuristics?: boolean;
}

/** Calls `removed` for each index of `a`, and `added` for each of `b`, that is not in the common subsequence. */
export function shortestEdit(
  a: Int32Array,
  b: Int32Array,
  options: EditOptions,
  removed: (index: number) => void,
  added: (index: number) => void,
): void {
  const search = new MiddleSearch(a, b, options);
  const open: Box[] = [{ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length, minimal: options.minimal }];
  for (let box = open.pop(); box !== undefined; box = open.pop()) {
    let { aFrom, aTo, bFrom, bTo } = box;
    while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) {
      aFrom++;
      bFrom++;
    }
    while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) {
      aTo--;
      bTo--;
    }
    if (aFrom === aTo) {
      for (let at = bFrom; at < bTo; at++) added(at);
    } else if (bFrom === bTo) {
      for (let at = aFrom; at < aTo; at++) removed(at);
    } else {
      const { aAt, bAt, firstMinimal, secondMinimal } = search.find(aFrom, aTo, bFrom, bTo, box.minimal);
      open.push({ aFrom: aAt, aTo, bFrom: bAt, bTo, minimal: secondMinimal });
      open.push({ aFrom, aTo: aAt, bFrom, bTo: bAt, minimal: firstMinimal });
    }
  }
}

/** A part of both sequences: half-open ranges. */
interface Box {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
  readonly minimal: boolean;
}

/** A point on a good path, and whether the halves before and after it must be searched without giving up. */
interface Middle {
  readonly aAt: number;
  readonly bAt: number;
  readonly firstMinimal: boolean;
  readonly secondMinimal: boolean;
}

/** A run of equal lines longer than this is significant. */
const SNAKE_LIMIT = 20;
/** The edit steps before --speed-large-files looks for a way out. */
const PATIENCE = 200;
/** The least number of edit steps after which a search that need not be minimal gives up. */
const LEAST_EXPENSIVE = 4096;
/** git's value for both PATIENCE and LEAST_EXPENSIVE. */
const GIT_PATIENCE = 256;
const UNREACHED = -1;
const BEYOND = 0x7fffffff;

/** The furthest reach in `a` on each diagonal (position in `a` minus position in `b`), from the front and from the back. */
class MiddleSearch {
  readonly #a: Int32Array;
  readonly #b: Int32Array;
  readonly #speedLarge: boolean;
  readonly #isGit: boolean;
  readonly #front: Int32Array;
  readonly #back: Int32Array;
  /** The index of diagonal 0. */
  readonly #zero: number;
  readonly #tooExpensive: number;

  constructor(a: Int32Array, b: Int32Array, { speedLarge, gitHeuristics = false }: EditOptions) {
    this.#a = a;
    this.#b = b;
    this.#speedLarge = speedLarge || gitHeuristics;
    this.#isGit = gitHeuristics;
    const diagonals = a.length + b.length + 3;
    this.#front = new Int32Array(diagonals);
    this.#back = new Int32Array(diagonals);
    this.#zero = b.length + 1;
    let root = 1;
    for (let left = diagonals; left > 0; left >>= 2) root *= 2;
    this.#tooExpensive = Math.max(gitHeuristics ? GIT_PATIENCE : LEAST_EXPENSIVE, root);
  }

  find(aFrom: number, aTo: number, bFrom: number, bTo: number, minimal: boolean): Middle {
    const a = this.#a;
    const b = this.#b;
    const front = this.#front;
    const back = this.#back;
    const zero = this.#zero;
    const lowest = aFrom - bTo;
    const highest = aTo - bFrom;
    const frontMiddle = aFrom - bFrom;
    const backMiddle = aTo - bTo;
    let frontLow = frontMiddle;
    let frontHigh = frontMiddle;
    let backLow = backMiddle;
    let backHigh = backMiddle;
    const meetsForward = ((frontMiddle - backMiddle) & 1) !== 0;
    front[zero + frontMiddle] = aFrom;
    back[zero + backMiddle] = aTo;
    for (let cost = 1; ; cost++) {
      let bigSnake = false;
      // Each step reaches one diagonal further out, until the edge of the box; from there one less.
      if (frontLow > lowest) front[zero + --frontLow - 1] = UNREACHED;
      else frontLow++;
      if (frontHigh < highest) front[zero + ++frontHigh + 1] = UNREACHED;
      else frontHigh--;
      for (let diagonal = frontHigh; diagonal >= frontLow; diagonal -= 2) {
        const below = front[zero + diagonal - 1] as number;
        const above = front[zero + diagonal + 1] as number;
        const start = below < above ? above : below + 1;
        let x = start;
        for (let y = x - diagonal; x < aTo && y < bTo && a[x] === b[y]; y++) x++;
        if (x - start > SNAKE_LIMIT) bigSnake = true;
        front[zero + diagonal] = x;
        if (meetsForward && backLow <= diagonal && diagonal <= backHigh && (back[zero + diagonal] as number) <= x) {
          return { aAt: x, bAt: x - diagonal, firstMinimal: true, secondMinimal: true };
        }
      }
      if (backLow > lowest) back[zero + --backLow - 1] = BEYOND;
      else backLow++;
      if (backHigh < highest) back[zero + ++backHigh + 1] = BEYOND;
      else backHigh--;
      for (let diagonal = backHigh; diagonal >= backLow; diagonal -= 2) {
        const below = back[zero + diagonal - 1] as number;
        const above = back[zero + diagonal + 1] as number;
        const start = below < above ? below : above - 1;
        let x = start;
        for (let y = x - diagonal; aFrom < x && bFrom < y && a[x - 1] === b[y - 1]; y--) x--;
        if (start - x > SNAKE_LIMIT) bigSnake = true;
        back[zero + diagonal] = x;
        if (!meetsForward && frontLow <= diagonal && diagonal <= frontHigh && x <= (front[zero + diagonal] as number)) {
          return { aAt: x, bAt: x - diagonal, firstMinimal: true, secondMinimal: true };
        }
      }
      if (minimal) continue;
      if (this.#speedLarge && bigSnake && cost > (this.#isGit ? GIT_PATIENCE : PATIENCE)) {
        const reach: Reach = { aFrom, aTo, bFrom, bTo, cost };
        const good = this.#goodFront(reach, frontLow, frontHigh, frontMiddle) ?? this.#goodBack(reach, backLow, backHigh, backMiddle);
        if (good !== undefined) return good;
      }
      if (cost >= this.#tooExpensive) {
        return this.#furthest({ aFrom, aTo, bFrom, bTo, cost }, frontLow, frontHigh, backLow, backHigh);
      }
    }
  }

  /** A diagonal from the front that got far for its cost and ends in a significant run. */
  #goodFront({ aFrom, aTo, bFrom, bTo, cost }: Reach, low: number, high: number, middle: number): Middle | undefined {
    let best = 0;
    let found: Middle | undefined;
    for (let diagonal = high; diagonal >= low; diagonal -= 2) {
      const off = diagonal - middle;
      const x = this.#front[this.#zero + diagonal] as number;
      const y = x - diagonal;
      const gained = (x - aFrom) * 2 - off - (this.#isGit ? Math.abs(off) : 0);
      if (gained <= this.#worth(cost, off) || gained <= best) continue;
      if (x < aFrom + SNAKE_LIMIT || x >= aTo || y < bFrom + SNAKE_LIMIT || y >= bTo) continue;
      if (!this.#equalRun(x - SNAKE_LIMIT, y - SNAKE_LIMIT)) continue;
      best = gained;
      found = { aAt: x, bAt: y, firstMinimal: true, secondMinimal: false };
    }
    return found;
  }

  #goodBack({ aFrom, aTo, bFrom, bTo, cost }: Reach, low: number, high: number, middle: number): Middle | undefined {
    let best = 0;
    let found: Middle | undefined;
    for (let diagonal = high; diagonal >= low; diagonal -= 2) {
      const off = diagonal - middle;
      const x = this.#back[this.#zero + diagonal] as number;
      const y = x - diagonal;
      const gained = (aTo - x) * 2 + off - (this.#isGit ? Math.abs(off) : 0);
      if (gained <= this.#worth(cost, off) || gained <= best) continue;
      if (x <= aFrom || x > aTo - SNAKE_LIMIT || y <= bFrom || y > bTo - SNAKE_LIMIT) continue;
      if (!this.#equalRun(x, y)) continue;
      best = gained;
      found = { aAt: x, bAt: y, firstMinimal: false, secondMinimal: true };
    }
    return found;
  }

  /** Gain above which a diagonal is good. */
  #worth(cost: number, off: number): number {
    return this.#isGit ? 4 * cost : 12 * (cost + Math.abs(off));
  }

  #equalRun(x: number, y: number): boolean {
    for (let at = 0; at < SNAKE_LIMIT; at++) if (this.#a[x + at] !== this.#b[y + at]) return false;
    return true;
  }

  /** Gives up: the point that got furthest from its own end. */
  #furthest({ aFrom, aTo, bFrom, bTo }: Reach, frontLow: number, frontHigh: number, backLow: number, backHigh: number): Middle {
    let frontSum = -1;
    let frontAt = aFrom;
    for (let diagonal = frontHigh; diagonal >= frontLow; diagonal -= 2) {
      const x = Math.min(this.#front[this.#zero + diagonal] as number, aTo, bTo + diagonal);
      if (x + x - diagonal <= frontSum) continue;
      frontSum = x + x - diagonal;
      frontAt = x;
    }
    let backSum = Infinity;
    let backAt = aTo;
    for (let diagonal = backHigh; diagonal >= backLow; diagonal -= 2) {
      const x = Math.max(this.#back[this.#zero + diagonal] as number, aFrom, bFrom + diagonal);
      if (x + x - diagonal >= backSum) continue;
      backSum = x + x - diagonal;
      backAt = x;
    }
    return aTo + bTo - backSum < frontSum - (aFrom + bFrom)
      ? { aAt: frontAt, bAt: frontSum - frontAt, firstMinimal: true, secondMinimal: false }
      : { aAt: backAt, bAt: backSum - backAt, firstMinimal: false, secondMinimal: true };
  }
}

interface Reach {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
  readonly cost: number;
}
