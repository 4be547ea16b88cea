/** `test` and `[`: bash's builtin. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { fileProbe, recordingProbe } from "../../src/builtin/conditions.ts";
import { evaluateTest, TestSyntaxError } from "./expression.ts";

export const test = defineBuiltin({
  name: "test",
  aliases: ["["],
  summary: "Evaluate a condition: exit status 0 where it holds, 1 where it does not, 2 where it is no condition.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bash-Conditional-Expressions.html",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "raw",
  flags: {},
  looksAt: "below",
  sharesShell: "reads",
  silence: { 0: "says true", 1: "says false" },
  examples: [
    { command: "[ -f a ] && echo yes", files: { a: "x" }, stdout: "yes\n" },
    { command: "test 3 -gt 2 && echo yes", stdout: "yes\n" },
    { command: "[ -d a ]", files: { a: "x" }, stdout: "", exit: 1 },
  ],
  effects({ operands, name }) {
    const paths = new Set<string>();
    try {
      evaluateTest(conditionOf(name, operands) ?? [], recordingProbe(paths), () => false);
    } catch (thrown) {
      if (!(thrown instanceof TestSyntaxError)) throw thrown;
    }
    return [...paths].map((path) => ({ kind: "status", path, operand: operands.indexOf(path) }));
  },
  // oxlint-disable-next-line require-yield -- it prints nothing
  async *run({ name, operands, files, stderr, shell }) {
    const complain = (message: string): 2 => {
      stderr(`${shell?.place ?? "bash: line 1"}: ${name}: ${message}\n`);
      return 2;
    };
    const condition = conditionOf(name, operands);
    if (condition === undefined) return complain("missing `]'");
    try {
      return evaluateTest(condition, fileProbe(files), (variable) => shell?.isSet(variable) === true) ? 0 : 1;
    } catch (thrown) {
      // bash finds the bracket at the end where a parenthesis is missing.
      if (thrown instanceof TestSyntaxError)
        return complain(name === "[" && thrown.message === "`)' expected" ? "`)' expected, found ]" : thrown.message);
      throw thrown;
    }
  },
});

/** Without the `]` that `[` must end with; undefined where it does not. */
function conditionOf(name: string, operands: readonly string[]): readonly string[] | undefined {
  if (name !== "[") return operands;
  return operands.at(-1) === "]" ? operands.slice(0, -1) : undefined;
}
