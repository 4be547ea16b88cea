/** `cd`: moves the session, as bash's builtin does. The root is home, and as far up as it goes. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { toBytes } from "../../src/io/text.ts";
import { changeDirectory } from "./change-directory.ts";

export const cd = defineBuiltin({
  name: "cd",
  summary: "Move the session to another directory.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bourne-Shell-Builtins.html#index-cd",
  reference: "GNU bash 5.2",
  operands: { kind: "paths", access: "status" },
  usageExit: 2,
  navigates: "operand",
  flags: {
    logical: {
      kind: "switch",
      short: "L",
      long: false,
      overrides: ["physical"],
      unread: true,
      help: "take .. from the path as it was navigated (the default)",
    },
    physical: { kind: "switch", short: "P", long: false, overrides: ["logical"], help: "resolve every symbolic link first" },
    mustExist: {
      kind: "switch",
      short: "e",
      long: false,
      unread: true,
      help: "no effect: the new directory can always be determined",
    },
  },
  examples: [
    { command: "cd src && ls", files: { "src/a.ts": "" }, stdout: "a.ts\n" },
    { command: "cd src && cd .. && ls", files: { "src/a.ts": "" }, stdout: "src\n", note: "cd - goes back, cd alone to the root" },
  ],
  deviations: [
    { from: "GNU bash", what: "cd without an operand, and ~, go to the root of the workspace", why: "there is no home directory here" },
    { from: "GNU bash", what: "cd in a pipeline is refused", why: "there it moves nothing; what was meant is cd DIR && …" },
  ],
  async *run(invocation) {
    const { navigation, operands, files, flags, stderr } = invocation;
    const { physical, ...others } = flags;
    allFlagsRead(others);
    if (navigation === undefined) throw new Error("cd without a session");
    const changed = changeDirectory(files, navigation, operands, physical);
    if (typeof changed === "string") {
      if (changed !== "") yield toBytes(`${changed}\n`);
      return 0;
    }
    stderr(`${navigation.place}: cd: ${changed.error}\n`);
    return 1;
  },
});
