/** One builtin as a stage: words → arguments → flags → run. */
import { randomBytes } from "node:crypto";
import type { BuiltinDefinition, ExitStatus, Invocation, StaticInvocation } from "../builtin/definition.ts";
import { parseArguments, type Argument } from "../builtin/arguments.ts";
import { helpText, versionText } from "../builtin/help.ts";
import { nativeExit, nativeMessage, UsageError } from "../builtin/usage-error.ts";
import type { ByteInput } from "../io/input.ts";
import { keptOpen } from "../io/kept-open.ts";
import { toBytes } from "../io/text.ts";
import { quoteWord } from "../display/quote.ts";
import { showName } from "../display/visible.ts";
import { FileError } from "../workspace/file-error.ts";
import type { PlannedCommand } from "../guard/plan.ts";
import { isExpanded, type SimpleCommand } from "../shell/tree.ts";
import { ExpansionError } from "../shell/variables.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { notRunMessage } from "./not-run.ts";
import type { NotRun } from "../guard/plan.ts";
import type { ListRun } from "./list-run.ts";
import { shellAccess } from "./shell-access.ts";
import type { StageOutput, Surroundings } from "./stage.ts";
import type { ShellState } from "./shell-state.ts";
import { timeLimited } from "./time-limit.ts";
import { BASH_BUILTINS } from "../shell/bash-builtins.ts";
import { chosenCommand } from "./chosen-command.ts";
import { callFunction } from "./functions.ts";
import { StageRefused } from "./late-refusal.ts";
import type { StageOutputs } from "./stage-outputs.ts";
import { runScript } from "./script-run.ts";
import { expandedArguments } from "./substitution.ts";
import { assignedBefore, type ExpandedCommand } from "./trace.ts";

/** Runs a command of the plan. Its words are expanded in its surroundings without its own redirections, or are `given` so. */
export async function* runSimple(
  run: ListRun,
  command: SimpleCommand,
  inner: Surroundings,
  outer: Surroundings,
  given: ExpandedCommand | undefined,
): StageOutput {
  const { context } = run;
  const { shell } = outer;
  const notRun = async (fault: NotRun): Promise<ExitStatus> => {
    const { message, exit } = notRunMessage(fault, command.wrappers, run.place(command.span, shell));
    await inner.stderr(toBytes(message));
    return exit;
  };
  const failing = context.failing.get(command);
  if (failing !== undefined) return notRun(failing);
  const planned = context.planned.get(command);
  if (planned === undefined) throw new Error("a command runs that the guard has not seen");
  const [named, ...args] = given?.args ?? (await expandedArguments(run, command.words, outer));
  const isChosen = planned.name === undefined;
  if (isChosen && named === undefined) return shell.substitutionStatus ?? 0;
  if (named === undefined || (!isChosen && named.text !== planned.name))
    throw new ExpansionError(`the command was to be ${planned.name}, and its variable has become ${quoteWord(named?.text ?? "")}`);
  const started = isChosen ? await chosenCommand(run, command, named, shell) : { ...planned, name: named.text };
  const { name, definition, mayCall } = started;
  const called = mayCall ? shell.functions.get(name) : undefined;
  if (called !== undefined) {
    const { before, restore } = shell.temporarily(given?.assigned ?? (await assignedBefore(run, command, outer)));
    try {
      return yield* callFunction(run, called, args, before, inner);
    } finally {
      restore();
    }
  }
  if (definition === undefined) return notRun({ name, fault: undefined });
  if (command.wrappers?.some((each) => each.kind === "shell" && each.name === "builtin") === true && !BASH_BUILTINS.has(name)) {
    await inner.stderr(toBytes(`${run.place(command.span, shell)}: builtin: ${name}: not a shell builtin\n`));
    return 1;
  }
  const isKnown = !command.words.some(isExpanded);
  const violation = isKnown
    ? undefined
    : await context.checkStarting(context.line, command, { name, args, directory: shell.currentDirectory, isChosen });
  if (violation !== undefined) throw new StageRefused(violation);
  const assigned = given?.assigned ?? (await assignedBefore(run, command, outer));
  inner.describe?.(name, definition, args);
  if (inner.descriptors?.areOpen === true && definition.readsStreams !== true) {
    await inner.descriptors.readWhole(descriptorsIn(args), context.limits.heldBytes);
  }
  if (lostItsFiles(command, definition, args) && !inner.stdin.isGiven)
    context.cursors.note(
      `${name} was given no file, because a word behind it expanded to nothing; it read its standard input, which is empty`,
    );
  const shown = shell.hideFromEnvironment(command.wrappers ?? []);
  const { restore } = shell.temporarily(assigned);
  try {
    const output = runArguments(definition, name, args, surroundingsOf(run, command, started, args, inner));
    return yield* command.wrappers === undefined ? output : timeLimited(output, command.wrappers);
  } finally {
    restore();
    shown();
  }
}

/** Tells whether a word vanished when it was expanded (`md5sum $(which cc)`) and no file is left. */
function lostItsFiles(command: SimpleCommand, { operands }: BuiltinDefinition, args: readonly Argument[]): boolean {
  if (operands.kind === "none" || operands.kind === "values" || (operands.kind === "paths" && operands.access !== "read")) return false;
  if (args.length >= command.words.length - 1 || !command.words.some(isExpanded)) return false;
  const left = args.filter(({ text }) => !text.startsWith("-")).length;
  return left <= (operands.kind === "paths" ? 0 : 1);
}

/** The descriptors that arguments name, also within a word (`--file=/dev/fd/63`). */
function descriptorsIn(args: readonly Argument[]): ReadonlySet<number> {
  return new Set(args.flatMap(({ text }) => [...text.matchAll(/\/dev\/fd\/(\d{1,2})(?!\d)/g)].map(([, digits]) => Number(digits))));
}

function surroundingsOf(
  run: ListRun,
  { span }: SimpleCommand,
  { name, scripts, definition }: PlannedCommand & { readonly name: string },
  args: readonly Argument[],
  { shell, stdin, stderr, descriptors, failedProducer, outputs, colourMark }: Surroundings,
): StageSurroundings {
  const { context } = run;
  const files = context.workspace.at(shell.currentDirectory);
  const place = run.place(span, shell);
  return {
    stdin,
    failedProducer,
    files: descriptors?.areOpen === true ? files.withDescriptors(descriptors) : files,
    recorder: context.recorder,
    outputs,
    colourMark,
    undo: context.undo,
    server: context.server,
    cursors: context.cursors,
    stderr: (bytes) => void stderr(typeof bytes === "string" ? toBytes(bytes) : bytes),
    kept: context.kept,
    limits: context.limits,
    nowMs: context.nowMs,
    timeZone: shell.environment("TZ") ?? context.timeZone,
    characters: charactersOf(shell),
    environment: () => shell.exported(),
    wait: (milliseconds) => context.control.wait(milliseconds),
    randomBytes: (count) => randomBytes(count),
    catalogue: context.catalogue,
    giveTurn: () => context.control.check(),
    scripts,
    scriptOf: (stage, text, { stdin: given = stage.stdin, ...call }) => {
      if (!scripts.has(text)) return undefined;
      if (context.scripts.get(text)?.readsFiles === true) stage.outputs?.checkCommand(text);
      const directory = stage.files.currentDirectory;
      return runScript(run, text, call, { shell, stdin: keptOpen(given), stderr: stage.stderr, descriptors, directory });
    },
    navigation: {
      previousDirectory: shell.previousDirectory,
      place,
      moveTo: (to) => shell.moveTo(to),
      get currentDirectory() {
        return shell.currentDirectory;
      },
      get stack() {
        return shell.directoryStack;
      },
      set stack(directories) {
        shell.directoryStack = directories;
      },
      home: shell.get("HOME")?.text,
    },
    // Made for those that use it alone: it is all closures.
    shell: definition?.sharesShell === undefined ? undefined : shellAccess(shell, place, name, args, (text) => void stderr(toBytes(text))),
  };
}

/** Unit of a character in the environment's locale, found as by setlocale(3); the default locale is C.UTF-8. */
function charactersOf(shell: ShellState): "utf-8" | "bytes" {
  const locale = shell.environment("LC_ALL") || shell.environment("LC_CTYPE") || shell.environment("LANG");
  return locale === "C" || locale === "POSIX" ? "bytes" : "utf-8";
}

const NO_SCRIPTS: ReadonlySet<string> = new Set();

/** The surroundings that a stage is given besides its arguments. */
export interface StageSurroundings
  extends Omit<Invocation, keyof StaticInvocation | "scratch" | "warn" | "runStage" | "runScript" | "scripts" | "outputs"> {
  readonly files: Workspace;
  readonly outputs?: StageOutputs | undefined;
  /** Texts of the scripts that it may run; absent where there is no line. */
  readonly scripts?: ReadonlySet<string>;
  /** Runs a script with the input, the errors and the directory of a stage; absent where there is no line. */
  readonly scriptOf?: (
    stage: Pick<StageSurroundings, "stdin" | "stderr" | "files" | "outputs">,
    ...script: Parameters<Invocation["runScript"]>
  ) => ReturnType<Invocation["runScript"]>;
  /** Called before each stage that a stage runs: throws where the call must end. */
  readonly giveTurn?: () => void | Promise<void>;
}

/**
 * Parses `args` and runs the definition. A usage error is printed as the reference tool prints it. So is an error of a file that
 * the builtin did not meet itself: it is about the caller's files or the host, and no fault of ours.
 */
export async function* runArguments(
  definition: BuiltinDefinition,
  name: string,
  args: readonly Argument[],
  surroundings: StageSurroundings,
): StageOutput {
  try {
    const parsed = parseArguments(definition, name, args);
    if (parsed.informs !== undefined) {
      yield toBytes(parsed.informs === "help" ? helpText(definition, name) : versionText(definition, name));
      return 0;
    }
    const { navigation, shell } = surroundings;
    // One by one: spreading both took a third of the time of a command in a loop.
    const invocation: Invocation = {
      name: parsed.name,
      flags: parsed.flags,
      occurrences: parsed.occurrences,
      operands: parsed.operands,
      flagArguments: parsed.flagArguments,
      stdin: surroundings.stdin,
      failedProducer: surroundings.failedProducer,
      files: surroundings.files,
      recorder: surroundings.recorder,
      outputs: surroundings.outputs,
      colourMark: surroundings.colourMark,
      scratch: () => surroundings.files.scratch(),
      undo: surroundings.undo,
      stderr: surroundings.stderr,
      warn: (message) => surroundings.stderr(`${name}: ${message}\n`),
      limits: surroundings.limits,
      nowMs: surroundings.nowMs,
      timeZone: surroundings.timeZone,
      characters: surroundings.characters,
      environment: surroundings.environment,
      wait: surroundings.wait,
      randomBytes: surroundings.randomBytes,
      kept: surroundings.kept,
      catalogue: surroundings.catalogue,
      scripts: surroundings.scripts ?? NO_SCRIPTS,
      runScript: (...script) => surroundings.scriptOf?.(surroundings, ...script),
      runStage: (command, stdin, directory) => runInside(name, command, stdin, directory, surroundings),
      cursors: surroundings.cursors,
      server: surroundings.server,
      navigation: definition.navigates !== undefined ? navigation : undefined,
      shell: definition.sharesShell === undefined ? undefined : shell,
    };
    definition.check?.(invocation, surroundings.outputs);
    return yield* definition.run(invocation);
  } catch (thrown) {
    if (thrown instanceof FileError) {
      // File errors that the builtin has no words of its own for: a file went away, or there are no descriptors left.
      surroundings.stderr(`${name}: ${thrown.path === "" ? "" : `${showName(thrown.path)}: `}${thrown.message}\n`);
      return definition.usageExit === 2 ? 2 : 1;
    }
    if (!(thrown instanceof UsageError)) throw thrown;
    surroundings.stderr(nativeMessage(definition, name, thrown));
    return nativeExit(definition, thrown);
  }
}

/** Runs `command` for the builtin `caller`, with everything it has itself but navigation. */
async function* runInside(
  caller: string,
  [name, ...args]: readonly Argument[],
  stdin: ByteInput,
  directory: string | undefined,
  { navigation: _, shell: __, failedProducer: ___, ...surroundings }: StageSurroundings,
): StageOutput {
  await surroundings.giveTurn?.();
  const definition = name === undefined ? undefined : await surroundings.catalogue.load(name.text);
  if (name === undefined || definition === undefined || definition.navigates !== undefined || definition.sharesShell === "needs") {
    surroundings.stderr(`${caller}: ${name?.text ?? ""}: No such file or directory\n`);
    return 127;
  }
  const files = directory === undefined ? surroundings.files : surroundings.files.at(directory);
  const outputs = surroundings.outputs?.nested(files);
  try {
    const exit = yield* runArguments(definition, name.text, args, { ...surroundings, stdin, files, outputs });
    outputs?.finish(exit);
    return exit;
  } finally {
    outputs?.close();
  }
}
