/**
 * The command `shelpa`: a line (`-c`), one builtin (`shelpa grep -n x f`), a script on standard input, or a prompt.
 */
import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { builtins } from "../../builtins/registry.ts";
import { createRecorder } from "../audit/recorder.ts";
import type { Argument } from "../builtin/arguments.ts";
import { nearest } from "../builtin/nearest.ts";
import { Registry } from "../builtin/registry.ts";
import { runArguments } from "../exec/stage-run.ts";
import { DEFAULT_RUN_LIMITS } from "../exec/result.ts";
import { Shell, type ShellOptions } from "../session/shell.ts";
import { FileError } from "../workspace/file-error.ts";
import { Workspace } from "../workspace/workspace.ts";
import { ownArguments } from "../workspace/own-arguments.ts";
import { reportEnding, USAGE_EXIT } from "./report-ending.ts";
import { standardStreams, type StandardStreams } from "./standard-streams.ts";

/** Must be set before the first pattern is compiled: a pattern that backtracks too far goes on in linear time. */
setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");

const HELP = `Usage: shelpa [OPTION]... -c LINE
  or:  shelpa [OPTION]... NAME [ARGUMENT]...
  or:  shelpa [OPTION]...
Run a command line, one builtin, or a prompt, inside a directory and nowhere else.

  -c LINE           run LINE; the exit status is that of its last stage
      --root DIR    the workspace (default: $SHELPA_ROOT, or the current directory)
      --cwd DIR     start in DIR, relative to the root
      --read-only   nothing can be written: tee is refused
      --strict      refuse even redirections that name no file (2>/dev/null)
      --help        print this and exit; 'shelpa help' explains the language
      --version     print the version and exit

Without LINE and NAME: a prompt on a terminal, else the lines of standard input.

Examples:
  shelpa -c 'tail -n 100 app.log | grep ERROR | sort -u'
  shelpa --root ~/project grep -rn TODO src
`;

interface Command {
  readonly root: string;
  readonly cwd: string | undefined;
  readonly readOnly: boolean;
  readonly strict: boolean;
  readonly line: string | undefined;
  /** NAME and its arguments. */
  readonly words: readonly string[];
}

const streams = standardStreams();
try {
  await main(ownArguments());
} catch (thrown) {
  if (!(thrown instanceof FileError)) throw thrown;
  fail(`${thrown.path}: ${thrown.message}`);
}

async function main(args: readonly string[]): Promise<void> {
  const command = readCommand(args);
  if (command === undefined) return;
  if (command.line === undefined && command.words.length > 0) return runOne(command, streams);
  const shell = await Shell.open(shellOptions(command));
  if (command.line !== undefined) return runLine(shell, command.line, command.cwd);
  if (process.stdin.isTTY) {
    const { prompt } = await import("./prompt.ts");
    return streams.end(await prompt(shell, command.root));
  }
  const script: Uint8Array[] = [];
  for await (const block of streams.stdin) script.push(block);
  return runLine(shell, Buffer.concat(script).toString(), command.cwd);
}

/** Reads our own flags, which come before LINE or NAME. undefined: there is nothing (more) to do. */
function readCommand(args: readonly string[]): Command | undefined {
  let root = process.env["SHELPA_ROOT"] ?? ".";
  let cwd: string | undefined;
  let line: string | undefined;
  let readOnly = false;
  let strict = false;
  let at = 0;
  const value = (flag: string): string | undefined => {
    const joined = /^--[a-z-]+=([^]*)$/.exec(flag)?.[1];
    return joined ?? args[++at];
  };
  for (; at < args.length && line === undefined; at++) {
    const flag = args[at] as string;
    if (!flag.startsWith("-") || flag === "-") break;
    const name = flag.replace(/=[^]*$/, "");
    if (name === "--help") {
      process.stdout.write(HELP);
      return undefined;
    } else if (name === "--version") {
      process.stdout.write(`shelpa ${process.env["npm_package_version"] ?? "0.1.0"}\n`);
      return undefined;
    } else if (name === "--read-only") readOnly = true;
    else if (name === "--strict") strict = true;
    else if (name === "--root" || name === "--cwd" || name === "-c") {
      const given = value(flag);
      if (given === undefined) return fail(`${name} needs a value`, name === "-c" ? "shelpa -c 'ls'" : `shelpa ${name} DIR -c 'ls'`);
      if (name === "--root") root = given;
      else if (name === "--cwd") cwd = given;
      else line = given;
    } else {
      const near = nearest(name, OWN_FLAGS);
      return fail(`unknown flag '${name}'`, near === undefined ? "shelpa --help" : `shelpa ${near}`);
    }
  }
  const words = args.slice(at);
  if (line !== undefined && words.length > 0) return fail(`-c takes one LINE, and '${words[0] ?? ""}' follows it`, "shelpa -c 'ls -l'");
  return { root: resolve(root), cwd, readOnly, strict, line, words };
}

const OWN_FLAGS = ["--root", "--cwd", "--read-only", "--strict", "--help", "--version"];

function shellOptions({ root, readOnly, strict }: Command): ShellOptions {
  // A person at a terminal interrupts a long line; a deadline would only cut off a long pipe.
  return { root, readOnly, strict, client: "shelpa", limits: { timeMs: 2 ** 31 - 1, outputBytes: Number.MAX_SAFE_INTEGER } };
}

async function runLine(shell: Shell, line: string, cwd: string | undefined): Promise<void> {
  const result = await shell.defaultSession.stream(line, streams, cwd === undefined ? {} : { cwd });
  await shell.close();
  streams.end(reportEnding(line, result));
}

/** `shelpa NAME ARGUMENT…`: no shell in between, so every argument is what it is. */
async function runOne(command: Command, streams: StandardStreams): Promise<void> {
  const [name = "", ...args] = command.words;
  const registry = new Registry(builtins);
  const definition = await registry.load(name);
  if (definition === undefined) {
    const near = nearest(name, registry.names());
    return fail(`no builtin is named '${name}'`, near === undefined ? "shelpa help" : `shelpa ${near}`);
  }
  const workspace = Workspace.open(command.root);
  const files = workspace.at(command.cwd ?? "");
  const nowMs = Date.now();
  const output = runArguments(
    definition,
    name,
    args.map((text): Argument => ({ text })),
    {
      stdin: streams.stdin,
      files,
      recorder: command.readOnly
        ? undefined
        : createRecorder(workspace, {
            line: command.words.join(" "),
            session: "shelpa",
            client: "shelpa",
            confirmOversize: true,
          }),
      stderr: (bytes) => void streams.stderr(typeof bytes === "string" ? Buffer.from(bytes) : bytes),
      limits: DEFAULT_RUN_LIMITS,
      nowMs,
      timeZone: process.env["TZ"] ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      wait: async (milliseconds) => void (await setTimeout(Math.min(milliseconds, 2 ** 31 - 1))),
      randomBytes: (count) => randomBytes(count),
      catalogue: registry,
    },
  );
  for (;;) {
    const next = await output.next();
    if (next.done === true) return streams.end(next.value);
    await streams.stdout(next.value);
    if (streams.signal.aborted) {
      await output.return(0);
      return streams.end(0);
    }
  }
}

function fail(message: string, suggestion = "shelpa --help"): undefined {
  process.stderr.write(`shelpa: ${message}\ntry: ${suggestion}\n`);
  process.exitCode = USAGE_EXIT;
  return undefined;
}
