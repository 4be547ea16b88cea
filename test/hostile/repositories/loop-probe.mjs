/**
 * Loaded into a server with --import: measures how long its event loop is held, without the time that the kernel made it
 * wait for a processor, and writes the longer holds to $SHELPA_LOOP_PROBE at its end.
 */
import { readFileSync, writeFileSync } from "node:fs";

const PERIOD_MS = 10;
const LEAST_MS = 50;

/** Milliseconds that the main thread was ready to run and did not. */
const waitedMs = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ")[1]) / 1e6;

const holds = [];
let lastMs = performance.now();
let lastWaitedMs = waitedMs();
setInterval(() => {
  const nowMs = performance.now();
  const nowWaitedMs = waitedMs();
  const heldMs = nowMs - lastMs - PERIOD_MS - (nowWaitedMs - lastWaitedMs);
  if (heldMs > LEAST_MS) holds.push({ endedAtMs: Date.now(), heldMs });
  lastMs = nowMs;
  lastWaitedMs = nowWaitedMs;
}, PERIOD_MS).unref();
process.on("exit", () => writeFileSync(process.env.SHELPA_LOOP_PROBE, JSON.stringify(holds)));
