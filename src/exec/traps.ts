/** Commands that a shell runs when it ends, or when a command fails (`trap`). */
import type { ExitStatus } from "../builtin/definition.ts";
import type { List } from "../shell/tree.ts";
import type { ListRun } from "./list-run.ts";
import type { StageOutput, Surroundings } from "./stage.ts";

/** Runs the trap of EXIT, if there is one, and returns the shell's status after it. */
export async function* atExit(run: ListRun, status: ExitStatus, surroundings: Surroundings): StageOutput {
  const { shell } = surroundings;
  const trap = shell.traps.EXIT;
  if (trap === undefined) return status;
  shell.traps = { ...shell.traps, EXIT: undefined };
  shell.leaving = undefined;
  shell.status = status;
  shell.endingWith = status;
  yield* run.list(trap, surroundings);
  const leaving = leavingOf(surroundings);
  return leaving?.kind === "exit" ? leaving.status : status;
}

const leavingOf = ({ shell: { leaving } }: Surroundings): typeof leaving => leaving;

/** After a command that failed with `status` and was not tested: runs the trap of ERR, and obeys `set -e`. The status with which the shell is being left. */
export async function* endsAfter(
  run: ListRun,
  status: ExitStatus,
  surroundings: Surroundings,
): AsyncGenerator<Uint8Array, ExitStatus | undefined> {
  const { shell } = surroundings;
  if (status === 0 || shell.conditions > 0) return undefined;
  if (shell.traps.ERR !== undefined) {
    yield* afterFailure(run, surroundings);
    const leaving = leavingOf(surroundings);
    if (leaving !== undefined) return "status" in leaving ? leaving.status : status;
  }
  if (!shell.options.errexit) return undefined;
  shell.leaving = { kind: "exit", status };
  return status;
}

/** Runs the trap of ERR, if there is one, after a command that failed; `$?` is kept. */
async function* afterFailure(run: ListRun, surroundings: Surroundings): AsyncGenerator<Uint8Array, void> {
  const { shell } = surroundings;
  const { status, traps } = shell;
  const trap: List | undefined = traps.ERR;
  if (trap === undefined) return;
  shell.traps = { ...traps, ERR: undefined };
  shell.traceDepth++;
  yield* run.list(trap, surroundings);
  shell.traceDepth--;
  if (shell.traps.ERR === undefined) shell.traps = { ...shell.traps, ERR: trap };
  shell.status = status;
}
