/** `shelpa` on a terminal: a prompt that keeps its commands, completes them, and runs each as it is typed. */
import type { RunProgress, RunReport } from "../exec/result.ts";
import { inputOf } from "../io/input.ts";
import { showName } from "../display/visible.ts";
import { changeText } from "../mcp/write-lines.ts";
import type { Session } from "../session/session.ts";
import type { Shell } from "../session/shell.ts";
import { FileError } from "../workspace/file-error.ts";
import { Workspace } from "../workspace/workspace.ts";
import { Completer } from "./completer.ts";
import { historyPath, LineHistory } from "./line-history.ts";
import { complain, print } from "./print.ts";
import type { PagerKey } from "./pager.ts";
import { PromptTerminal } from "./prompt-terminal.ts";
import { RunningProgress } from "./progress-line.ts";
import { reportEnding, USAGE_EXIT } from "./report-ending.ts";
import { INTERRUPTED_EXIT } from "./run-line.ts";
import { nextCommand } from "./typed-command.ts";
import { TypedLines } from "./typed-lines.ts";

export interface PromptOptions {
  /** Host directory. */
  readonly root: string;
  /** Where it begins, relative to the root. */
  readonly directory: string;
  /** True if output longer than the screen is shown a page at a time. */
  readonly isPaged: boolean;
}

/**
 * Runs lines from `directory` on until end of input or `exit`; gives the last line's exit status. Rejects with FileError where
 * `directory` is none of the root.
 */
export async function prompt(shell: Shell, { root, directory, isPaged }: PromptOptions): Promise<number> {
  const session = shell.defaultSession;
  const workspace = Workspace.open(root);
  session.startIn(startOf(workspace, directory));
  const completer = new Completer(workspace, session);
  const lines = new TypedLines({
    input: process.stdin,
    output: process.stdout,
    history: new LineHistory(historyPath(workspace.rootPath, process.env)),
    complete: (line) => completer.complete(line),
  });
  print("shelpa: 'help' lists the builtins, 'exit' or Ctrl-D leaves\n");
  const terminal = new PromptTerminal(process.stdout, process.stderr);
  let exit = 0;
  try {
    for (;;) {
      const place = showName(session.currentDirectory.replace(/^(?!\/)/, "/"));
      const typed = await nextCommand(lines, terminal.promptFor(place, exit), (message) => terminal.complain(message));
      if (typed.kind === "end") {
        terminal.say("exit");
        return exit;
      }
      if (typed.kind === "broken") {
        terminal.complain(typed.message);
        exit = USAGE_EXIT;
        continue;
      }
      if (typed.kind === "dropped") {
        exit = INTERRUPTED_EXIT;
        continue;
      }
      const { line } = typed;
      lines.remember(line);
      // Each line has a shell of its own, to which the status of the line before is unknown.
      if (/^\s*exit\s*$/.test(line)) return exit;
      if (/^\s*clear\s*$/.test(line)) {
        terminal.clear();
        exit = 0;
      } else if (line.trim() !== "") {
        const ending = await lines.interruptibly((signal) => run(line, { session, terminal, lines, isPaged }, signal));
        exit = ending.exit;
        if (ending.leaves) return exit;
      }
    }
  } finally {
    lines.close();
    await shell.close();
  }
}

/** `directory` free of links. Throws FileError. */
function startOf(workspace: Workspace, directory: string): string {
  const path = directory === "" ? "." : directory;
  if (workspace.status(path).kind !== "directory") throw new FileError("ENOTDIR", directory);
  return workspace.realPath(path);
}

interface Ending {
  readonly exit: number;
  /** True if the line has called `exit`. */
  readonly leaves: boolean;
}

interface Surroundings {
  readonly session: Session;
  readonly terminal: PromptTerminal;
  readonly lines: TypedLines;
  readonly isPaged: boolean;
}

async function run(line: string, { session, terminal, lines, isPaged }: Surroundings, interrupted: AbortSignal): Promise<Ending> {
  const progress = new RunningProgress(process.stderr);
  const quitted = new AbortController();
  const signal = AbortSignal.any([interrupted, quitted.signal]);
  const reading = {
    takeKeys: (listener: (key: PagerKey) => void) => lines.takeKeys(listener),
    onAsk: () => progress.silence(),
    quit: () => quitted.abort(),
    signal,
  };
  const { stdout, stderr, colourMark, end } = terminal.streams(isPaged ? reading : undefined);
  const clear = (): void => progress.clear();
  signal.addEventListener("abort", clear);
  try {
    const sink = {
      stdin: inputOf(),
      stdout: progress.cleared(stdout.write),
      stderr: progress.cleared(stderr.write),
      progress: (now: RunProgress) => progress.told(now),
      signal,
    };
    const result = await session.stream(line, sink, { colourMark });
    progress.end();
    await end();
    // The prompt is drawn from the beginning of the row, over whatever stands there.
    if (!progress.isAtLineStart && !signal.aborted) terminal.say("");
    if (result.kind === "completed") tellChanges(result);
    const leaves = result.kind !== "refused" && result.exitCalled === true;
    if (quitted.signal.aborted) return { exit: 0, leaves };
    return { exit: interrupted.aborted ? INTERRUPTED_EXIT : reportEnding(line, result), leaves };
  } finally {
    progress.end();
    signal.removeEventListener("abort", clear);
  }
}

/** One line about what was changed; `undo` has said it itself. */
function tellChanges({ receipts, stages }: RunReport): void {
  const [first, ...others] = receipts;
  if (first === undefined || stages.some(({ command }) => /^undo\b/.test(command))) return;
  const more = others.length === 0 ? "" : `, and ${others.length} more ${others.length === 1 ? "change" : "changes"}`;
  complain(`${changeText(first)}${more}`, "shelpa");
}
