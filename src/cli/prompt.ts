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
import { print } from "./print.ts";
import { reportEnding } from "./report-ending.ts";
import { TypedLines } from "./typed-lines.ts";

/** Runs lines until end of input or `exit`; gives the last line's exit status. */
export async function prompt(shell: Shell, root: string): Promise<number> {
  const session = shell.defaultSession;
  const completer = new Completer(Workspace.open(root), session);
  const lines = new TypedLines({ input: process.stdin, output: process.stdout, complete: (line) => completer.complete(line) });
  print("shelpa: 'help' lists the builtins, 'exit' or Ctrl-D leaves\n");
  let exit = 0;
  try {
    for (;;) {
      const line = await lines.next(`shelpa:${showName(session.currentDirectory.replace(/^(?!\/)/, "/"))}$ `);
      if (line === undefined || /^\s*exit\s*$/.test(line)) return exit;
      if (line.trim() !== "") exit = await lines.interruptibly((signal) => run(session, line, signal));
    }
  } finally {
    lines.close();
    await shell.close();
  }
}

async function run(session: Session, line: string, signal: AbortSignal): Promise<number> {
  const sink = {
    stdin: inputOf(),
    stdout: (bytes: Uint8Array) => shown(process.stdout, bytes),
    stderr: (bytes: Uint8Array) => shown(process.stderr, bytes),
    signal,
  };
  return reportEnding(line, await session.stream(line, sink));
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
