/**
 * Keeps one call within its limits and lets it be cancelled. Stages are pulled, so a check at each block that passes
 * between them is enough; a stage that computes without yielding is ended by the executor's supervisor.
 */
import { performance } from "node:perf_hooks";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { RunLimits } from "../config/limits.ts";
import type { StopReason } from "./result.ts";

/** Thrown into the stages when the call must end. Not an error of theirs: nothing catches it but the engine. */
export class CallStopped extends Error {
  override readonly name = "CallStopped";
  readonly reason: StopReason;
  readonly cap: string;

  constructor(reason: StopReason, cap: string) {
    super(`stopped: ${reason} (${cap})`);
    this.reason = reason;
    this.cap = cap;
  }
}

/** Longest time that stages run before timers, sockets and cancellation get a turn, in milliseconds. */
const TURN_MS = 10;

/** Longest delay that setTimeout takes, in milliseconds. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A time limit in words, with the part of it that went by in the queue where that is a tenth of a second or more. */
export function timeCap(timeMs: number, waitedMs = 0): string {
  const waited = (waitedMs / 1000).toFixed(1);
  return `${timeMs / 1000} s${waited === "0.0" ? "" : `, ${waited} s of them waiting for its turn`}`;
}

export class CallControl {
  readonly #timeCap: string;
  readonly #signal: AbortSignal;
  readonly #deadlineMs: number;
  #turnEndsMs: number;
  #stopped: CallStopped | undefined;

  /** `waitedMs`: time that the line has waited for its turn, which counts. */
  constructor(limits: RunLimits, signal: AbortSignal, waitedMs = 0) {
    this.#timeCap = timeCap(limits.timeMs, waitedMs);
    this.#signal = signal;
    const now = performance.now();
    this.#deadlineMs = now + limits.timeMs - waitedMs;
    this.#turnEndsMs = now + TURN_MS;
  }

  /** Called between blocks. Throws CallStopped past the deadline, on cancellation, or once the call was stopped. */
  check(): void | Promise<void> {
    if (this.#stopped !== undefined) throw this.#stopped;
    const now = performance.now();
    if (now > this.#deadlineMs) this.stop("time", this.#timeCap);
    if (this.#signal.aborted) this.stop("cancelled", "by the caller");
    if (now > this.#turnEndsMs) return this.#giveTurn();
  }

  /** Lets time pass for a stage that waits, at most until the call must end; then throws as `check` does. */
  async wait(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    for (let now = performance.now(); now < end; now = performance.now()) {
      const pause = Math.min(end - now, Math.max(1, this.#deadlineMs - now + 1), LONGEST_TIMER_MS);
      await setTimeout(pause, undefined, { signal: this.#signal }).catch(() => undefined);
      await this.check();
    }
    await this.check();
  }

  /** Ends the call: this throw, and every later `check`, is the same CallStopped. */
  stop(reason: StopReason, cap: string): never {
    this.#stopped ??= new CallStopped(reason, cap);
    throw this.#stopped;
  }

  async #giveTurn(): Promise<void> {
    await setImmediate();
    this.#turnEndsMs = performance.now() + TURN_MS;
    if (this.#signal.aborted) this.stop("cancelled", "by the caller");
  }
}
