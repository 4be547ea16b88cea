/** type: the meaning of a name to the shell. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { describedName, kindOfName } from "./shell-names.ts";
import { toBytes } from "../../src/io/text.ts";

export const type = defineBuiltin({
  name: "type",
  summary: "Say what each name means as a command.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bash-Builtins.html#index-type",
  reference: "GNU bash 5.2",
  usageExit: 2,
  usageHint: () => "type: usage: type [-afptP] name [name ...]\n",
  operands: { kind: "values" },
  syntax: "posix",
  flags: {
    all: { kind: "switch", short: "a", long: false, unread: true, help: "no effect: a name never means more than one thing" },
    noFunctions: { kind: "switch", short: "f", long: false, unread: true, help: "no effect: there are no functions to pass over" },
    word: { kind: "switch", short: "t", long: false, overrides: ["path", "pathOnly"], help: "print one word: builtin, keyword" },
    path: { kind: "switch", short: "p", long: false, overrides: ["word"], help: "print the file that would run: for a builtin none" },
    pathOnly: { kind: "switch", short: "P", long: false, overrides: ["word"], help: "likewise, and fail for a builtin" },
  },
  examples: [
    { command: "type cd", stdout: "cd is a shell builtin\n" },
    { command: "type -t cd if", stdout: "builtin\nkeyword\n" },
  ],
  deviations: [
    { from: "GNU bash", what: "every command is a builtin, none has a path", why: "no program is ever started, so none is found either" },
  ],
  async *run({ flags, operands, catalogue, stderr }) {
    const { word, path, pathOnly, ...others } = flags;
    allFlagsRead(others);
    let exit = 0;
    for (const name of operands) {
      const kind = kindOfName(name, catalogue);
      if (kind === undefined || (pathOnly && !word)) {
        if (!word && !path && !pathOnly) stderr(`bash: line 1: type: ${name}: not found\n`);
        exit = 1;
      } else if (word) yield toBytes(`${kind}\n`);
      else if (!path) yield toBytes(describedName(name, kind));
    }
    return exit;
  },
});
