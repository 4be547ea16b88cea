/** One line on the process's own streams: the work of `shelpa -c` and `shelpa-mcp run`. */
import type { RunProgress, RunResult } from "../exec/result.ts";
import type { Session } from "../session/session.ts";
import { RunningProgress } from "./progress-line.ts";
import { reportEnding } from "./report-ending.ts";
import type { StandardStreams } from "./standard-streams.ts";

/** Exit status of a line that Ctrl-C has ended: 128 + SIGINT. */
export const INTERRUPTED_EXIT = 130;
/** The same for SIGTERM. */
const TERMINATED_EXIT = 143;

/**
 * Runs `line`, prints its output as it comes and the way it ended, and gives the exit status for the process. Ctrl-C
 * or SIGTERM ends the line, a second one the process: what the line has left in its scratch goes with it.
 */
export async function runLine(
  session: Session,
  line: string,
  streams: StandardStreams,
  cwd: string | undefined,
): Promise<{ readonly result: RunResult; readonly exit: number }> {
  const interrupted = new AbortController();
  let endedExit = INTERRUPTED_EXIT;
  const interrupt = (): void => interrupted.abort();
  const terminate = (): void => {
    endedExit = TERMINATED_EXIT;
    interrupted.abort();
  };
  const progress = new RunningProgress(process.stderr);
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", terminate);
  try {
    const sink = {
      stdin: streams.stdin,
      stdout: progress.cleared(streams.stdout),
      stderr: progress.cleared(streams.stderr),
      progress: (now: RunProgress) => progress.told(now),
      signal: AbortSignal.any([streams.signal, interrupted.signal]),
    };
    const result = await session.stream(line, sink, cwd === undefined ? {} : { cwd });
    progress.clear();
    // A user who ended the line, or a reader that is gone, needs no report of its ending.
    const wasEnded = interrupted.signal.aborted || streams.signal.aborted;
    return { result, exit: wasEnded ? endedExit : reportEnding(line, result) };
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", terminate);
    progress.end();
  }
}
