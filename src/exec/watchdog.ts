/**
 * A thread of the executor that ends the process once its supervisor is gone. The executor's own loop may be inside a
 * stage that computes without yielding, and would not notice.
 */
import { workerData } from "node:worker_threads";
import { isWindows } from "../io/platform.ts";
import { isAlive } from "../workspace/write/process-identity.ts";

/** Interval between looks at the parent process, in milliseconds. */
const LOOK_MS = 500;

const supervisor: unknown = workerData;
setInterval(() => {
  // On Windows the number stays that of a parent that is gone.
  if (process.ppid !== supervisor || (isWindows && !isAlive(process.ppid))) process.kill(process.pid, "SIGKILL");
}, LOOK_MS);
