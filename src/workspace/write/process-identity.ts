/** Tells one process from another: whether a number still is one, since when, and where the numbers mean the same. */
import { readFileSync, readlinkSync } from "node:fs";
import { isLinux } from "../../io/platform.ts";
import { isSystemError } from "../system-error.ts";

/** PID namespace and boot, in which a number of a process means something. Its last word is `boot()`. */
export const processSpace = (): string => `${readOrNothing(() => readlinkSync("/proc/self/ns/pid"))} ${boot()}`;

/** Id of the host's boot; "" where the host shows none. */
export const boot = (): string => readOrNothing(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());

/**
 * Start of the process `pid` in clock ticks since the boot (field 22 of proc_pid_stat(5)), by which it is told from a later one of
 * the same number; "" where the host does not show it, "ended" for one whose parent has not waited for it.
 */
export function startOf(pid: number): string {
  const own = pid === process.pid;
  const text = readOrNothing(() => readFileSync(`/proc/${own ? "self" : pid}/stat`, "latin1"));
  // The second field, a name in parentheses, may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return ENDED_STATES.has(fields[0] ?? "") ? "ended" : (fields[FIELDS_AFTER_NAME] ?? "");
}

const ENDED_STATES: ReadonlySet<string> = new Set(["Z", "X", "x"]);
/** Place of field 22, counted from the third. */
const FIELDS_AFTER_NAME = 19;

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
  if (!isLinux) return "";
  try {
    return read();
  } catch {
    return "";
  }
}
