/** Commands of this program in a process of their own: work that takes long, or as long as a file of the root has it take. */
import { fork } from "node:child_process";
import { ownPath } from "../host/own-code.ts";

export interface OwnCommandEnd {
  /** undefined: it was ended because it took too long, or by a signal. */
  readonly status: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** More than a line or a complaint has, in characters; the rest is not kept. */
const MOST_OUTPUT = 64 << 10;

/** Runs `shelpa-mcp` with `argv`, for at most `timeoutMs` and not after `signal`. Rejects where the process cannot be started. */
export function runOwnCommand(argv: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<OwnCommandEnd> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const child = fork(ownPath("shelpa-mcp.js"), argv, {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: {},
    execArgv: [],
    signal: within,
    killSignal: "SIGKILL",
  });
  const kept = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      kept[name] = `${kept[name]}${text}`.slice(0, MOST_OUTPUT);
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", (error) => (within.aborted ? resolve({ ...kept, status: undefined }) : reject(error)));
    child.once("close", (status) => resolve({ ...kept, status: status ?? undefined }));
  });
}
