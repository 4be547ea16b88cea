/** Turns of a workspace that stands on a tree of our own: lines run side by side, and what handles the whole tree runs alone. */
import type { RunResult } from "../exec/result.ts";
import type { Runner, RunRequest, RunStreams } from "../exec/runner.ts";

export class GatedRunner implements Runner {
  readonly #runner: Runner;
  readonly #running = new Set<Promise<unknown>>();
  /** Ends with the last of what runs alone. */
  #alone: Promise<unknown> = Promise.resolve();

  constructor(runner: Runner) {
    this.#runner = runner;
  }

  get builtinNames(): readonly string[] {
    return this.#runner.builtinNames;
  }

  get timeMs(): number {
    return this.#runner.timeMs;
  }

  async run(request: RunRequest, streams: RunStreams, signal: AbortSignal): Promise<RunResult> {
    await this.#alone;
    const running = this.#runner.run(request, streams, signal);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Does `work` once no line runs; lines that come meanwhile wait for it. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#alone;
    const done = before.then(async () => {
      while (this.#running.size > 0) await Promise.allSettled(this.#running);
      return work();
    });
    this.#alone = done.catch(() => undefined);
    return done;
  }

  removeScratch(name: string): void {
    this.#runner.removeScratch(name);
  }

  close(): Promise<void> {
    return this.#runner.close();
  }
}
