/**
 * Numbers out of a stream of random bytes, as gnulib's randint makes them: the same bytes give the same numbers. What
 * is left of the randomness is kept for the next one.
 */

/** Gives `count` bytes; throws where there are no more. */
export type RandomSource = (count: number) => Uint8Array;

/** Below this the arithmetic fits a double, 8 more bits included. */
const SMALL = 2 ** 44;

export class RandomNumbers {
  readonly #source: RandomSource;
  #number = 0;
  #max = 0;

  constructor(source: RandomSource) {
    this.#source = source;
  }

  /** 0 ≤ result < choices ≤ 2^53. */
  below(choices: number): number {
    if (choices > SMALL) return this.#belowLarge(BigInt(choices));
    const most = choices - 1;
    let number = this.#number;
    let max = this.#max;
    for (;;) {
      if (max < most) {
        let count = 0;
        for (let reach = max; reach < most; count++) reach = reach * 256 + 255;
        for (const byte of this.#source(count)) {
          number = number * 256 + byte;
          max = max * 256 + 255;
        }
      }
      if (max === most) {
        this.#number = 0;
        this.#max = 0;
        return number;
      }
      const excess = max - most;
      const unusable = excess % choices;
      const reduced = number % choices;
      if (number <= max - unusable) {
        this.#number = Math.floor(number / choices);
        this.#max = Math.floor(excess / choices);
        return reduced;
      }
      number = reduced;
      max = unusable - 1;
    }
  }

  /** The same where a double does not hold 8 bits more. */
  #belowLarge(choices: bigint): number {
    const most = choices - 1n;
    let number = BigInt(this.#number);
    let max = BigInt(this.#max);
    for (;;) {
      let count = 0;
      for (let reach = max; reach < most; count++) reach = reach * 256n + 255n;
      for (const byte of this.#source(count)) {
        number = number * 256n + BigInt(byte);
        max = max * 256n + 255n;
      }
      const excess = max - most;
      const unusable = excess % choices;
      const reduced = number % choices;
      if (number <= max - unusable) {
        this.#number = excess === 0n ? 0 : Number(number / choices);
        this.#max = Number(excess / choices);
        return Number(reduced);
      }
      number = reduced;
      max = unusable - 1n;
    }
  }
}

/** The first `count` of a random order of the numbers from 0 to `of` (exclusive). Lazy, in memory that grows with `count`. */
export function* randomOrder(numbers: RandomNumbers, count: number, of: number): Generator<number, void> {
  // Only what was swapped is remembered: all others stand where they were.
  const moved = new Map<number, number>();
  for (let at = 0; at < count; at++) {
    const from = at + numbers.below(of - at);
    const chosen = moved.get(from) ?? from;
    moved.set(from, moved.get(at) ?? at);
    moved.delete(at);
    yield chosen;
  }
}
