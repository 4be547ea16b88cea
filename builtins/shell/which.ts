/** which: the commands that exist, each by its name. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { toBytes } from "../../src/io/text.ts";

export const which = defineBuiltin({
  name: "which",
  summary: "Print each name that is a command here, and fail if one is not.",
  standard: "https://manpages.debian.org/bookworm/debianutils/which.debianutils.1.en.html",
  reference: "debianutils 5.7",
  usageExit: 2,
  operands: { kind: "values" },
  syntax: "posix",
  flags: { all: { kind: "switch", short: "a", long: false, unread: true, help: "no effect: a name never has more than one command" } },
  examples: [
    { command: "which grep >/dev/null && echo yes", stdout: "yes\n" },
    { command: "which no-such-command", stdout: "", exit: 1 },
  ],
  deviations: [
    {
      from: "debianutils",
      what: "the name itself is printed, not a path; shell builtins like cd are found too",
      why: "commands are builtins without a path, and what is printed can be run as it stands",
    },
  ],
  async *run({ flags, operands, catalogue }) {
    allFlagsRead(flags);
    let exit = operands.length === 0 ? 1 : 0;
    for (const name of operands) {
      if (!catalogue.has(name)) exit = 1;
      else yield toBytes(`${name}\n`);
    }
    return exit;
  },
});
