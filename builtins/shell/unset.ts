/** `unset`: forgets variables. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";

export const unset = defineBuiltin({
  name: "unset",
  summary: "Forget variables.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bourne-Shell-Builtins.html#index-unset",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "posix",
  usageExit: 2,
  sharesShell: "needs",
  flags: {
    variables: { kind: "switch", short: "v", long: false, unread: true, help: "no effect: each NAME is a variable" },
    functions: { kind: "switch", short: "f", long: false, help: "each NAME is a function; there are none" },
  },
  examples: [{ command: 'x=1; unset x; echo "${x-none}"', stdout: "none\n" }],
  // oxlint-disable-next-line require-yield -- it prints nothing
  async *run({ flags, operands, shell }) {
    const { functions, ...others } = flags;
    allFlagsRead(others);
    for (const name of operands) if (!functions) shell?.unsetVariable(name);
    return 0;
  },
});
