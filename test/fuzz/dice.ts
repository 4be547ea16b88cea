/** Number of cases and seed of a fuzz test: few cases with every run of the tests, more with `npm run fuzz -- NAME RUNS SEED`. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { extent } from "../extent.ts";

/** RUNS of `npm run fuzz`; else one of two counts (test/extent.ts). */
export const fuzzRuns = (everyday: number, thorough: number): number =>
  Number(process.env["SHELPA_FUZZ_RUNS"] ?? extent(everyday, thorough));
export const FUZZ_SEED = Number(process.env["SHELPA_FUZZ_SEED"] ?? 20_261_122);
/** True in a run of `npm run fuzz`, which reports what it did. */
export const isLongRun = process.env["SHELPA_FUZZ_RUNS"] !== undefined;

/** Pseudo-random numbers from a seed and a name, the same on every machine (mulberry32). */
export class Dice {
  #state: number;

  constructor(name: string, seed = FUZZ_SEED) {
    this.#state = [...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed) >>> 0;
  }

  /** 0 ≤ result < below. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(of: readonly T[]): T {
    return of[this.below(of.length)] as T;
  }

  /** Between 0 and `most` picks, joined. */
  text(pieces: readonly string[], most: number): string {
    return Array.from({ length: this.below(most + 1) }, () => this.pick(pieces)).join("");
  }

  /** Between `least` and `most` of what `make` makes. */
  some<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make);
  }
}

/** The rows of test/fuzz/corpus/NAME.jsonl: cases that once failed, and the clearest case of each class of failures. */
export function corpus<T>(name: string): readonly T[] {
  return readFileSync(fileURLToPath(new URL(`corpus/${name}.jsonl`, import.meta.url)), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
