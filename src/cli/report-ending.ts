/** Exit status and messages at a terminal for each ending of a command line. */
import type { RunResult } from "../exec/result.ts";
import { renderViolation, suggestedOnce } from "../guard/render.ts";
import { complain, printRefusal } from "./print.ts";

/** Exit status of a refusal, as of any wrong usage. */
export const USAGE_EXIT = 2;
/** sysexits(3) EX_SOFTWARE: a fault of ours. */
export const FAULT_EXIT = 70;

/** Prints notes, refusals and faults of the line on standard error, and gives the exit status for the process. */
export function reportEnding(line: string, result: RunResult): number {
  if (result.kind !== "refused") {
    for (const note of result.notes ?? []) complain(note, "shelpa");
    for (const { cursor } of result.cursors ?? []) complain(`next: --since ${cursor}`, "shelpa");
  }
  switch (result.kind) {
    case "completed":
      return result.exit;
    case "refused":
      for (const violation of suggestedOnce(result.violations, result.violations.length - 1))
        printRefusal(`${renderViolation(line, violation)}\n`);
      return USAGE_EXIT;
    case "stopped":
      complain(`stopped: ${result.limit} (${result.cap})`, "shelpa");
      return 1;
    case "faulted":
      complain(`a fault of ours, ${result.faultId}: ${result.message}`, "shelpa");
      return FAULT_EXIT;
  }
}
