/** What a line's ending means at a terminal. */
import type { RunResult } from "../exec/result.ts";
import { renderViolation } from "../guard/render.ts";

/** Exit status of a refusal, as of any wrong usage. */
export const USAGE_EXIT = 2;
/** sysexits(3) EX_SOFTWARE: a fault of ours. */
const FAULT_EXIT = 70;

/** Says on standard error what the line itself could not, and gives the exit status for the process. */
export function reportEnding(line: string, result: RunResult): number {
  if (result.kind !== "refused") {
    for (const note of result.notes ?? []) process.stderr.write(`shelpa: ${note}\n`);
    for (const { cursor } of result.cursors ?? []) process.stderr.write(`shelpa: next: --since ${cursor}\n`);
  }
  switch (result.kind) {
    case "completed":
      return result.exit;
    case "refused":
      for (const violation of result.violations) process.stderr.write(`${renderViolation(line, violation)}\n`);
      return USAGE_EXIT;
    case "stopped":
      process.stderr.write(`shelpa: stopped: ${result.limit} (${result.cap})\n`);
      return 1;
    case "faulted":
      process.stderr.write(`shelpa: a fault of ours, ${result.faultId}: ${result.message}\n`);
      return FAULT_EXIT;
  }
}
