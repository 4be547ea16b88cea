/**
 * Scheduling of the lines of one session: lines that may change its directory run alone and in order; the others run side by
 * side, each after the changes of directory before it.
 */
export class Turns {
  /** Ends when the last move that was asked for has. */
  #lastMove: Promise<unknown> = Promise.resolve();
  readonly #running = new Set<Promise<void>>();

  /** Waits for the turn; the caller calls what it gets when done. */
  async begin(mayMove: boolean): Promise<() => void> {
    const before = mayMove ? Promise.all([this.#lastMove, ...this.#running]) : this.#lastMove;
    let done: () => void = () => {};
    const turn = new Promise<void>((resolve) => {
      done = resolve;
    });
    if (mayMove) this.#lastMove = turn;
    this.#running.add(turn);
    await before;
    return () => {
      this.#running.delete(turn);
      done();
    };
  }
}
