/** Part of a number of places that each of those who want them may hold: fewer, the more of them are active. */

/** One counts as active for so long after its last call, in milliseconds. */
const ACTIVE_MS = 1000;

interface Taker {
  /** Of its calls, those that wait or run. */
  calls: number;
  /** Places that it holds. */
  held: number;
  /** Instant of its last call (performance.now()). */
  lastMs: number;
}

export class FairShare<T> {
  readonly #takers = new Map<T, Taker>();

  /** Notes that a call of `taker` has arrived. Its end is to be noted as well. */
  arrived(taker: T): void {
    const nowMs = performance.now();
    for (const [other, { calls, lastMs }] of this.#takers) {
      if (calls === 0 && nowMs - lastMs > ACTIVE_MS) this.#takers.delete(other);
    }
    const known = this.#takers.get(taker);
    if (known === undefined) this.#takers.set(taker, { calls: 1, held: 0, lastMs: nowMs });
    else {
      known.calls++;
      known.lastMs = nowMs;
    }
  }

  ended(taker: T): void {
    const known = this.#takers.get(taker);
    if (known !== undefined) known.calls--;
  }

  /** Most of `places` that one may hold now: one stays free where nobody else is active, and for a newcomer where others are. */
  share(places: number): number {
    const active = this.#takers.size;
    return Math.max(1, active <= 1 ? places - 1 : Math.floor(places / (active + 1)));
  }

  /** Places that `taker` holds. */
  held(taker: T): number {
    return this.#takers.get(taker)?.held ?? 0;
  }

  /** `taker` holds one more, for a call that has arrived. */
  take(taker: T): void {
    const known = this.#takers.get(taker);
    if (known !== undefined) known.held++;
  }

  giveBack(taker: T): void {
    const known = this.#takers.get(taker);
    if (known !== undefined) known.held--;
  }

  /** Others than `taker` that are active. */
  othersOf(taker: T): number {
    return this.#takers.size - (this.#takers.has(taker) ? 1 : 0);
  }
}
