/**
 * Scheduling of the lines of one session: lines that may change its directory run alone and in order; the others run side by
 * side, each after the changes of directory before it.
 */
import { LONGEST_TIMER_MS } from "../exec/call-control.ts";

export class Turns {
  /** Ends when the last move that was asked for has; undefined while there is none to wait for. */
  #lastMove: Promise<void> | undefined;
  readonly #running = new Set<Promise<void>>();

  /**
   * Waits for the turn, for `mostMs` at most; the caller calls what it gets when done. Undefined where the time has passed: the lines
   * behind it wait for those before it, as if it had run.
   */
  async begin(mayMove: boolean, mostMs: number): Promise<(() => void) | undefined> {
    const before = mayMove ? [...this.#running] : this.#lastMove === undefined ? [] : [this.#lastMove];
    let done: () => void = () => {};
    const turn = new Promise<void>((resolve) => {
      done = resolve;
    });
    if (mayMove) this.#lastMove = turn;
    this.#running.add(turn);
    const end = (): void => {
      this.#running.delete(turn);
      if (this.#lastMove === turn) this.#lastMove = undefined;
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
}
