/** `env` and `printenv`: the variables that the line exports. `env` in front of a command is read with the line (wrappers.ts). */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { quoteWord } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";

const refused = (short: string, long: string, reason: string, arg?: string) =>
  ({
    kind: "refused",
    short,
    long,
    ...(arg === undefined ? {} : { arg }),
    help: "(refused)",
    reason,
    suggestion: (rest: readonly string[]) => ["env", ...rest].join(" "),
  }) as const;

export const env = defineBuiltin({
  name: "env",
  summary: "Print the variables that the line exports, or run a command with others.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/env.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "values" },
  syntax: "posix",
  usageExit: 125,
  flags: {
    ignore: { kind: "switch", short: "i", long: "ignore-environment", help: "begin with nothing" },
    null: { kind: "switch", short: "0", help: "end each line with a NUL" },
    unset: {
      kind: "value",
      short: "u",
      arg: "NAME",
      otherwise: undefined,
      read: (name: string) => name,
      repeats: true,
      help: "leave NAME out",
    },
    chdir: refused("C", "chdir", "a command inside another cannot move; use ( cd DIR && … )", "DIR"),
    split: refused("S", "split-string", "text is never read as a command a second time", "TEXT"),
    debug: refused("v", "debug", "it would tell what is already in the line"),
  },
  examples: [
    { command: "env -i A=1 B=2", stdout: "A=1\nB=2\n" },
    { command: "env GREETING=hi awk 'BEGIN { print ENVIRON[\"GREETING\"] }'", stdout: "hi\n" },
  ],
  deviations: [
    {
      from: "GNU env",
      what: "only what the line exports is printed, in the order in which it was exported",
      why: "nothing of the host's environment is shown",
    },
    { from: "GNU env", what: "-C, -S and -v are refused", why: "the command that env runs is one of the line's own" },
  ],
  check({ operands }) {
    const at = operands.findIndex((operand) => !/^[^=]+=/.test(operand));
    if (at < 0) return;
    throw new UsageError(
      "refused-flag",
      "env takes NAME=value and the command as literal words here, a value with an expansion in quotes",
      {
        suggestion: operands.slice(at).map(quoteWord).join(" "),
      },
    );
  },
  async *run({ flags, operands, environment }) {
    const { ignore, null: endsInNul, unset, ...others } = flags;
    allFlagsRead(others);
    const variables = new Map(ignore ? [] : environment());
    for (const name of unset) variables.delete(name);
    for (const operand of operands) {
      const equals = operand.indexOf("=");
      variables.set(operand.slice(0, equals), operand.slice(equals + 1));
    }
    for (const [name, value] of variables) yield toBytes(`${name}=${value}${endsInNul ? "\0" : "\n"}`);
    return 0;
  },
});

export const printenv = defineBuiltin({
  name: "printenv",
  summary: "Print the values of variables that the line exports.",
  standard: "https://www.gnu.org/software/coreutils/manual/html_node/printenv-invocation.html",
  reference: "GNU coreutils 9.1",
  operands: { kind: "values" },
  syntax: "posix",
  usageExit: 2,
  flags: { null: { kind: "switch", short: "0", help: "end each value with a NUL" } },
  silence: { 1: "found no such variable" },
  examples: [
    { command: "export A=1; printenv A", stdout: "1\n" },
    { command: "printenv NO_SUCH_VARIABLE", stdout: "", exit: 1 },
  ],
  deviations: [{ from: "GNU printenv", what: "only what the line exports is there", why: "nothing of the host's environment is shown" }],
  async *run({ flags, operands, environment }) {
    const { null: endsInNul, ...others } = flags;
    allFlagsRead(others);
    const end = endsInNul ? "\0" : "\n";
    const variables = environment();
    if (operands.length === 0) {
      for (const [name, value] of variables) yield toBytes(`${name}=${value}${end}`);
      return 0;
    }
    let exit = 0;
    for (const name of operands) {
      const value = variables.get(name);
      if (value === undefined) exit = 1;
      else yield toBytes(value + end);
    }
    return exit;
  },
});
