/** Figures about our processes from /proc, for their supervisor: resident memory, and the limit of open files. */
import { readFileSync } from "node:fs";

/** proc_pid_statm(5) counts in pages; 4 KiB on every platform Node's Linux builds support by default. */
const PAGE_BYTES = 4096;

/** Resident bytes of process `processId`, or undefined where it has ended or the platform does not tell. */
export function residentBytes(processId: number): number | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${processId}/statm`, "latin1");
  } catch {
    return undefined;
  }
  const pages = Number(text.split(" ")[1]);
  return Number.isFinite(pages) ? pages * PAGE_BYTES : undefined;
}

/** Most files that this process may have open (RLIMIT_NOFILE, soft); undefined where the platform has no /proc. */
export function mostOpenFiles(): number | undefined {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    return most === undefined ? undefined : Number(most);
  } catch {
    return undefined;
  }
}
