/** expr: one expression of its arguments: whole numbers of any size, comparisons, text. */
import { defineBuiltin, type BuiltinDefinition } from "../../src/builtin/definition.ts";
import { helpText, versionText } from "../../src/builtin/help.ts";
import { toBytes } from "../../src/io/text.ts";
import { evaluate, ExpressionFailure, isNull, shownValue } from "./evaluation.ts";

export const expr: BuiltinDefinition<Record<never, never>> = defineBuiltin({
  name: "expr",
  summary: "Print the value of an expression: arithmetic, comparison, or a match.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/expr.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "values" },
  syntax: "raw",
  usageExit: 2,
  flags: {},
  examples: [
    { command: "expr 2 + 3 '*' 4", stdout: "14\n" },
    { command: "expr length héllo", stdout: "5\n" },
    { command: "expr file-12.log : 'file-\\([0-9]*\\)'", stdout: "12\n", note: "what the group matched; the pattern is anchored" },
    { command: "expr 3 '>' 5", stdout: "0\n", exit: 1, note: "the exit status is 1 for 0 and for the empty text" },
    { command: "expr substr workspace 1 4", stdout: "work\n" },
  ],
  deviations: [{ from: "GNU coreutils 9.1", what: "LC_ALL=C changes nothing: characters are those of UTF-8", why: "words are text here" }],
  async *run({ name, operands, warn, stderr }) {
    const [first, second] = operands;
    // Known only where they stand alone; anywhere else they are text.
    if (second === undefined && first === "--help") {
      yield toBytes(helpText(expr, name));
      return 0;
    }
    if (second === undefined && first === "--version") {
      yield toBytes(versionText(expr, name));
      return 0;
    }
    const words = first === "--" ? operands.slice(1) : operands;
    if (words.length === 0) {
      stderr(`${name}: missing operand\nTry '${name} --help' for more information.\n`);
      return 2;
    }
    try {
      const value = evaluate(words);
      yield toBytes(`${shownValue(value)}\n`);
      return isNull(value) ? 1 : 0;
    } catch (thrown) {
      if (!(thrown instanceof ExpressionFailure)) throw thrown;
      warn(thrown.message);
      return thrown.exit;
    }
  },
});
