/** A clock that stands still while other processes have the processor: for limits on the time of what a test does itself. */
import { readFileSync } from "node:fs";

/** Milliseconds since some point, without those for which this process's main thread was ready to run and did not (Linux). */
export const ownMs = (): number => performance.now() - waitedMs();

/** The second figure of schedstat, in nanoseconds. */
function waitedMs(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ")[1]) / 1e6;
  } catch {
    // Not Linux, or a kernel without these figures.
    return 0;
  }
}
