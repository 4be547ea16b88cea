/**
 * A thread of the executor that ends the process once its supervisor is gone, and that watches its resident memory where the supervisor
 * cannot (no /proc). The executor's own loop may be inside a stage that computes without yielding, and would notice neither.
 */
import { parentPort, workerData } from "node:worker_threads";
import { isWindows } from "../io/platform.ts";
import { ownResidentBytes, sayTooLarge } from "../host/process-memory.ts";
import { isAlive } from "../workspace/write/process-identity.ts";

/** Interval between looks at the parent process, in milliseconds. */
const LOOK_MS = 500;
/** Interval between looks at the memory while a line runs, in milliseconds: as the supervisor's where it can look itself. */
const MEMORY_LOOK_MS = 25;

const supervisor: unknown = workerData;
setInterval(() => {
  // On Windows the number stays that of a parent that is gone.
  if (process.ppid !== supervisor || (isWindows && !isAlive(process.ppid))) process.kill(process.pid, "SIGKILL");
}, LOOK_MS);

parentPort?.on("message", memoryWatch());

/** Takes the most resident bytes of a line that begins, and undefined where it has ended. */
function memoryWatch(): (mostBytes: number | undefined) => void {
  let look: NodeJS.Timeout | undefined;
  return (mostBytes) => {
    clearInterval(look);
    if (mostBytes === undefined) return;
    look = setInterval(() => {
      if (ownResidentBytes() > mostBytes) sayTooLarge();
    }, MEMORY_LOOK_MS);
  };
}
