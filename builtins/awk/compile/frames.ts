/** The frames of function calls: entered and left, with a bound on their depth. */
import { FatalError } from "../syntax/program-error.ts";
import type { Place } from "../syntax/source.ts";
import type { Value } from "../values/values.ts";

/** Calls that may be open at once; each takes about a kilobyte of the stack. */
const MAX_DEPTH = 100_000;

interface Frames {
  frame: Value[];
  place: Place | undefined;
  depth: number;
}

/** Throws FatalError where calls are too deep in each other. */
export function enter(runtime: Frames, frame: Value[]): void {
  if (++runtime.depth > MAX_DEPTH) throw new FatalError("function calls are too deep in each other");
  runtime.frame = frame;
}

/** Back to the caller, and to its line. */
export function leave(runtime: Frames, saved: Pick<Frames, "frame" | "place">): void {
  runtime.depth--;
  runtime.frame = saved.frame;
  runtime.place = saved.place;
}
