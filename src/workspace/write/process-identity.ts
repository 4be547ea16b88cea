/** Tells one process from another: whether a number still is one, and where the numbers mean the same. */
import { readFileSync, readlinkSync } from "node:fs";
import { isSystemError } from "../file-error.ts";

/** PID namespace and boot, in which a number of a process means something. Its last word is `boot()`. */
export const processSpace = (): string => `${readOrNothing(() => readlinkSync("/proc/self/ns/pid"))} ${boot()}`;

/** Id of the host's boot; "" where the host shows none. */
export const boot = (): string => readOrNothing(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return !isSystemError(thrown, "ESRCH");
  }
}

/** The result of `read`, or "" if the host does not show it. */
function readOrNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
