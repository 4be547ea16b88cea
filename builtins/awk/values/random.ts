/**
 * rand() and srand() of gawk: the additive feedback generator of BSD random(3) with 63 words of state (x^63 + x + 1),
 * seeded by the minimal standard generator of Park and Miller, its numbers shuffled through a table (Bays and Durham,
 * "Improving a Poor Random Number Generator", 1976).
 */
const DEGREE = 63;
const SEPARATION = 1;
const SHUFFLE_SIZE = 512;
const FIRST_SHUFFLED = 0xcafefeed;
/** Numbers of 31 bits. */
const RANGE = 2 ** 31;

export class Random {
  /** Seed that the next srand() returns. */
  seed = 1;
  readonly #state = new Int32Array(DEGREE);
  readonly #shuffled = new Int32Array(SHUFFLE_SIZE);
  #last = FIRST_SHUFFLED;
  #front = 0;
  #rear = 0;
  #isStarted = false;

  /** As srand(SEED). */
  reseed(seed: number): void {
    const whole = Number.isFinite(seed) ? BigInt(Math.trunc(seed)) : 0n;
    this.seed = Number.isFinite(seed) ? Math.trunc(seed) + 0 : 0;
    this.#start(Number(BigInt.asIntN(32, whole)));
  }

  /** 0 ≤ result < 1 */
  next(): number {
    if (!this.#isStarted) this.#start(1);
    for (;;) {
      const first = this.#number();
      const second = this.#number();
      const value = 0.5 + (first / RANGE + second) / RANGE - 0.5;
      if (value !== 1) return value;
    }
  }

  #start(seed: number): void {
    this.#isStarted = true;
    this.#state[0] = seed;
    for (let at = 1; at < DEGREE; at++) this.#state[at] = nextSeed(this.#state[at - 1] as number);
    this.#front = SEPARATION;
    this.#rear = 0;
    for (let at = 0; at < SHUFFLE_SIZE; at++) this.#shuffled[at] = this.#raw();
    this.#last = this.#raw();
    for (let round = 0; round < 10 * DEGREE; round++) this.#number();
  }

  #number(): number {
    const raw = this.#raw();
    const at = this.#last & (SHUFFLE_SIZE - 1);
    this.#last = this.#shuffled[at] as number;
    this.#shuffled[at] = raw;
    return this.#last;
  }

  #raw(): number {
    const sum = ((this.#state[this.#front] as number) + (this.#state[this.#rear] as number)) | 0;
    this.#state[this.#front] = sum;
    this.#front = (this.#front + 1) % DEGREE;
    this.#rear = (this.#rear + 1) % DEGREE;
    return sum >>> 1;
  }
}

/** 16807 × x mod (2^31 - 1), by Schrage's method. */
function nextSeed(before: number): number {
  const x = before === 0 ? 123459876 : before;
  const next = 16807 * (x % 127773) - 2836 * Math.trunc(x / 127773);
  return next < 0 ? next + 0x7fffffff : next;
}
