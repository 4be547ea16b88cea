/** Errors that all kinds of hunks share: a line out of place, and too many lines. */
import { LimitReached } from "../../src/io/limit-reached.ts";
import { toText } from "../../src/io/text.ts";
import { PatchError } from "./patch-error.ts";
import type { PatchLines } from "./patch-lines.ts";

/** Lines of one side of a hunk that are held at most. */
const MOST_LINES = 1 << 20;

/** Throws LimitReached where a side has more lines than are held. */
export function checkLines(count: number): void {
  if (count > MOST_LINES) throw new LimitReached("held", MOST_LINES, "lines");
}

/** The error of a line that does not belong where it stands. */
export function malformed(lines: PatchLines, line: Buffer): PatchError {
  return new PatchError(`malformed patch at line ${lines.lineNumber}: ${toText(line)}`);
}
