/**
 * The cheapest one-to-one assignment, by Jonker and Volgenant's shortest augmenting paths (Computing 38, 1987, 325-340). Among equally cheap ones
 * it takes git's: the order in which rows and columns are looked at is part of the answer.
 */
import { GitError } from "../git-error.ts";

/** Throws GitError where git's search ends nowhere. `costs[column + size * row]`. Returns for each column its row; -1 where it has none. */
export function assign(size: number, costs: Int32Array): Int32Array {
  if (size < 2) return new Int32Array(size);
  const matching = new Matching(size, costs);
  matching.reduceColumns();
  matching.transferReduction();
  if (matching.isDone) return matching.rowOf;
  // Twice, as the paper has it: most rows find their column here.
  matching.reduceRows();
  matching.reduceRows();
  matching.augmentAll();
  return matching.rowOf;
}

const NONE = -1;

class Matching {
  readonly #size: number;
  readonly #costs: Int32Array;
  readonly rowOf: Int32Array;
  readonly #columnOf: Int32Array;
  /** Dual variables of the columns. */
  readonly #prices: Int32Array;
  #free: number[] = [];
  /** Rows that are the cheapest of several columns. */
  readonly #contested = new Set<number>();

  constructor(size: number, costs: Int32Array) {
    this.#size = size;
    this.#costs = costs;
    this.rowOf = new Int32Array(size).fill(NONE);
    this.#columnOf = new Int32Array(size).fill(NONE);
    this.#prices = new Int32Array(size);
  }

  get isDone(): boolean {
    return this.#free.length === 0;
  }

  #cost(column: number, row: number): number {
    return this.#costs[column + this.#size * row] as number;
  }

  #reduced(column: number, row: number): number {
    return this.#cost(column, row) - (this.#prices[column] as number);
  }

  /** Each column, from the last, takes its cheapest row unless another one has it. */
  reduceColumns(): void {
    for (let column = this.#size - 1; column >= 0; column--) {
      let cheapest = 0;
      for (let row = 1; row < this.#size; row++) if (this.#cost(column, row) < this.#cost(column, cheapest)) cheapest = row;
      this.#prices[column] = this.#cost(column, cheapest);
      if (this.#columnOf[cheapest] === NONE) {
        this.#columnOf[cheapest] = column;
        this.rowOf[column] = cheapest;
      } else this.#contested.add(cheapest);
    }
  }

  transferReduction(): void {
    for (let row = 0; row < this.#size; row++) {
      const own = this.#columnOf[row] as number;
      if (own === NONE) this.#free.push(row);
      else if (!this.#contested.has(row)) {
        let least = Infinity;
        for (let column = 0; column < this.#size; column++) if (column !== own) least = Math.min(least, this.#reduced(column, row));
        this.#prices[own] = (this.#prices[own] as number) - least;
      }
    }
  }

  /** Each free row takes its cheapest column, and whose that was becomes free. */
  reduceRows(): void {
    const open = this.#free;
    const later: number[] = [];
    let at = 0;
    while (at < open.length) {
      const row = open[at++] as number;
      let best = 0;
      let second = NONE;
      let least = this.#reduced(0, row);
      let next = Infinity;
      for (let column = 1; column < this.#size; column++) {
        const cost = this.#reduced(column, row);
        if (cost >= next) continue;
        if (cost > least) {
          next = cost;
          second = column;
        } else {
          [next, second] = [least, best];
          [least, best] = [cost, column];
        }
      }
      if (second === NONE) [second, next] = [best, least];
      let owner = this.rowOf[best] as number;
      const isBetter = least < next;
      if (isBetter) this.#prices[best] = (this.#prices[best] as number) - (next - least);
      else if (owner !== NONE) {
        best = second;
        owner = this.rowOf[best] as number;
      }
      if (owner !== NONE) {
        if (isBetter) open[--at] = owner;
        else later.push(owner);
      }
      this.#columnOf[row] = best;
      this.rowOf[best] = row;
    }
    this.#free = later;
  }

  augmentAll(): void {
    for (const row of this.#free) this.#augment(row);
  }

  /** Finds the shortest path from a free row to a free column, and takes turns along it. */
  #augment(start: number): void {
    const size = this.#size;
    const distances = Int32Array.from({ length: size }, (_, column) => this.#reduced(column, start));
    const before = new Int32Array(size).fill(start);
    // Done up to `low`, nearest and to do up to `up`, then those that are farther away.
    const columns = Int32Array.from({ length: size }, (_, column) => column);
    let low = 0;
    let up = 0;
    let done = 0;
    let least = 0;
    // Git's path ends at the column that was looked at last, even where the free one is another of the nearest.
    let end = NONE;
    const isFree = (column: number): boolean => this.rowOf[column] === NONE;
    const enqueue = (at: number, column: number): void => {
      columns[at] = columns[up] as number;
      columns[up++] = column;
    };
    const search = (): void => {
      for (;;) {
        done = low;
        least = distances[columns[up++] as number] as number;
        for (let at = up; at < size; at++) {
          end = columns[at] as number;
          const distance = distances[end] as number;
          if (distance > least) continue;
          if (distance < least) {
            up = low;
            least = distance;
          }
          enqueue(at, end);
        }
        if (columns.subarray(low, up).some(isFree)) return;
        do {
          const column = columns[low++] as number;
          const row = this.rowOf[column] as number;
          const offset = this.#reduced(column, row) - least;
          for (let at = up; at < size; at++) {
            end = columns[at] as number;
            const distance = this.#reduced(end, row) - offset;
            if (distance >= (distances[end] as number)) continue;
            distances[end] = distance;
            before[end] = row;
            if (distance !== least) continue;
            if (isFree(end)) return;
            enqueue(at, end);
          }
        } while (low !== up);
      }
    };
    search();
    for (const column of columns.subarray(0, done))
      this.#prices[column] = (this.#prices[column] as number) + (distances[column] as number) - least;
    for (let column = end, row = NONE; row !== start; ) {
      if (column === NONE) throw new GitError("the patches of the two ranges cannot be paired");
      row = before[column] as number;
      this.rowOf[column] = row;
      const left = this.#columnOf[row] as number;
      this.#columnOf[row] = column;
      column = left;
    }
  }
}
