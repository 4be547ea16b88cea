/** Time that passes, for commands that tell how long they took. */
/** A watch that runs: nanoseconds since it was started. */
export function stopwatch(): () => number {
  const startedMs = performance.now();
  return () => Math.round((performance.now() - startedMs) * 1e6);
}
