/** `unset`: forgets variables and functions. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";

export const unset = defineBuiltin({
  name: "unset",
  summary: "Forget variables, elements of arrays (NAME[SUBSCRIPT]) or functions.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bourne-Shell-Builtins.html#index-unset",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "posix",
  usageExit: 2,
  sharesShell: "needs",
  flags: {
    variables: { kind: "switch", short: "v", long: false, help: "each NAME is a variable" },
    reference: { kind: "switch", short: "n", long: false, help: "each NAME is a reference (declare -n), which is forgotten itself" },
    functions: { kind: "switch", short: "f", long: false, help: "each NAME is a function; without a flag, one that is no variable may be" },
  },
  examples: [
    { command: 'x=1; unset x; echo "${x-none}"', stdout: "none\n" },
    { command: "a=(x y z); unset 'a[1]'; echo \"${!a[@]}\"", stdout: "0 2\n" },
    { command: "f() { echo f; }; f; unset -f f; type -t f", stdout: "f\n", exit: 1 },
  ],
  // oxlint-disable-next-line require-yield -- it prints nothing
  async *run({ flags, operands, shell }) {
    const { functions, variables, reference, ...others } = flags;
    allFlagsRead(others);
    let exit = 0;
    for (const name of operands) {
      const isElement = name.includes("[");
      const isVariable = variables || reference || isElement || shell?.isSet(name) === true || shell?.arrayKind(name) !== undefined;
      if (functions || !isVariable) shell?.unsetFunction(name);
      if (!functions && shell?.unsetVariable(name, reference) === false) exit = 1;
    }
    return exit;
  },
});
