/** Returns a generator of numbers from 0 up to 1, the same for a seed every time. */
export function linearCongruential(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
