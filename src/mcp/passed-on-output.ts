/**
 * Output that writers at the end of a pipeline have only passed on, which an answer leaves out: the change is told instead. Where
 * another part of the line prints as well, all is shown in its order, as in bash.
 */
import type { WriteReceipt } from "../builtin/recorder.ts";
import type { RunResult } from "../exec/result.ts";
import type { CapturedOutput, ShellRequest } from "./shell-service.ts";

/**
 * "seen": the caller gave the output itself, or finds it in the differences; "unseen": only the line has seen it. Undefined where there
 * is more than passed-on output, it is short, or nothing was written.
 */
export function passedOnOutput(
  { command, stdin = "" }: ShellRequest,
  { bytes }: CapturedOutput,
  result: RunResult,
): "seen" | "unseen" | undefined {
  if (result.kind === "refused" || result.onlyPassedOn !== true || result.receipts.length === 0) return undefined;
  const printed = Buffer.from(bytes).toString("utf8").replace(/\n$/, "");
  if (command.includes(printed) || stdin.includes(printed) || result.receipts.every(isTold)) return "seen";
  return printed.length <= SHORT_CHARACTERS && printed.split("\n").length <= SHORT_LINES ? undefined : "unseen";
}

/** An output that is shown all the same: to tell where it is would take as much. */
const SHORT_LINES = 5;
const SHORT_CHARACTERS = 200;

/** Every line that came with the change is among its differences. */
function isTold({ bytes, change }: WriteReceipt): boolean {
  if (bytes === 0 || change === undefined) return bytes === 0;
  return change.more === 0 && (change.added === 0 || change.diff.length > 0);
}
