/** `return`: ends the function that runs. */
import { defineBuiltin } from "../../src/builtin/definition.ts";

export const returnFrom = defineBuiltin({
  name: "return",
  summary: "End a function, with a status.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bourne-Shell-Builtins.html#index-return",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "raw",
  flags: {},
  sharesShell: "needs",
  examples: [
    { command: "f() { return 3; }; f || echo $?", stdout: "3\n" },
    { command: "f() { echo a; return; echo b; }; f", stdout: "a\n" },
  ],
  // oxlint-disable-next-line require-yield -- it prints nothing
  async *run({ operands, shell, stderr }) {
    if (shell === undefined) throw new Error("return without a shell");
    const complain = (message: string): void => stderr(`${shell.place}: return: ${message}\n`);
    const [typed, ...others] = operands[0] === "--" ? operands.slice(1) : operands;
    const isNumber = typed === undefined || /^[ \t]*[+-]?\d{1,18}[ \t]*$/.test(typed);
    if (!isNumber) complain(`${typed}: numeric argument required`);
    else if (others.length > 0) {
      complain("too many arguments");
      return 1;
    }
    const status = !isNumber ? 2 : typed === undefined ? shell.status : Number(BigInt.asUintN(8, BigInt(typed.trim().replace("+", ""))));
    if (!shell.isInFunction) {
      complain("can only `return' from a function or sourced script");
      return 2;
    }
    shell.leave("return", status);
    return status;
  },
});
