/** `shelpa` on a terminal: a prompt with history and completion of builtins, flags and paths. */
import { builtins } from "../../builtins/registry.ts";
import { namedFlags } from "../builtin/flag-names.ts";
import { Registry } from "../builtin/registry.ts";
import { inputOf } from "../io/input.ts";
import { quoteWord } from "../display/quote.ts";
import { showName } from "../display/visible.ts";
import type { Session, Shell } from "../session/shell.ts";
import { FileError } from "../workspace/file-error.ts";
import { Workspace } from "../workspace/workspace.ts";
import { historyPath, LineHistory } from "./line-history.ts";
import { print } from "./print.ts";
import { RunningProgress } from "./progress-line.ts";
import { reportEnding, USAGE_EXIT } from "./report-ending.ts";
import { INTERRUPTED_EXIT } from "./run-line.ts";
import { nextCommand } from "./typed-command.ts";
import { TypedLines } from "./typed-lines.ts";

/** Clears the screen and what has scrolled off it, and puts the cursor at its beginning. */
const CLEAR_SCREEN = "\u001b[H\u001b[2J\u001b[3J";

/**
 * Runs lines from `directory` on until end of input or `exit`; gives the last line's exit status. Rejects with FileError where
 * `directory` is none of the root.
 */
export async function prompt(shell: Shell, root: string, directory: string): Promise<number> {
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
  let exit = 0;
  try {
    for (;;) {
      const place = showName(session.currentDirectory.replace(/^(?!\/)/, "/"));
      const typed = await nextCommand(lines, `shelpa:${place}$ `, complain);
      if (typed.kind === "end") {
        process.stdout.write("exit\n");
        return exit;
      }
      if (typed.kind === "broken") {
        complain(typed.message);
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
        process.stdout.write(CLEAR_SCREEN);
        exit = 0;
      } else if (line.trim() !== "") {
        const ending = await lines.interruptibly((signal) => run(session, line, signal));
        exit = ending.exit;
        if (ending.leaves) return exit;
      }
    }
  } finally {
    lines.close();
    await shell.close();
  }
}

/** Says it as bash does. */
const complain = (message: string): void => void process.stderr.write(`bash: ${message}\n`);

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

async function run(session: Session, line: string, signal: AbortSignal): Promise<Ending> {
  const progress = new RunningProgress(process.stderr);
  const clear = (): void => progress.clear();
  signal.addEventListener("abort", clear);
  try {
    const result = await session.stream(line, {
      stdin: inputOf(),
      stdout: progress.cleared((bytes) => shown(process.stdout, bytes)),
      stderr: progress.cleared((bytes) => shown(process.stderr, bytes)),
      progress: (now) => progress.told(now),
      signal,
    });
    progress.end();
    // The prompt is drawn from the beginning of the row, over whatever stands there.
    if (!progress.isAtLineStart && !signal.aborted) process.stdout.write("\n");
    const leaves = result.kind !== "refused" && result.exitCalled === true;
    return { exit: signal.aborted ? INTERRUPTED_EXIT : reportEnding(line, result), leaves };
  } finally {
    progress.end();
    signal.removeEventListener("abort", clear);
  }
}

/** Resolves once the terminal has room again: an endless line must not fill our memory. */
function shown(stream: NodeJS.WriteStream, bytes: Uint8Array): void | Promise<void> {
  if (stream.write(bytes)) return;
  return new Promise((resolve) => void stream.once("drain", resolve));
}

/** Completions that Tab offers: builtins, flags and paths. */
export class Completer {
  readonly #workspace: Workspace;
  readonly #session: Session;
  readonly #registry = new Registry(builtins);

  constructor(workspace: Workspace, session: Session) {
    this.#workspace = workspace;
    this.#session = session;
  }

  /** readline's contract: the completions, and the part of the line they replace. */
  async complete(line: string): Promise<[string[], string]> {
    const stage = /[^|;&(]*$/.exec(line)?.[0] ?? "";
    const word = /\S*$/.exec(stage)?.[0] ?? "";
    const name = stage.trimStart().split(/\s+/)[0] ?? "";
    if (stage.trimStart() === word) return [starting(word, this.#registry.names()), word];
    if (word.startsWith("-")) return [starting(word, await this.#flagsOf(name)), word];
    return [this.#pathsFor(word), word];
  }

  async #flagsOf(name: string): Promise<string[]> {
    const table = (await this.#registry.load(name))?.flags ?? {};
    return namedFlags(table).flatMap(({ letters, longNames }) => [
      ...letters.map((letter) => `-${letter}`),
      ...longNames.map((long) => `--${long}`),
    ]);
  }

  #pathsFor(word: string): string[] {
    const slash = word.lastIndexOf("/") + 1;
    const directory = word.slice(0, slash);
    const paths: string[] = [];
    try {
      const opened = this.#workspace.at(this.#session.currentDirectory).openDirectory(directory === "" ? "." : directory);
      for (const { name, kind } of opened.entries()) {
        const hidden = name.startsWith(".") && !word.startsWith(".", slash);
        // A name that a terminal would obey, or not show, is not offered.
        if (!hidden && showName(name) === name && name.startsWith(word.slice(slash)))
          paths.push(`${directory}${quoteWord(name)}${kind === "directory" ? "/" : ""}`);
      }
      opened.close();
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
    }
    return paths.sort();
  }
}

const starting = (typed: string, candidates: readonly string[]): string[] => candidates.filter((candidate) => candidate.startsWith(typed));
