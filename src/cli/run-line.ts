/** One line on the process's own streams: the work of `shelpa -c` and `shelpa-mcp run`. */
import type { RunProgress, RunResult } from "../exec/result.ts";
import type { Session } from "../session/shell.ts";
import { ProgressLine, progressText } from "./progress-line.ts";
import { reportEnding } from "./report-ending.ts";
import type { StandardStreams } from "./standard-streams.ts";

/** Exit status of a line that Ctrl-C has ended: 128 + SIGINT. */
const INTERRUPTED_EXIT = 130;
/** The same for SIGTERM. */
const TERMINATED_EXIT = 143;

const NEWLINE = 10;
/** Interval between updates of the progress shown on a terminal, in milliseconds. */
const PROGRESS_INTERVAL_MS = 1000;

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
  const shownProgress = new ProgressLine(process.stderr);
  let seconds = 0;
  let progress: RunProgress = { outputBytes: 0, stage: undefined };
  // Progress must not overwrite an unfinished line of output on the terminal.
  let isAtLineStart = true;
  const timer = setInterval(() => {
    seconds++;
    if (isAtLineStart) shownProgress.show(progressText(seconds, progress));
  }, PROGRESS_INTERVAL_MS);
  const cleared = (write: (bytes: Uint8Array) => void | Promise<void>) => (bytes: Uint8Array) => {
    shownProgress.clear();
    isAtLineStart = bytes.at(-1) === NEWLINE;
    return write(bytes);
  };
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", terminate);
  try {
    const sink = {
      stdin: streams.stdin,
      stdout: cleared(streams.stdout),
      stderr: cleared(streams.stderr),
      progress: (now: RunProgress) => {
        progress = now;
      },
      signal: AbortSignal.any([streams.signal, interrupted.signal]),
    };
    const result = await session.stream(line, sink, cwd === undefined ? {} : { cwd });
    shownProgress.clear();
    // A user who ended the line, or a reader that is gone, needs no report of its ending.
    const wasEnded = interrupted.signal.aborted || streams.signal.aborted;
    return { result, exit: wasEnded ? endedExit : reportEnding(line, result) };
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", terminate);
    clearInterval(timer);
    shownProgress.clear();
  }
}
