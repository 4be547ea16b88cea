/**
 * Worker threads that run tools. Starting one takes longer than most searches, so one that has ended its job cleanly waits
 * for the next: it keeps nothing of a job but its own code.
 */
import { Worker } from "node:worker_threads";
import { ownPath } from "../host/own-code.ts";
import type { FromTool, ToolJob } from "./tool-messages.ts";

/** Threads that wait, for the process's life. A pipeline rarely has more tools at once; the rest are ended. */
const MOST_IDLE = 2;
const idle: Worker[] = [];

export interface ToolListener {
  hear(message: FromTool): void;
  fail(error: unknown): void;
}

/** A thread that has been given `job`. It must be given back or ended. */
export class ToolThread {
  readonly #worker: Worker;

  constructor(job: ToolJob, listener: ToolListener) {
    // No environment and no flags of the process: a thread of ours needs none.
    const worker = idle.pop() ?? new Worker(ownPath("tool-worker.js"), { env: {}, execArgv: [], resourceLimits: { stackSizeMb: 64 } });
    this.#worker = worker;
    worker.removeAllListeners();
    worker.on("message", (message: FromTool) => listener.hear(message));
    worker.on("error", (error) => listener.fail(error));
    worker.on("exit", () => listener.fail(new Error("the thread of a tool ended")));
    worker.ref();
    worker.postMessage(job);
  }

  /** After a job that has ended: the thread may be used again. */
  giveBack(): void {
    const worker = this.#worker;
    worker.removeAllListeners();
    if (idle.length >= MOST_IDLE) {
      void worker.terminate();
      return;
    }
    worker.on("error", () => {});
    worker.on("exit", () => {
      const at = idle.indexOf(worker);
      if (at >= 0) idle.splice(at, 1);
    });
    // An idle thread does not keep the process.
    worker.unref();
    idle.push(worker);
  }

  /** Ends the thread wherever it is. What it had open is closed with it. */
  async end(): Promise<void> {
    this.#worker.removeAllListeners();
    await this.#worker.terminate();
  }
}
