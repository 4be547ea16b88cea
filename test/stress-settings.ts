/** Number of runs and seed of a stress test: few runs with every run of the tests, more with `npm run stress`. */

import { extent } from "./extent.ts";

/** COUNT of `npm run stress -- NAME COUNT`; else one of two counts (test/extent.ts). */
export const stressRuns = (everyday: number, thorough: number): number =>
  Number(process.env["SHELPA_STRESS_RUNS"] ?? extent(everyday, thorough));

/** Numbers from 0 (inclusive) to 1 of the seed that was given, or of a fixed one. */
export function stressRandom(): () => number {
  let state = Number(process.env["SHELPA_STRESS_SEED"] ?? 1) | 0;
  return () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
