/** command: runs a builtin by its name, or says whether there is one. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { describedName, kindsOfName } from "./shell-names.ts";
import { quoteWord } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";

export const command = defineBuiltin({
  name: "command",
  summary: "Run a command by its name, or say whether there is one.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/command.html",
  reference: "GNU bash 5.2",
  usageExit: 2,
  usageHint: () => "command: usage: command [-pVv] command [arg ...]\n",
  operands: { kind: "values" },
  syntax: "posix",
  sharesShell: "reads",
  flags: {
    defaultPath: {
      kind: "switch",
      short: "p",
      long: false,
      unread: true,
      help: "no effect: there are no directories to look in, every command is a builtin",
    },
    brief: { kind: "switch", short: "v", long: false, overrides: ["verbose"], help: "print the name of each command there is" },
    verbose: { kind: "switch", short: "V", long: false, overrides: ["brief"], help: "say what each name means" },
  },
  examples: [
    { command: "command -v printf", stdout: "printf\n" },
    { command: "command -v no-such-command", stdout: "", exit: 1 },
    { command: "command echo a b", stdout: "a b\n" },
  ],
  deviations: [
    {
      from: "GNU bash",
      what: "-v prints the name of every command, never a path",
      why: "no program is ever started, so none is found either",
    },
  ],
  effects({ flags, operands }) {
    if (flags.brief || flags.verbose || operands.length === 0) return [];
    return [
      {
        kind: "run",
        what: "command",
        command: operands.map((text) => ({ text })),
        operand: 0,
        suggestion: operands.map(quoteWord).join(" "),
      },
    ];
  },
  async *run({ flags, operands, catalogue, stderr, stdin, runStage, shell }) {
    const { brief, verbose, ...others } = flags;
    allFlagsRead(others);
    if (operands.length === 0) return 0;
    if (!brief && !verbose) {
      return yield* runStage(
        operands.map((text) => ({ text })),
        stdin,
      );
    }
    // bash is content with one name of several.
    let exit = 1;
    const place = shell?.place ?? "bash: line 1";
    for (const name of operands) {
      const [kind] = kindsOfName(name, catalogue, shell);
      if (kind === "function" && verbose) stderr(`${place}: command: ${name}: is a function, whose body is not printed here\n`);
      else if (kind !== undefined) {
        exit = 0;
        yield toBytes(verbose && kind !== "function" ? describedName(name, kind) : `${name}\n`);
      } else if (verbose) stderr(`${place}: command: ${name}: not found\n`);
    }
    return exit;
  },
});
