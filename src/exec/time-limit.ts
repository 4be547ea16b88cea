/** `timeout`: a command that is given no more time than was asked for. */
import type { Wrapper } from "../shell/tree.ts";
import type { StageOutput } from "./stage.ts";

/** Longest delay that setTimeout takes, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * `output` up to the shortest time limit of `wrappers`, and then its status. A stage that waits is left waiting, and ends with the
 * call; one that computes is ended when it next gives a block.
 */
export async function* timeLimited(output: StageOutput, wrappers: readonly Wrapper[]): StageOutput {
  let limit: Extract<Wrapper, { kind: "timeout" }> | undefined;
  for (const wrapper of wrappers) {
    if (wrapper.kind !== "timeout" || wrapper.seconds === 0) continue;
    if (limit === undefined || wrapper.seconds < limit.seconds) limit = wrapper;
  }
  if (limit === undefined || limit.seconds * 1000 > LONGEST_TIMER_MS) return yield* output;
  const limitMs = limit.seconds * 1000;
  const endMs = performance.now() + limitMs;
  let pending: NodeJS.Timeout | undefined;
  const timer = new Promise<undefined>((resolve) => {
    pending = setTimeout(() => resolve(undefined), limitMs);
  });
  let isOver = false;
  try {
    for (;;) {
      const next = await Promise.race([output.next(), timer]);
      if (next === undefined || performance.now() > endMs) {
        isOver = next === undefined;
        return limit.exit;
      }
      if (next.done === true) return next.value;
      yield next.value;
    }
  } finally {
    clearTimeout(pending);
    const ended = output.return(0);
    // Where it waits, so would the call for its end.
    if (isOver) ended.catch(() => {});
    else await ended;
  }
}
