/** Commits by date, the newest first; of one date in the order they came. A binary heap. */
import type { Commit } from "../objects/objects.ts";

export class DateQueue {
  readonly #heap: { readonly commit: Commit; readonly seconds: number; readonly order: number }[] = [];
  #count = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** The one that `pop` would give. */
  get first(): Commit | undefined {
    return this.#heap[0]?.commit;
  }

  push(commit: Commit, seconds = commit.seconds): void {
    const heap = this.#heap;
    let at = heap.push({ commit, seconds, order: this.#count++ }) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#before(at, above)) return;
      this.#swap(at, above);
      at = above;
    }
  }

  pop(): Commit | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined || heap.length === 0) return top?.commit;
    heap[0] = last;
    for (let at = 0; ; ) {
      let best = at;
      for (let below = 2 * at + 1; below <= 2 * at + 2; below++) if (below < heap.length && this.#before(below, best)) best = below;
      if (best === at) return top.commit;
      this.#swap(at, best);
      at = best;
    }
  }

  *[Symbol.iterator](): Generator<Commit, void> {
    for (const { commit } of this.#heap) yield commit;
  }

  #before(a: number, b: number): boolean {
    const x = this.#heap[a];
    const y = this.#heap[b];
    if (x === undefined || y === undefined) return false;
    const difference = y.seconds - x.seconds;
    return difference === 0 ? x.order < y.order : difference < 0;
  }

  #swap(a: number, b: number): void {
    const x = this.#heap[a];
    const y = this.#heap[b];
    if (x === undefined || y === undefined) return;
    this.#heap[a] = y;
    this.#heap[b] = x;
  }
}
