/** Clocks that stand still while other processes have the processor: for limits on the time of what a test does itself. */
import { readFileSync } from "node:fs";

/** Milliseconds since some point, without those for which this process's main thread was ready to run and did not (Linux). */
export const ownMs = (): number => performance.now() - waitedMs();

/** Milliseconds for which the main thread of `pid` was ready to run and did not; 0 where the host does not say. */
export const waitedMs = (pid = process.pid): number => scheduled(pid)?.[1] ?? 0;

/**
 * Watches how long the event loop is held. The function that it gives ends that, and gives the most processor time of this process's
 * main thread between two of its turns, in milliseconds (where the host does not say: the most time).
 */
export function watchHolds(): () => number {
  const ranMs = (): number => scheduled(process.pid)?.[0] ?? performance.now();
  let longestMs = 0;
  let lastMs = ranMs();
  const look = (): void => {
    const nowMs = ranMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  };
  const beat = setInterval(look, 5);
  return () => {
    clearInterval(beat);
    look();
    return longestMs;
  };
}

/** The first two figures of schedstat, in milliseconds: on the processor, and waiting for it. Undefined outside Linux. */
function scheduled(pid: number): readonly [ran: number, waited: number] | undefined {
  try {
    const [ran, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "latin1").split(" ");
    return [Number(ran) / 1e6, Number(waited) / 1e6];
  } catch {
    // Gone, not Linux, or a kernel without these figures.
    return undefined;
  }
}
