/**
 * A thread of the executor that ends the process once its supervisor is gone. The executor's own loop may be inside a
 * stage that computes without yielding, and would not notice.
 */
import { workerData } from "node:worker_threads";

/** Interval between looks at the parent process, in milliseconds. */
const LOOK_MS = 500;

const supervisor: unknown = workerData;
setInterval(() => {
  if (process.ppid !== supervisor) process.kill(process.pid, "SIGKILL");
}, LOOK_MS);
