/** `shift`: drops positional parameters. */
import { defineBuiltin } from "../../src/builtin/definition.ts";

export const shift = defineBuiltin({
  name: "shift",
  summary: "Drop the first positional parameter, or the first N.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bourne-Shell-Builtins.html#index-shift",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "raw",
  flags: {},
  sharesShell: "needs",
  setsPositional: true,
  examples: [
    { command: 'set -- a b c; shift; echo "$@"', stdout: "b c\n" },
    { command: 'set -- a b c; shift 2; echo "$# $1"', stdout: "1 c\n" },
  ],
  // oxlint-disable-next-line require-yield -- it prints nothing
  async *run({ operands, shell, stderr }) {
    if (shell === undefined) throw new Error("shift without a shell");
    const complain = (message: string): 1 => {
      stderr(`${shell.place}: shift: ${message}\n`);
      return 1;
    };
    const [typed = "1", ...others] = operands[0] === "--" ? operands.slice(1) : operands;
    if (!/^[ \t]*[+-]?\d{1,18}[ \t]*$/.test(typed)) return complain(`${typed}: numeric argument required`);
    if (others.length > 0) shell.fail("too many arguments");
    const count = Number(typed);
    if (count < 0) return complain(`${typed}: shift count out of range`);
    if (count > shell.positionalCount) return 1;
    shell.shiftPositional(count);
    return 0;
  },
});
