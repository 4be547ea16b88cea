/** Turns of a workspace that stands on a tree of our own: lines run side by side, and what handles the whole tree runs alone. */
import { noTreeInTime } from "../exec/busy.ts";
import { LONGEST_TIMER_MS } from "../exec/call-control.ts";
import { cancelledBefore, refusedBefore } from "../exec/not-begun.ts";
import type { RunResult } from "../exec/result.ts";
import type { Runner, RunRequest, RunStreams } from "../exec/runner.ts";

export class GatedRunner implements Runner {
  readonly #runner: Runner;
  readonly #running = new Set<Promise<unknown>>();
  /** Number of those that run alone, or wait for that. */
  #alone = 0;
  /** Ends with the last of them. */
  #lastAlone: Promise<void> = Promise.resolve();

  constructor(runner: Runner) {
    this.#runner = runner;
  }

  get builtinNames(): readonly string[] {
    return this.#runner.builtinNames;
  }

  get isRootThere(): boolean {
    return this.#runner.isRootThere;
  }

  get timeMs(): number {
    return this.#runner.timeMs;
  }

  async run(request: RunRequest, streams: RunStreams, signal: AbortSignal): Promise<RunResult> {
    const { timeMs = this.timeMs, waitedMs = 0 } = request;
    const startedMs = performance.now();
    const waited = (): number => waitedMs + performance.now() - startedMs;
    while (this.#alone > 0) {
      if (signal.aborted) return cancelledBefore(request, streams);
      if (waited() >= timeMs) return refusedBefore(noTreeInTime(timeMs), streams);
      await this.#turn(signal, timeMs - waited());
    }
    const running = this.#runner.run({ ...request, waitedMs: waited() }, streams, signal);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Does `work` once no line runs; lines that come meanwhile wait for it, as long as their own time allows. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    this.#alone++;
    const done = this.#lastAlone.then(async () => {
      while (this.#running.size > 0) await Promise.allSettled(this.#running);
      return work();
    });
    const ended = (): void => {
      this.#alone--;
    };
    this.#lastAlone = done.then(ended, ended);
    return done;
  }

  /** Resolves when what runs alone has ended, when the line is cancelled, and after `mostMs`. */
  async #turn(signal: AbortSignal, mostMs: number): Promise<void> {
    let leave = (): void => {};
    let timer: NodeJS.Timeout | undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
      signal.addEventListener("abort", leave);
      timer = setTimeout(leave, Math.min(Math.max(1, Math.ceil(mostMs)), LONGEST_TIMER_MS));
    });
    await Promise.race([this.#lastAlone, left]);
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }

  removeScratch(name: string): void {
    this.#runner.removeScratch(name);
  }

  close(): Promise<void> {
    return this.#runner.close();
  }
}
