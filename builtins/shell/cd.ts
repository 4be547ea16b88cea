/** `cd`: moves the session, as bash's builtin does. The root is home, and as far up as it goes. */
import { defineBuiltin, type ExitStatus } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { toBytes } from "../../src/io/text.ts";
import { absolutePath, belowMount } from "../../src/walk/canonical-path.ts";
import type { Files } from "../../src/workspace/contract.ts";
import { FileError } from "../../src/workspace/file-error.ts";

export const cd = defineBuiltin({
  name: "cd",
  summary: "Move the session to another directory.",
  standard: "https://www.gnu.org/software/bash/manual/html_node/Bourne-Shell-Builtins.html#index-cd",
  reference: "GNU bash 5.2",
  operands: { kind: "paths", access: "status" },
  usageExit: 2,
  navigates: true,
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
    const complain = (message: string): ExitStatus => {
      stderr(`${navigation.place}: cd: ${message}\n`);
      return 1;
    };
    if (operands.length > 1) return complain("too many arguments");
    const typed = operands[0];
    if (typed === "-" && navigation.previousDirectory === undefined) return complain("OLDPWD not set");
    try {
      const to = typed === "-" ? (navigation.previousDirectory as string) : destination(files, typed, physical);
      if (typed === "-") yield toBytes(`${absolutePath(files, to)}\n`);
      navigation.moveTo(to);
      return 0;
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      return complain(`${typed ?? ""}: ${thrown.message}`);
    }
  },
});

/** The directory `typed` names, as Files.currentDirectory. Throws FileError where it is none or may not be entered. */
function destination(files: Files, typed: string | undefined, physical: boolean): string {
  if (typed === undefined) return "";
  if (typed === "" && !physical) return files.currentDirectory;
  files.openDirectory(typed).close();
  return physical ? files.realPath(typed) : logicalPath(files, typed);
}

/** `..` takes back the last name that was navigated, whatever link that was; what it takes back must be a directory. */
function logicalPath(files: Files, typed: string): string {
  const fromRoot = files.fromRoot(typed);
  const mount = fromRoot === undefined ? files.mountOf(typed.startsWith("/") ? typed : files.currentDirectory) : undefined;
  const isRelative = fromRoot === undefined && !typed.startsWith("/");
  const names = isRelative
    ? files.currentDirectory
        .slice(mount?.length ?? 0)
        .split("/")
        .filter((name) => name !== "")
    : [];
  const rest = fromRoot ?? (isRelative || mount === undefined ? typed : belowMount(mount, typed));
  for (const name of rest.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) throw new FileError("PATH_ESCAPE", typed);
  }
  const logical = mount === undefined ? names.join("/") : [mount, ...names].join("/");
  files.openDirectory(absolutePath(files, logical)).close();
  return logical;
}
