/** Hints in a stage's report for the code that shows its output: the end that says most, the meaning of silence. */
import { parseArguments, type Argument } from "../builtin/arguments.ts";
import type { BuiltinDefinition, ExitStatus } from "../builtin/definition.ts";
import type { StageReport } from "./result.ts";

/** Names of files whose newest line is their last. */
const LOG_NAME = /(\.(log|out|err)([.-]\d+)?|(^|\/)(syslog|messages))$/;

/** `exit` null: closed by its reader. */
export function stageTells(
  name: string,
  definition: BuiltinDefinition,
  args: readonly Argument[],
  hasPrinted: boolean,
  exit: ExitStatus | null,
): Pick<StageReport, "tells" | "silence" | "sought"> {
  const { tells, silence, operands } = definition;
  const readsLog = operands.kind !== "values" && operands.kind !== "none" && args.some(({ text }) => LOG_NAME.test(text));
  const own = typeof tells === "function" ? tells(args.map(({ text }) => text)) : tells;
  const end = own === undefined || own === "both" ? (readsLog ? "end" : undefined) : own;
  const meaning = hasPrinted || exit === null || silence === undefined || !Object.hasOwn(silence, exit) ? undefined : silence[exit];
  // The arguments have been read once, for the run; few builtins seek anything.
  const sought = hasPrinted && (exit === 0 || exit === null) ? definition.seeks?.(parseArguments(definition, name, args)) : undefined;
  return {
    ...(sought === undefined ? {} : { sought }),
    ...(end === undefined ? {} : { tells: end }),
    ...(meaning === undefined ? {} : { silence: `${name} ${meaning}` }),
  };
}
