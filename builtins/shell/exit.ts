/** `exit`: ends the line, or the subshell it stands in. */
import { defineBuiltin } from "../../src/builtin/definition.ts";

export const exit = defineBuiltin({
  name: "exit",
  summary: "End the line, or the subshell around it, with a status.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bourne-Shell-Builtins.html#index-exit",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "raw",
  flags: {},
  sharesShell: "needs",
  examples: [
    { command: "echo a; exit 3; echo b", stdout: "a\n", exit: 3 },
    { command: "(exit 2) || echo no", stdout: "no\n" },
  ],
  // oxlint-disable-next-line require-yield -- it prints nothing
  async *run({ operands, shell, stderr }) {
    if (shell === undefined) throw new Error("exit without a shell");
    const [typed, ...others] = operands[0] === "--" ? operands.slice(1) : operands;
    const complain = (message: string): void => stderr(`${shell.place}: exit: ${message}\n`);
    if (typed === undefined) {
      shell.leave("exit", shell.statusAtEnd);
      return shell.statusAtEnd;
    }
    if (!/^[ \t]*[+-]?\d{1,18}[ \t]*$/.test(typed)) {
      complain(`${typed}: numeric argument required`);
      shell.leave("exit", 2);
      return 2;
    }
    if (others.length > 0) {
      complain("too many arguments");
      shell.leave("exit", 1);
      return 1;
    }
    const status = Number(BigInt.asUintN(8, BigInt(typed.trim().replace("+", ""))));
    shell.leave("exit", status);
    return status;
  },
});
