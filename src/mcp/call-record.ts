/** The record of a call in the log of calls. */
import type { CallRecord } from "../audit/call-log.ts";
import type { RunResult } from "../exec/result.ts";

/** `startedMs` is of performance.now(). */
export function callRecord(
  result: RunResult,
  { startedMs, ...call }: Pick<CallRecord, "session" | "client" | "command" | "directory"> & { readonly startedMs: number },
): CallRecord {
  return {
    ts: new Date().toISOString(),
    ...call,
    ...(result.kind === "refused" || result.expandedLine === undefined ? {} : { ran: result.expandedLine }),
    ...endingOf(result),
    elapsed_ms: Math.round(performance.now() - startedMs),
  };
}

function endingOf(result: RunResult): Pick<CallRecord, "outcome" | "exit" | "reason" | "records"> {
  const outcome = result.kind;
  if (result.kind === "refused") {
    return { outcome, exit: null, reason: [...new Set(result.violations.map(({ reason }) => reason))].join(" "), records: [] };
  }
  const records = result.receipts.map(({ recordId }) => recordId);
  switch (result.kind) {
    case "completed":
      return { outcome, exit: result.exit, reason: "", records };
    case "stopped":
      return { outcome, exit: null, reason: `${result.limit} (${result.cap})`, records };
    case "faulted":
      return { outcome, exit: null, reason: result.faultId, records };
  }
}
