/**
 * Figures about our processes, for their supervisor: resident memory, and the limit of open files. They come from /proc; where there is
 * none, a process tells on its standard output, which serves nothing else, that its own memory is too large.
 */
import { readFileSync, writeSync } from "node:fs";
import { isLinux } from "../io/platform.ts";

/** proc_pid_statm(5) counts in pages; 4 KiB on every platform Node's Linux builds support by default. */
const PAGE_BYTES = 4096;

/** Resident bytes of process `processId`, or undefined where it has ended or the platform does not tell. */
export function residentBytes(processId: number | "self"): number | undefined {
  if (!isLinux) return undefined;
  let text: string;
  try {
    text = readFileSync(`/proc/${processId}/statm`, "latin1");
  } catch {
    return undefined;
  }
  const pages = Number(text.split(" ")[1]);
  return Number.isFinite(pages) ? pages * PAGE_BYTES : undefined;
}

/** Tells whether the resident memory of another process can be seen here. */
export const seesResidentMemory = (): boolean => residentBytes("self") !== undefined;

/** Resident bytes of this process, all its threads together. */
export const ownResidentBytes = (): number => process.memoryUsage.rss();

/** Tells the supervisor that this process has more resident memory than its line may. From whichever thread; never throws. */
export function sayTooLarge(): void {
  try {
    writeSync(1, "\n");
  } catch {
    // It is ending, or has not read what was said before (EAGAIN).
  }
}

/** Most files that this process may have open (RLIMIT_NOFILE, soft); undefined where the platform has no /proc. */
export function mostOpenFiles(): number | undefined {
  if (!isLinux) return undefined;
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    return most === undefined ? undefined : Number(most);
  } catch {
    return undefined;
  }
}
