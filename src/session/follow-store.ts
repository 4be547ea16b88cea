/** The follow cursors of one session: at most 16 watches, each dropped an hour after its last use. */
import { watchOf, type HeldCursor, type NewCursor } from "../exec/call-cursors.ts";

const MOST_WATCHES = 16;
/** Age at which a watch is dropped, in milliseconds. */
const IDLE_MS = 60 * 60 * 1000;

interface Watch {
  /** The latest look, and the one it began at: an answer may have been lost on its way. */
  readonly cursors: readonly HeldCursor[];
  readonly usedAtMs: number;
}

export class FollowStore {
  readonly #watches = new Map<string, Watch>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs;
  }

  /** Every cursor that may be used now. */
  held(): readonly HeldCursor[] {
    const now = this.#nowMs();
    for (const [name, { usedAtMs }] of this.#watches) if (now - usedAtMs > IDLE_MS) this.#watches.delete(name);
    return [...this.#watches.values()].flatMap(({ cursors }) => cursors);
  }

  /** Keeps what a call gave out. Past the cap the watch that was unused longest goes. */
  add(given: readonly NewCursor[]): void {
    for (const { cursor, files, from } of given) {
      const name = watchOf(cursor);
      const before = this.#watches.get(name)?.cursors.find((held) => held.cursor === from);
      this.#watches.delete(name);
      this.#watches.set(name, { cursors: [...(before === undefined ? [] : [before]), { cursor, files }], usedAtMs: this.#nowMs() });
      for (const oldest of this.#watches.keys()) {
        if (this.#watches.size <= MOST_WATCHES) break;
        this.#watches.delete(oldest);
      }
    }
  }
}
