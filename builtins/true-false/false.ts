/** `false`: bash's builtin, which looks at no argument. */
import { defineBuiltin } from "../../src/builtin/definition.ts";

export const alwaysFalse = defineBuiltin({
  name: "false",
  summary: "Do nothing, unsuccessfully.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/false.html",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "raw",
  flags: {},
  examples: [{ command: "false || echo no", stdout: "no\n" }],

  async *run() {
    return 1;
  },
});
