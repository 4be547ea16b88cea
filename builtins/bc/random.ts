/** random(3) of glibc, never seeded: the same numbers in every run. */

export class RandomNumbers {
  readonly #state: number[] = [1];

  constructor() {
    const state = this.#state;
    for (let at = 1; at < 31; at++) state.push(Number((16_807n * BigInt(state[at - 1] as number)) % 2_147_483_647n));
    for (let at = 31; at < 34; at++) state.push(state[at - 31] as number);
    for (let count = 0; count < 310; count++) this.#step();
  }

  next(): number {
    return this.#step() >>> 1;
  }

  #step(): number {
    const state = this.#state;
    const next = ((state[state.length - 3] as number) + (state[state.length - 31] as number)) >>> 0;
    state.push(next);
    if (state.length > 64) state.shift();
    return next;
  }
}
