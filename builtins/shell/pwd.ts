/** `pwd`: bash's builtin, in the session's directory. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { toBytes } from "../../src/io/text.ts";
import { absolutePath } from "../../src/walk/canonical-path.ts";

export const pwd = defineBuiltin({
  name: "pwd",
  summary: "Print the current directory as an absolute path.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bourne-Shell-Builtins.html#index-pwd",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  usageExit: 2,
  flags: {
    logical: {
      kind: "switch",
      short: "L",
      long: false,
      overrides: ["physical"],
      unread: true,
      help: "as it was navigated, symbolic links included (the default)",
    },
    physical: { kind: "switch", short: "P", long: false, overrides: ["logical"], help: "with every symbolic link resolved" },
  },
  examples: [{ command: "pwd | tail -c 1 | wc -l", stdout: "1\n" }],
  async *run({ flags, files }) {
    const { physical, ...others } = flags;
    allFlagsRead(others);
    const directory = physical ? files.realPath(".") : files.currentDirectory;
    yield toBytes(`${absolutePath(files, directory)}\n`);
    return 0;
  },
});
