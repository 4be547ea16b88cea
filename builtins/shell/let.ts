/** `let`: arithmetic as arguments. */
import { defineBuiltin } from "../../src/builtin/definition.ts";

export const letBuiltin = defineBuiltin({
  name: "let",
  summary: "Evaluate each operand as arithmetic; fail where the last one is 0.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bash-Builtins.html#index-let",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "raw",
  flags: {},
  sharesShell: "needs",
  examples: [
    { command: "let x=2+3 'y = x * 2'; echo $x $y", stdout: "5 10\n" },
    { command: "let 0", stdout: "", exit: 1 },
  ],
  // oxlint-disable-next-line require-yield -- it prints nothing
  async *run({ operands, shell, stderr }) {
    if (shell === undefined) throw new Error("let without a shell");
    const expressions = operands[0] === "--" ? operands.slice(1) : operands;
    if (expressions.length === 0) {
      stderr(`${shell.place}: let: expression expected\n`);
      return 1;
    }
    let value: bigint | undefined;
    for (const expression of expressions) {
      value = shell.evaluate(expression);
      if (value === undefined) return 1;
    }
    return value === 0n ? 1 : 0;
  },
});
