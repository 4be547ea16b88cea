/** Starts the thread that reads ahead of a walk: see src/workspace/ahead/look-ahead.ts. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { StartLookAhead } from "../workspace/ahead/look-ahead.ts";
import { ownPath } from "../host/own-code.ts";

/** Starts the thread; undefined on a host with one processor, where it would only take the walk's time. */
export const startLookAhead: StartLookAhead | undefined =
  availableParallelism() < 2
    ? undefined
    : (shared) => {
        const worker = new Worker(ownPath("look-ahead.js"), {
          workerData: shared,
          env: {},
          execArgv: [],
          resourceLimits: { maxOldGenerationSizeMb: 32 },
          // The walk closes the descriptors that the thread opens: Node must not close that number once more when the thread ends.
          trackUnmanagedFds: false,
        });
        // An error of the thread is no loss: the walk reads for itself all that the thread has not.
        worker.on("error", () => undefined);
        worker.unref();
        return { end: () => void worker.terminate() };
      };
