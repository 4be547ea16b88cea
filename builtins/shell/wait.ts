/** `wait` and `hash`: nothing runs in the background here, and no program is found once and remembered. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { toBytes } from "../../src/io/text.ts";

export const wait = defineBuiltin({
  name: "wait",
  summary: "Wait for what runs in the background, which is nothing.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/wait.html",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "posix",
  usageExit: 2,
  sharesShell: "reads",
  flags: {},
  examples: [{ command: "wait; echo $?", stdout: "0\n" }],
  // oxlint-disable-next-line require-yield -- it prints nothing
  async *run({ flags, operands, shell, stderr }) {
    allFlagsRead(flags);
    for (const operand of operands) {
      const why = /^\d+$/.test(operand) ? `pid ${operand} is not a child of this shell` : `\`${operand}': not a pid or valid job spec`;
      stderr(`${shell?.place ?? "bash"}: wait: ${why}\n`);
    }
    const last = operands.at(-1);
    return last === undefined ? 0 : /^\d+$/.test(last) ? 127 : 1;
  },
});

export const hash = defineBuiltin({
  name: "hash",
  summary: "Tell whether commands are there.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/hash.html",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "posix",
  usageExit: 2,
  sharesShell: "reads",
  flags: { forget: { kind: "switch", short: "r", long: false, help: "forget what is remembered, which is nothing" } },
  examples: [{ command: "hash grep && echo there; hash frobnicate 2>/dev/null || echo not there", stdout: "there\nnot there\n" }],
  async *run({ flags, operands, shell, stderr, catalogue }) {
    const { forget, ...others } = flags;
    allFlagsRead(others);
    if (operands.length === 0 && !forget) yield toBytes("hash: hash table empty\n");
    let exit = 0;
    for (const name of operands) {
      if (catalogue.has(name) || shell?.hasFunction(name) === true) continue;
      stderr(`${shell?.place ?? "bash"}: hash: ${name}: not found\n`);
      exit = 1;
    }
    return exit;
  },
});
