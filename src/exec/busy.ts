/** Refusals of calls that did not get their turn: too many wait, or the call's time limit passed while it waited. */
import type { Refused } from "./result.ts";

/** The refusal of a call that finds the queue full. */
export const queueFull = (waiting: number): Refused =>
  busy(`${waiting} calls wait already, which is as many as may. Try again when some are done.`);

/** The refusal of a call whose time limit, `timeMs`, passed before one of the `concurrentCalls` places was free. */
export const noPlaceInTime = (timeMs: number, concurrentCalls: number): Refused =>
  waitedInVain(
    timeMs,
    `${concurrentCalls === 1 ? "1 call runs" : `${concurrentCalls} calls run`} at once, and all places were taken`,
    "Try again when some are done",
  );

/** The same where lines of its own session ran before it. */
export const noTurnInTime = (timeMs: number): Refused =>
  waitedInVain(
    timeMs,
    "a line before it in the same session still runs, and one of the two may change files or the session's directory, so that they run in order",
    "Try again when that one has ended",
  );

/** The same where all of the workspace was handled at once. */
export const noTreeInTime = (timeMs: number): Refused =>
  waitedInVain(timeMs, "the changes of its workspace are being applied, listed or dropped", "Try again when that is done");

const waitedInVain = (timeMs: number, why: string, instead: string): Refused =>
  busy(
    `waited ${timeMs / 1000} s for its turn, which is all of its time limit, and nothing of it ran: ${why}. ${instead}, or allow it more time.`,
  );

const busy = (detail: string): Refused => ({
  kind: "refused",
  violations: [{ code: "LIMIT", reason: "BUSY", detail, suggestion: undefined, position: undefined }],
});
