/** Ending of a call, as the server's operator is told of it: no text of the line or of its output. */
import type { RunResult } from "../exec/result.ts";
import type { EndedCall } from "./server-events.ts";

export interface CallClock {
  /** Of Date.now(). */
  readonly startedAtMs: number;
  /** Of performance.now(). */
  readonly startedMs: number;
}

/** `result` is undefined where the service failed; `isAsked`: a human is asked about the line, which was refused. */
export function endedCall(result: RunResult | undefined, { startedAtMs, startedMs }: CallClock, isAsked = false): EndedCall {
  const outcome = result === undefined ? "faulted" : isAsked ? "asked" : result.kind;
  return {
    outcome,
    reason: result === undefined ? "" : reasonOf(result),
    exitStatus: result?.kind === "completed" ? result.exit : undefined,
    startedAtMs,
    seconds: (performance.now() - startedMs) / 1000,
    outputBytes: result === undefined || result.kind === "refused" ? 0 : result.outputBytes,
    writes: result?.receipts?.length ?? 0,
  };
}

function reasonOf(result: RunResult): string {
  switch (result.kind) {
    case "completed":
      return "";
    case "refused":
      return [...new Set(result.violations.map(({ reason }) => reason))].join(" ");
    case "stopped":
      return result.limit;
    case "faulted":
      return result.faultId;
  }
}
