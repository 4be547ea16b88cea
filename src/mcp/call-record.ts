/** The record of a call in the log of calls. */
import type { CallRecord } from "../audit/call-log.ts";
import { callerFields, type Caller } from "../audit/caller.ts";
import type { RunResult } from "../exec/result.ts";

export interface LoggedCall extends Pick<CallRecord, "session" | "client" | "command" | "directory"> {
  readonly caller?: Caller | undefined;
  /** True if a human has agreed to the line. */
  readonly isAgreed?: boolean;
  /** Of performance.now(). */
  readonly startedMs: number;
}

export function callRecord(result: RunResult, { startedMs, caller, isAgreed = false, ...call }: LoggedCall): CallRecord {
  const isPreApproved = result.kind !== "refused" && result.receipts.some(({ permittedBy }) => permittedBy === "configuration");
  return {
    ts: new Date().toISOString(),
    ...call,
    ...callerFields(caller),
    ...(result.kind === "refused" || result.expandedLine === undefined ? {} : { ran: result.expandedLine }),
    ...endingOf(result),
    elapsed_ms: Math.round(performance.now() - startedMs),
    ...(isAgreed && result.kind !== "refused"
      ? { approved_by: "human" as const }
      : isPreApproved
        ? { approved_by: "configuration" as const }
        : {}),
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
