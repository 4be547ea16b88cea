/**
 * Scheduling of the lines of one session: a line that may write runs alone and in order, and so does one that may change the directory;
 * the others run side by side, each after those before it.
 */
import { LONGEST_TIMER_MS } from "../exec/call-control.ts";

/** Facts of a line that decide what it waits for. */
export interface LineOrder {
  /** It may change the session's directory. */
  readonly moves: boolean;
  /** It may change files. */
  readonly writes: boolean;
  /** It runs in a directory of its own: no move matters to it, and it is no move. */
  readonly hasOwnDirectory: boolean;
}

export class Turns {
  /** Ends when the last move that was asked for has; undefined while there is none to wait for. */
  #lastMove: Promise<void> | undefined;
  /** The same of the last line that may write. */
  #lastWrite: Promise<void> | undefined;
  /** With whether it stands where the session does. */
  readonly #running = new Map<Promise<void>, boolean>();

  /**
   * Waits for the turn, for `mostMs` at most; the caller calls what it gets when done. Undefined where the time has passed: the lines
   * behind it wait for those before it, as if it had run.
   */
  async begin(order: LineOrder, mostMs: number): Promise<(() => void) | undefined> {
    const moves = order.moves && !order.hasOwnDirectory;
    const before = this.#before(order);
    let done: () => void = () => {};
    const turn = new Promise<void>((resolve) => {
      done = resolve;
    });
    if (moves) this.#lastMove = turn;
    if (order.writes) this.#lastWrite = turn;
    this.#running.set(turn, !order.hasOwnDirectory);
    const end = (): void => {
      this.#running.delete(turn);
      if (this.#lastMove === turn) this.#lastMove = undefined;
      if (this.#lastWrite === turn) this.#lastWrite = undefined;
      done();
    };
    if (before.length === 0) return end;
    const all = Promise.all(before);
    let timer: NodeJS.Timeout | undefined;
    const isLate = await Promise.race([
      all.then(() => false),
      new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(true), Math.min(mostMs, LONGEST_TIMER_MS));
      }),
    ]);
    clearTimeout(timer);
    if (!isLate) return end;
    void all.then(end);
    return undefined;
  }

  #before({ moves, writes, hasOwnDirectory }: LineOrder): readonly Promise<void>[] {
    if (writes) return [...this.#running.keys()];
    if (hasOwnDirectory) return this.#lastWrite === undefined ? [] : [this.#lastWrite];
    // A line that only reads, in a directory of its own, does not see the move.
    if (moves) return [...this.#running].flatMap(([turn, isWithSession]) => (isWithSession || turn === this.#lastWrite ? [turn] : []));
    return [this.#lastMove, this.#lastWrite].filter((turn) => turn !== undefined);
  }
}
