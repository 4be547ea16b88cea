/**
 * Loaded into a server with --import: measures how long its event loop is held, by the processor time of the main thread between two
 * turns, so that neither other work on the machine nor a slow disk counts, and writes the longer holds to $SHELPA_LOOP_PROBE at
 * its end. What waits without end for something else is found by the answer that does not come.
 */
import { readFileSync, writeFileSync } from "node:fs";

const PERIOD_MS = 10;
const LEAST_MS = 50;

/** Milliseconds that the main thread has run. */
const ranMs = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;

const holds = [];
let lastRanMs = ranMs();
setInterval(() => {
  const nowRanMs = ranMs();
  const heldMs = nowRanMs - lastRanMs;
  if (heldMs > LEAST_MS) holds.push({ endedAtMs: Date.now(), heldMs });
  lastRanMs = nowRanMs;
}, PERIOD_MS).unref();
process.on("exit", () => writeFileSync(process.env.SHELPA_LOOP_PROBE, JSON.stringify(holds)));
