/** Hosts whose limits leave no room to run a line: too few open files or processes. Reported as a limit, and not as a fault of ours. */
import type { Violation } from "../guard/violation.ts";
import { mostOpenFiles } from "../host/process-memory.ts";

/** An executor opens about 55 files while it starts and loads a builtin. */
const LEAST_OPEN_FILES = 64;

/** The violation that reports `thrown`, which ended an executor or its start; undefined where the host's limits do not explain it. */
export function noRoom(thrown: unknown): Violation | undefined {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  const most = mostOpenFiles();
  const lacksFiles = code === "EMFILE" || code === "ENFILE" || (code === "" && most !== undefined && most < LEAST_OPEN_FILES);
  if (!lacksFiles && code !== "EAGAIN" && code !== "ENOMEM") return undefined;
  const what = lacksFiles ? `file descriptors${most === undefined ? "" : ` (it may have ${most})`}` : "processes or memory";
  const raise = lacksFiles ? `ulimit -n (${LEAST_OPEN_FILES} at least, better 1024)` : "ulimit -u, or the memory of the host or container";
  return {
    code: "LIMIT",
    reason: "BUSY",
    detail: `The server has no ${what} left to run a line. Whoever starts the server can raise ${raise}.`,
    suggestion: undefined,
    position: undefined,
  };
}
