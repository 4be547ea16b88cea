/**
 * Work of the command `shelpa`: a line (`-c`), one builtin (`shelpa grep -n x f`), a script on standard input, or a prompt.
 */
import { KeptValues } from "../builtin/kept-values.ts";
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
import { DEFAULT_RUN_LIMITS } from "../config/limits.ts";
import { Shell, type ShellOptions } from "../session/shell.ts";
import { HOST_ZONE } from "../dates/date-format.ts";
import { toBytes } from "../io/text.ts";
import { quoteWord } from "../display/quote.ts";
import { WriteRefused } from "../builtin/write-refused.ts";
import { FileError } from "../workspace/file-error.ts";
import { Workspace } from "../workspace/workspace.ts";
import { callerDirectory } from "../host/caller-directory.ts";
import { ownArguments } from "../host/own-arguments.ts";
import type { Given } from "./command.ts";
import { helpText } from "./command-help.ts";
import { CommandLineError } from "./command-line-error.ts";
import { SHELPA } from "./commands.ts";
import { rootOrHere } from "./root-or-here.ts";
import { complain, faultText, print, suggest } from "./print.ts";
import { readCommand } from "./read-command.ts";
import { FAULT_EXIT, USAGE_EXIT } from "./report-ending.ts";
import { runLine } from "./run-line.ts";
import { standardStreams } from "./standard-streams.ts";
import { lineOf } from "./words-as-line.ts";
import { VERSION } from "./version.ts";
import { REDIRECT_POLICIES } from "../config/policy.ts";

/** Must be set before the first pattern is compiled: a pattern that backtracks too far goes on in linear time. */
setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");

const streams = standardStreams();
try {
  await main(ownArguments());
} catch (thrown) {
  if (thrown instanceof CommandLineError) fail(thrown.message, thrown.suggestion);
  else if (thrown instanceof WriteRefused) fail(thrown.message);
  else if (thrown instanceof FileError) fail(`${thrown.path}: ${thrown.message}`);
  else {
    complain(faultText(thrown), "shelpa");
    process.exit(FAULT_EXIT);
  }
}

type Values = Given<typeof SHELPA.options>["values"];

async function main(args: readonly string[]): Promise<void> {
  const given = readCommand(SHELPA, args);
  if (given === "help" || given === "version") {
    print(given === "help" ? helpText(SHELPA) : `shelpa ${VERSION}\n`);
    return;
  }
  const { values, operands } = given;
  const { c: line, cwd } = values;
  if (line === undefined && operands.length > 0) return runOne(values, operands);
  if (operands.length > 0) return fail(`-c takes one LINE, and '${operands[0] ?? ""}' follows it`, "shelpa -c 'ls -l'");
  const root = resolve(rootOrHere(values.root));
  const directory = cwd ?? callerDirectory(root);
  const shell = await Shell.open(shellOptions(root, values));
  if (line !== undefined) return runScript(shell, line, directory);
  if (process.stdin.isTTY) {
    const { prompt } = await import("./prompt.ts");
    return streams.end(await prompt(shell, { root, directory, isPaged: !values["no-pager"] }));
  }
  const script: Uint8Array[] = [];
  for await (const block of streams.stdin) script.push(block);
  return runScript(shell, Buffer.concat(script).toString(), directory);
}

function shellOptions(root: string, { "read-only": readOnly, strict, redirects: named }: Values): ShellOptions {
  const redirects = REDIRECT_POLICIES.find((name) => name === named);
  if (named !== undefined && redirects === undefined)
    throw new CommandLineError(`--redirects takes ${REDIRECT_POLICIES.join(" or ")}, not '${named}'`);
  // A person at a terminal interrupts a long line; a deadline would only cut off a long pipe.
  return {
    root,
    isolation: "none",
    readOnly,
    strict,
    redirects,
    client: "shelpa",
    limits: { timeMs: 2 ** 31 - 1, outputBytes: Number.MAX_SAFE_INTEGER },
  };
}

async function runScript(shell: Shell, script: string, directory: string): Promise<void> {
  const { exit } = await runLine(shell.defaultSession, script, streams, directory);
  await shell.close();
  streams.end(exit);
}

/** `shelpa NAME ARGUMENT…`: without a shell, so every argument is taken literally. */
async function runOne(values: Values, words: readonly string[]): Promise<void> {
  const [name = "", ...args] = words;
  const registry = new Registry(builtins);
  const definition = await registry.load(name);
  if (definition === undefined) {
    if (name.startsWith("@"))
      return fail(
        `named pipelines are of a server's configuration, and '${name}' is no builtin`,
        `shelpa-mcp run ${quoteWord(words.join(" "))}`,
      );
    if ((await import("./subcommands.ts")).SUBCOMMANDS.some(({ word }) => word === name))
      return fail(`'${name}' is a command of shelpa-mcp, and no builtin`, ["shelpa-mcp", ...words.map(quoteWord)].join(" "));
    const near = nearest(name, registry.names());
    return fail(`no builtin is named '${name}'`, near === undefined ? "shelpa help" : `shelpa ${near}`);
  }
  const given = args.map((text): Argument => ({ text }));
  const line = lineOf(definition, name, given, values.redirects === "record");
  const root = resolve(rootOrHere(values.root));
  const directory = values.cwd ?? callerDirectory(root);
  if (line !== undefined) return runScript(await Shell.open(shellOptions(root, values)), line, directory);
  const workspace = Workspace.open(root);
  const files = workspace.at(directory);
  const nowMs = Date.now();
  const output = runArguments(definition, name, given, {
    stdin: streams.stdin,
    files,
    recorder: values["read-only"]
      ? undefined
      : createRecorder(workspace, {
          line: words.join(" "),
          session: "shelpa",
          client: "shelpa",
          confirmOversize: true,
        }),
    stderr: (bytes) => void streams.stderr(typeof bytes === "string" ? toBytes(bytes) : bytes),
    limits: DEFAULT_RUN_LIMITS,
    nowMs,
    timeZone: process.env["TZ"] ?? HOST_ZONE,
    characters: "utf-8",
    environment: () => new Map(),
    wait: async (milliseconds) => void (await setTimeout(Math.min(milliseconds, 2 ** 31 - 1))),
    randomBytes: (count) => randomBytes(count),
    kept: new KeptValues(),
    catalogue: registry,
  });
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

function fail(message: string, suggestion = "shelpa --help"): void {
  complain(message, "shelpa");
  suggest(suggestion, "try: shelpa --help");
  process.exitCode = USAGE_EXIT;
}
