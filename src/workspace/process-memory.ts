/** Resident memory of another process of ours, for its supervisor. */
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
