/** A process that serves a fake shell, whose commands do what the tests of real clients need. Argument: most characters shown. */
import { serveOverStdio } from "../../src/mcp/serve-stdio.ts";
import type { ShellAnswer } from "../../src/mcp/shell-service.ts";
import { answerWith, completed, FakeShell } from "./fake-shell.ts";

let aborted = 0;
const shell = new FakeShell(async ({ command }, signal, onProgress): Promise<ShellAnswer> => {
  const [name, argument = ""] = command.split(" ");
  switch (name) {
    case "slow": {
      onProgress({ outputBytes: 42, stage: "slow" });
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Number(argument));
        signal.addEventListener("abort", () => {
          aborted++;
          clearTimeout(timer);
          resolve();
        });
      });
      return completed({ stdout: "at last\n" });
    }
    case "aborted":
      return completed({ stdout: `${aborted} aborted\n` });
    case "big":
      return completed({ stdout: "x".repeat(Number(argument)) });
    case "exit":
      return completed({ exit: Number(argument) });
    case "refuse":
      return answerWith({
        kind: "refused",
        violations: [
          {
            code: "GUARD_VIOLATION",
            reason: "DISALLOWED_CMD",
            detail: "'refuse' is not allowed.",
            suggestion: "ls",
            position: { start: 0, end: 6, stage: 0 },
          },
        ],
      });
    case "throw":
      await new Promise((resolve) => setTimeout(resolve, Number(argument)));
      throw new Error("a fault");
    default:
      return completed({ stdout: `ran ${command}\n` });
  }
});
const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());
await serveOverStdio(shell, {
  version: "0.0.0",
  readOnly: false,
  maxOutputCharacters: Number(process.argv[2] ?? 30_000),
  log: (line) => process.stderr.write(`${line}\n`),
  input: process.stdin,
  output: process.stdout,
  stop: stop.signal,
});
process.stdin.destroy();
