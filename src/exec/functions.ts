/** Calls of the line's own functions. */
import type { Argument } from "../builtin/arguments.ts";
import type { FunctionCommand } from "../shell/tree.ts";
import type { Covered } from "./shell-variables.ts";
import type { ListRun } from "./list-run.ts";
import type { StageOutput, Surroundings } from "./stage.ts";

/** Runs the body of `definition` with `args` as `$1`, `$2`, …; `given` are variables set for the call. Throws LimitReached "held" where calls are too deep. */
export async function* callFunction(
  run: ListRun,
  definition: FunctionCommand,
  args: readonly Argument[],
  given: Covered,
  surroundings: Surroundings,
): StageOutput {
  const { shell } = surroundings;
  const { describe: _, ...inner } = surroundings;
  const leave = shell.enter(
    definition.name,
    args.map(({ text, data, operandOnly }) => ({ text, typed: data !== true && operandOnly !== true })),
    given,
  );
  try {
    const status = yield* unstacked(run.list(definition.body, inner));
    if (shell.leaving?.kind !== "return") return status;
    const returned = shell.leaving.status;
    shell.leaving = undefined;
    return returned;
  } finally {
    leave();
  }
}

/**
 * Passes `output` on. `yield*` would ask one generator within another for the next block on one stack, through all the calls around
 * it: here each call begins on a stack of its own.
 */
async function* unstacked(output: StageOutput): StageOutput {
  let isOver = false;
  try {
    for (;;) {
      await undefined;
      const next = await output.next();
      if (next.done === true) {
        isOver = true;
        return next.value;
      }
      yield next.value;
    }
  } finally {
    await undefined;
    if (!isOver) await output.return(0);
  }
}
