/** Results of lines that have not begun, or of which nobody can report. */
import type { WriteReceipt } from "../builtin/recorder.ts";
import type { Refused, RunResult } from "./result.ts";
import type { RunRequest, RunStreams } from "./runner.ts";

/** The cap of a line that its caller has cancelled. */
export const BY_CALLER = "by the caller";

/** The result of a line that was cancelled before it began; `cap`: whose doing it is. */
export async function cancelledBefore(request: RunRequest, streams: RunStreams, cap = BY_CALLER): Promise<RunResult> {
  await streams.stdin.close();
  return { kind: "stopped", limit: "cancelled", cap, ...nothingReported(request) };
}

/** `receipts`: what the executor had told of before it was ended. */
export function nothingReported(request: RunRequest, receipts: readonly WriteReceipt[] = []) {
  const { currentDirectory, previousDirectory } = request;
  return { outputBytes: 0, outputLines: 0, stages: [], receipts, unsetVariables: [], currentDirectory, previousDirectory };
}

/** The result of a line that is refused before it began. */
export async function refusedBefore(refusal: Refused, streams: RunStreams): Promise<RunResult> {
  await streams.stdin.close();
  return refusal;
}
