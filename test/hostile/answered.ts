/** The promise that the hostile tables hold a shell to: an answer in time, and a server that goes on. */
import { expect } from "vitest";
import type { Shell } from "../../src/session/shell.ts";

/** Time limit of a call in the shells of these tables, in milliseconds. */
export const LIMIT_MS = 1500;
/** What a line is given that may compute for as long as it may: a processor is busy with it until then. */
export const HOSTILE_MS = 750;
/** The promise is a second; the rest is for a machine that runs many tests at a time. */
export const GRACE_MS = 6000;

/** The line ends in one of the three ways in time, and the next one is served. */
export async function expectAnswer(shell: Shell, line: string): Promise<void> {
  const startedMs = performance.now();
  const { result } = await shell.defaultSession.run(line, { keepBytes: 0, timeMs: HOSTILE_MS });
  expect(performance.now() - startedMs, line).toBeLessThan(LIMIT_MS + GRACE_MS);
  expect(["completed", "stopped", "refused"], line).toContain(result.kind);
  const next = await shell.defaultSession.run("echo ok");
  expect(next.stdout.toString(), `after ${line}`).toBe("ok\n");
}
