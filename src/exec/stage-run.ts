/** One builtin as a stage: words → arguments → flags → run. */
import type { BuiltinDefinition, Invocation } from "../builtin/definition.ts";
import { parseArguments, type Argument } from "../builtin/arguments.ts";
import { helpText, versionText } from "../builtin/help.ts";
import { nativeExit, nativeMessage, UsageError } from "../builtin/usage-error.ts";
import type { BuiltinStage } from "../guard/plan.ts";
import type { ByteInput } from "../io/input.ts";
import { toBytes } from "../io/text.ts";
import { expandWords } from "../shell/expand.ts";
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
    catalogue: context.catalogue,
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
export type StageSurroundings = Omit<Invocation, "name" | "flags" | "occurrences" | "operands" | "warn">;

/** Parses `args` and runs the definition. A usage error is printed as the reference tool prints it. */
export async function* runArguments(
  definition: BuiltinDefinition,
  name: string,
  args: readonly Argument[],
  surroundings: StageSurroundings,
): StageOutput {
  const { navigation, ...rest } = surroundings;
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
