/** A process that serves a fake shell: `slow N` takes N ms or until cancelled, anything else is echoed. */
import { serveOverStdio } from "../../src/mcp/serve-stdio.ts";
import { completed, FakeShell } from "./fake-shell.ts";

const shell = new FakeShell(async ({ command }, signal) => {
  const slow = /^slow (\d+)$/.exec(command);
  if (slow !== null) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Number(slow[1]));
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        process.stderr.write("aborted\n");
        resolve();
      });
    });
  }
  const big = /^big (\d+)$/.exec(command);
  if (big !== null) return completed({ stdout: "x".repeat(Number(big[1])) });
  return completed({ stdout: `ran ${command}\n` });
});
const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());
await serveOverStdio(shell, {
  version: "0.0.0",
  readOnly: false,
  maxOutputCharacters: 4_000_000,
  log: (line) => process.stderr.write(`${line}\n`),
  input: process.stdin,
  output: process.stdout,
  stop: stop.signal,
});
process.stderr.write("served\n");
process.stdin.destroy();
