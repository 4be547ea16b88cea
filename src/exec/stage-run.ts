/** One builtin as a stage: words → arguments → flags → run. */
import { randomBytes } from "node:crypto";
import type { BuiltinDefinition, Invocation } from "../builtin/definition.ts";
import { parseArguments, type Argument } from "../builtin/arguments.ts";
import { helpText, versionText } from "../builtin/help.ts";
import { nativeExit, nativeMessage, UsageError } from "../builtin/usage-error.ts";
import type { BuiltinStage } from "../guard/plan.ts";
import type { ByteInput } from "../io/input.ts";
import { toBytes } from "../io/text.ts";
import { expandWords } from "../shell/expand.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { DirectoryState, ListContext, StageOutput } from "./list-run.ts";

export async function* runBuiltin(
  stage: BuiltinStage,
  context: ListContext,
  directory: DirectoryState,
  stdin: ByteInput,
  stderr: (bytes: Uint8Array) => void | Promise<void>,
): StageOutput {
  const files = context.workspace.at(directory.current);
  const lineNumber = context.line.slice(0, stage.span.start).split("\n").length;
  return yield* runArguments(stage.definition, stage.name, expandWords(stage.words, files), {
    stdin,
    files,
    recorder: context.recorder,
    stderr: (bytes) => void stderr(typeof bytes === "string" ? toBytes(bytes) : bytes),
    limits: context.limits,
    nowMs: context.nowMs,
    timeZone: context.timeZone,
    wait: (milliseconds) => context.control.wait(milliseconds),
    randomBytes: (count) => randomBytes(count),
    catalogue: context.catalogue,
    giveTurn: () => context.control.check(),
    navigation: {
      previousDirectory: directory.previous,
      lineNumber,
      moveTo(to) {
        directory.previous = directory.current;
        directory.current = to;
      },
    },
  });
}

/** What a stage is given besides its arguments. */
export interface StageSurroundings
  extends Omit<Invocation, "name" | "flags" | "occurrences" | "operands" | "flagArguments" | "warn" | "runStage"> {
  readonly files: Workspace;
  /** Called before each stage that a stage runs: throws where the call must end. */
  readonly giveTurn?: () => void | Promise<void>;
}

/** Parses `args` and runs the definition. A usage error is printed as the reference tool prints it. */
export async function* runArguments(
  definition: BuiltinDefinition,
  name: string,
  args: readonly Argument[],
  surroundings: StageSurroundings,
): StageOutput {
  const { navigation, giveTurn: _, ...rest } = surroundings;
  try {
    const parsed = parseArguments(definition, name, args);
    if (parsed.informs !== undefined) {
      yield toBytes(parsed.informs === "help" ? helpText(definition, name) : versionText(definition, name));
      return 0;
    }
    const invocation: Invocation = {
      ...rest,
      ...parsed,
      ...(definition.navigates === true && navigation !== undefined ? { navigation } : {}),
      runStage: (command, stdin, directory) => runInside(name, command, stdin, directory, surroundings),
      warn: (message) => surroundings.stderr(`${name}: ${message}\n`),
    };
    definition.check?.(invocation);
    return yield* definition.run(invocation);
  } catch (thrown) {
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
  { navigation: _, ...surroundings }: StageSurroundings,
): StageOutput {
  await surroundings.giveTurn?.();
  const definition = name === undefined ? undefined : surroundings.catalogue.find(name.text);
  if (name === undefined || definition === undefined || definition.navigates === true) {
    surroundings.stderr(`${caller}: ${name?.text ?? ""}: No such file or directory\n`);
    return 127;
  }
  const files = directory === undefined ? surroundings.files : surroundings.files.at(directory);
  return yield* runArguments(definition, name.text, args, { ...surroundings, stdin, files });
}
