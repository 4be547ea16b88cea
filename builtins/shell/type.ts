/** type: the meaning of a name to the shell. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { describedName, kindsOfName } from "./shell-names.ts";
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
  sharesShell: "reads",
  flags: {
    all: { kind: "switch", short: "a", long: false, help: "say all that a name means" },
    noFunctions: { kind: "switch", short: "f", long: false, help: "pass over functions" },
    word: { kind: "switch", short: "t", long: false, overrides: ["path", "pathOnly"], help: "print one word: builtin, function, keyword" },
    path: { kind: "switch", short: "p", long: false, overrides: ["word"], help: "print the file that would run: for a builtin none" },
    pathOnly: { kind: "switch", short: "P", long: false, overrides: ["word"], help: "likewise, and fail for a builtin" },
  },
  examples: [
    { command: "type cd", stdout: "cd is a shell builtin\n" },
    { command: "type -t cd if", stdout: "builtin\nkeyword\n" },
  ],
  deviations: [
    { from: "GNU bash", what: "every command is a builtin, none has a path", why: "no program is ever started, so none is found either" },
    { from: "GNU bash", what: "the body of a function is not printed", why: "type -t tells that there is one; the body is in the line" },
  ],
  async *run({ flags, operands, catalogue, stderr, shell }) {
    const { word, path, pathOnly, all, noFunctions, ...others } = flags;
    allFlagsRead(others);
    const place = shell?.place ?? "bash: line 1";
    let exit = 0;
    for (const name of operands) {
      const found = kindsOfName(name, catalogue, noFunctions ? undefined : shell);
      const kinds = (all ? found : found.slice(0, 1)).filter(() => !pathOnly || word);
      if (kinds.length === 0) {
        if (!word && !path && !pathOnly) stderr(`${place}: type: ${name}: not found\n`);
        exit = 1;
      }
      for (const kind of kinds) {
        if (word) yield toBytes(`${kind}\n`);
        else if (path) continue;
        else if (kind === "function") {
          stderr(`${place}: type: ${name}: is a function, whose body is not printed here\n`);
          exit = 1;
        } else yield toBytes(describedName(name, kind));
      }
    }
    return exit;
  },
});
