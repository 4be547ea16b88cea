/** Variables whose values the shell computes: RANDOM, SECONDS, LINENO and the like. Each shell of a call has its own. */
import { randomBytes } from "node:crypto";
import { IndexedArray } from "../shell/arrays.ts";
import type { Value } from "../shell/variables.ts";

export const COMPUTED = ["BASHPID", "BASH_VERSION", "EPOCHREALTIME", "EPOCHSECONDS", "LINENO", "PIPESTATUS", "RANDOM", "SECONDS"] as const;
export type Computed = (typeof COMPUTED)[number];

/** Letters that `declare -p` shows for one. */
export const COMPUTED_LETTERS: Readonly<Record<Computed, string>> = {
  BASHPID: "i",
  BASH_VERSION: "",
  EPOCHREALTIME: "",
  EPOCHSECONDS: "",
  LINENO: "",
  PIPESTATUS: "a",
  RANDOM: "i",
  SECONDS: "i",
};

/** Milliseconds since the epoch, and those since the call began. */
export interface Clock {
  readonly startedMs: number;
  readonly elapsedMs: () => number;
}

export class SpecialVariables {
  readonly #clock: Clock;
  /** `$$`, which a subshell has from its shell. Numbers of processes that are none: made by chance, as the real ones tell of the host. */
  readonly shellNumber: number;
  /** `$BASHPID`; of a subshell undefined until it is asked. */
  #ownNumber: number | undefined;
  /** State of bash's generator; undefined until it is first asked. */
  #seed: number | undefined;
  #lastRandom = 0;
  #stored = 0n;
  /** `SECONDS` was this … */
  #seconds = 0;
  /** … at this second after the call began. */
  #secondsSince: number;
  /** Exit statuses of the pipeline before. */
  pipeline: readonly number[] = [];

  constructor(clock: Clock, from?: SpecialVariables) {
    this.#clock = clock;
    this.shellNumber = from?.shellNumber ?? randomNumber();
    if (from === undefined) this.#ownNumber = this.shellNumber;
    this.#secondsSince = from === undefined ? this.#now() : from.#secondsSince;
    if (from === undefined) return;
    this.#seconds = from.#seconds;
    this.pipeline = from.pipeline;
  }

  /** A subshell's: with other random numbers, as in bash. */
  copy(): SpecialVariables {
    return new SpecialVariables(this.#clock, this);
  }

  get(name: Computed, lineNumber: () => number): Value {
    return { text: this.#text(name, lineNumber), typed: false };
  }

  /** The value that `+=` adds to: of RANDOM the last number or seed. */
  stored(name: Computed, lineNumber: () => number): Value {
    return name === "RANDOM" ? { text: String(this.#stored), typed: false } : this.get(name, lineNumber);
  }

  get pipelineArray(): IndexedArray {
    return IndexedArray.of(this.pipeline.map((status) => ({ text: String(status), typed: false })));
  }

  /** `value` is a number. Variables that cannot be set stay as they are. */
  set(name: Computed, value: bigint): void {
    if (name === "RANDOM") {
      this.#stored = value;
      this.#seed = Number(BigInt.asUintN(32, value));
      this.#lastRandom = 0;
    } else if (name === "SECONDS") {
      this.#seconds = Number(value);
      this.#secondsSince = this.#now();
    }
  }

  #text(name: Computed, lineNumber: () => number): string {
    switch (name) {
      case "BASHPID":
        return String((this.#ownNumber ??= randomNumber()));
      case "BASH_VERSION":
        return "5.2.15(1)-release";
      case "EPOCHSECONDS":
        return String(this.#now());
      case "EPOCHREALTIME":
        return ((this.#clock.startedMs + this.#clock.elapsedMs()) / 1000).toFixed(6);
      case "LINENO":
        return String(lineNumber());
      case "PIPESTATUS":
        return String(this.pipeline[0] ?? "");
      case "RANDOM":
        return String(this.#random());
      case "SECONDS":
        return String(this.#seconds + this.#now() - this.#secondsSince);
    }
  }

  #now(): number {
    return Math.floor((this.#clock.startedMs + this.#clock.elapsedMs()) / 1000);
  }

  /** bash 5.2's generator (lib/sh/random.c): that of Park and Miller, its halves folded to 15 bits, never twice the same number. */
  #random(): number {
    let seed = this.#seed ?? randomBytes(4).readUInt32LE();
    let value: number;
    do {
      const last = seed === 0 ? 123_459_876 : seed;
      const high = Math.floor(last / 127_773);
      const next = (16_807 * (last - 127_773 * high) - 2836 * high) | 0;
      seed = (next < 0 ? next + 0x7fffffff : next) >>> 0;
      value = ((seed >>> 16) ^ (seed & 0xffff)) & 0x7fff;
    } while (value === this.#lastRandom);
    this.#seed = seed;
    this.#lastRandom = value;
    this.#stored = BigInt(value);
    return value;
  }
}

/** A number that a process might have. */
const randomNumber = (): number => LEAST_NUMBER + (randomBytes(4).readUInt32LE() % (MOST_NUMBER - LEAST_NUMBER));
const LEAST_NUMBER = 10_000;
/** The default of Linux on 64 bits. */
const MOST_NUMBER = 4_194_304;
