/** command against bash 5.2, for what is a builtin there too. */
import { command } from "../../../builtins/shell/command.ts";
import { cases } from "../../cases.ts";

cases(command, [
  { name: "runs a builtin", command: "command echo a b", stdout: "a b\n" },
  { name: "with its input", command: "printf 'b\\na\\n' | command sort", stdout: "a\nb\n" },
  { name: "and its exit status", command: "command grep x f", files: { f: "y\n" }, exit: 1 },
  { name: "its flags are not command's", command: "command -p -- printf '%s\\n' -v", stdout: "-v\n" },
  { name: "in itself", command: "command command echo x", stdout: "x\n" },
  { name: "nothing to run", command: "command; command -v", stdout: "" },
  { name: "-v", command: "command -v cd echo", stdout: "cd\necho\n" },
  { name: "-v of a program elsewhere", command: "command -v ls", stdout: "ls\n", differs: "every command here is a builtin" },
  { name: "-v of what is none", command: "command -v no-such-command", exit: 1 },
  { name: "-v is content with one", command: "command -v no-such-command cd", stdout: "cd\n" },
  { name: "-V", command: "command -V cd if", stdout: "cd is a shell builtin\nif is a shell keyword\n" },
  { name: "the last of -v and -V", command: "command -vV cd; command -Vv cd", stdout: "cd is a shell builtin\ncd\n" },
  { name: "the usual question", command: "command -v rg >/dev/null 2>&1 && echo yes || echo no", stdout: "yes\n" },
  { name: "a foreign command", command: "command chmod f", refused: "DISALLOWED_CMD" },
  { name: "cd", command: "command cd a; ls", tree: ["a/b:"], stdout: "b\n" },
  { name: "a path outside", command: "command cat /etc/passwd", refused: "PATH_ESCAPE" },
  { name: "a bad flag of what it runs", command: "command ls --no-such-flag", refused: "UNKNOWN_FLAG" },
]);
