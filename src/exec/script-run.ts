/** `sh -c SCRIPT`: a script of the plan in a shell of its own, which has the variables that the line exports. */
import type { ScriptCall } from "../builtin/script-call.ts";
import type { ListRun } from "./list-run.ts";
import { FLUSH, Waiting } from "./routes.ts";
import { ShellState } from "./shell-state.ts";
import type { StageOutput, Surroundings } from "./stage.ts";

/** Undefined where `text` is no script that the guard has seen. `directory` is relative to the root. */
export function runScript(
  run: ListRun,
  text: string,
  { name, args, options }: Omit<ScriptCall, "stdin">,
  { shell: outer, stdin, stderr, descriptors, directory }: Omit<Surroundings, "waiting"> & { readonly directory: string },
): StageOutput | undefined {
  const plan = run.context.scripts.get(text);
  if (plan === undefined) return undefined;
  const inner = run.within(plan);
  const shell = new ShellState({
    rootPath: outer.rootPath,
    currentDirectory: directory,
    previousDirectory: undefined,
    nowMs: outer.nowMs,
    line: text,
    scratch: run.context.workspace.scratchPrefix,
    notes: outer.notes,
  });
  for (const variable of outer.exported().keys()) {
    const value = variable === "PWD" || variable === "OLDPWD" ? undefined : outer.get(variable);
    if (value !== undefined) shell.set(variable, value, true);
  }
  shell.name = name;
  // Arguments are data, wherever they come from.
  shell.positional = args.map((argument) => ({ text: argument, typed: false }));
  for (const option of options) if (Object.hasOwn(shell.options, option)) shell.options[option as keyof typeof shell.options] = true;
  return ended(inner.line(plan.body, { shell, stdin, stderr, descriptors, waiting: new Waiting() }), shell);
}

async function* ended(output: StageOutput, shell: ShellState): StageOutput {
  let isOver = false;
  try {
    for (;;) {
      const next = await output.next();
      isOver = next.done === true;
      if (next.done === true) return next.value;
      if (next.value !== FLUSH) yield next.value;
    }
  } finally {
    if (!isOver) await output.return(0);
    shell.release();
  }
}
