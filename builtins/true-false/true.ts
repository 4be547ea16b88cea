/** `true` and `:`: bash's builtins, which look at no argument. */
import { defineBuiltin } from "../../src/builtin/definition.ts";

export const alwaysTrue = defineBuiltin({
  name: "true",
  aliases: [":"],
  summary: "Do nothing, successfully.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/true.html",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "raw",
  flags: {},
  examples: [
    { command: "true && echo yes", stdout: "yes\n" },
    { command: "cat nope 2>/dev/null || true", stdout: "", note: "a failure that does not matter" },
  ],

  async *run() {
    return 0;
  },
});
