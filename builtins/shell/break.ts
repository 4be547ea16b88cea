/** `break` and `continue`: leave loops, or go on with the next round. */
import { defineBuiltin } from "../../src/builtin/definition.ts";

export const breakLoop = defineBuiltin({
  name: "break",
  aliases: ["continue"],
  summary: "Leave a loop (break), or go on with its next round (continue); with N, that of the Nth loop around.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bourne-Shell-Builtins.html#index-break",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "raw",
  flags: {},
  sharesShell: "needs",
  examples: [
    { command: 'for i in 1 2 3; do [ "$i" = 2 ] && break; echo "$i"; done', stdout: "1\n" },
    { command: 'for i in 1 2 3; do [ "$i" = 2 ] && continue; echo "$i"; done', stdout: "1\n3\n" },
  ],
  // oxlint-disable-next-line require-yield -- it prints nothing
  async *run({ name, operands, shell, stderr }) {
    if (shell === undefined) throw new Error("break without a shell");
    const complain = (message: string): void => stderr(`${shell.place}: ${name}: ${message}\n`);
    if (shell.loops === 0) {
      complain("only meaningful in a `for', `while', or `until' loop");
      return 0;
    }
    const [typed = "1", ...others] = operands[0] === "--" ? operands.slice(1) : operands;
    if (!/^[ \t]*[+-]?\d{1,18}[ \t]*$/.test(typed)) {
      complain(`${typed}: numeric argument required`);
      shell.leave("exit", 128);
      return 128;
    }
    if (others.length > 0) {
      complain("too many arguments");
      shell.leave("break", shell.loops);
      return 1;
    }
    const levels = Number(typed);
    if (levels <= 0) {
      complain(`${typed}: loop count out of range`);
      shell.leave("break", shell.loops);
      return 1;
    }
    shell.leave(name === "continue" ? "continue" : "break", Math.min(levels, shell.loops));
    return 0;
  },
});
