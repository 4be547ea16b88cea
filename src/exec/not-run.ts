/** Messages about a command that cannot be run, as bash and the programs that run others word them. */
import type { ExitStatus } from "../builtin/definition.ts";
import { quoteCurly } from "../display/quote.ts";
import type { PathFault } from "../guard/path-lookup.ts";
import type { NotRun } from "../guard/plan.ts";
import type { Wrapper } from "../shell/tree.ts";

/** bash's own message for each fault, and that of a program which calls execve(2). */
const FAULTS: Readonly<Record<PathFault, { readonly shell: string; readonly program: string; readonly exit: ExitStatus }>> = {
  missing: { shell: "No such file or directory", program: "No such file or directory", exit: 127 },
  "not-a-directory": { shell: "Not a directory", program: "Not a directory", exit: 126 },
  directory: { shell: "Is a directory", program: "Permission denied", exit: 126 },
  "not-executable": { shell: "Permission denied", program: "Permission denied", exit: 126 },
};

/** `place` begins bash's own message. */
export function notRunMessage(
  { name, fault }: NotRun,
  wrappers: readonly Wrapper[] | undefined,
  place: string,
): { readonly message: string; readonly exit: ExitStatus } {
  const program = wrappers?.findLast(({ kind }) => kind !== "shell");
  const { shell, program: reason, exit } = FAULTS[fault ?? "missing"];
  if (program === undefined) return { message: `${place}: ${name}: ${fault === undefined ? "command not found" : shell}\n`, exit };
  return { message: `${beginningOf(program)} ${quoteCurly(name)}: ${reason}\n`, exit };
}

function beginningOf(program: Wrapper): string {
  if (program.kind === "environment") return "env:";
  const name = program.kind === "timeout" ? "timeout" : program.name;
  return name === "nice" ? "nice:" : `${name}: failed to run command`;
}
