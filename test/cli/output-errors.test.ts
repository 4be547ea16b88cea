/** The command `shelpa-mcp`, bundled as it is shipped, where its output cannot be written. */
import { spawn } from "node:child_process";
import { mkdtempSync, openSync, closeSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("../../dist/shelpa-mcp.js", import.meta.url));
let root = "";
let home = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "shelpa-output-"));
  home = mkdtempSync(join(tmpdir(), "shelpa-home-"));
});
afterAll(() => {
  for (const directory of [root, home]) rmSync(directory, { recursive: true, force: true });
});

interface Ended {
  readonly status: number | null;
  readonly stderr: string;
}

/** Runs it with a standard output that is `descriptor`, or a pipe that nobody reads. */
function run(argv: readonly string[], descriptor?: number): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: home },
    stdio: ["ignore", descriptor ?? "pipe", "pipe"],
  });
  child.stdout?.destroy();
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => child.on("close", (status) => resolve({ status, stderr })));
}

test.each([
  [["--help"], 0],
  [["--version"], 0],
  [["audit"], 0],
  [["check", "ls | wc -l"], 0],
  [["check", "--help"], 0],
  [["policy", "check"], 0],
  [["init", "--print", "--client", "claude-code"], 0],
  [["audit", "log"], 0],
  [["run", "seq 9"], 141],
])("%j into a closed pipe ends without a word", async (argv, status) => {
  expect(await run(argv)).toEqual({ status, stderr: "" });
});

test("doctor into a closed pipe prints no stack", async () => {
  expect((await run(["doctor"])).stderr).toBe("");
});

test.each([[["--help"]], [["policy", "check"]], [["audit", "--help"]]])("%j onto a full disk says so", async (argv) => {
  const full = openSync("/dev/full", "w");
  try {
    expect(await run(argv, full)).toEqual({
      status: 1,
      stderr: "shelpa-mcp: standard output: ENOSPC: no space left on device, write\n",
    });
  } finally {
    closeSync(full);
  }
});
