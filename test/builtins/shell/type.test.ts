/** type against bash 5.2, for what is a builtin there too: every expectation was printed by it, but for the differences named. */
import { type as typeBuiltin } from "../../../builtins/shell/type.ts";
import { cases } from "../../cases.ts";

const EVERY_COMMAND = "every command here is a builtin";

cases(typeBuiltin, [
  { name: "a builtin, a keyword", command: "type cd [ if", stdout: "cd is a shell builtin\n[ is a shell builtin\nif is a shell keyword\n" },
  { name: "a program elsewhere", command: "type ls; type -t ls", stdout: "ls is a shell builtin\nbuiltin\n", differs: EVERY_COMMAND },
  {
    name: "what is none",
    command: "type no-such-command cd",
    stdout: "cd is a shell builtin\n",
    stderr: "bash: line 1: type: no-such-command: not found\n",
    exit: 1,
  },
  { name: "-t", command: "type -t cd if no-such-command", stdout: "builtin\nkeyword\n", exit: 1 },
  { name: "-p of a builtin", command: "type -p cd", stdout: "" },
  { name: "-P of a builtin", command: "type -P cd", stdout: "", exit: 1 },
  { name: "-a", command: "type -a cd", stdout: "cd is a shell builtin\n" },
  { name: "-f", command: "type -f cd", stdout: "cd is a shell builtin\n" },
  { name: "nothing to say", command: "type", stdout: "" },
  { name: "a flag it does not have", command: "type -x", refused: "UNKNOWN_FLAG" },
  {
    name: "names that every object has",
    command: "type constructor __proto__ -t",
    stderr: "bash: line 1: type: constructor: not found\nbash: line 1: type: __proto__: not found\nbash: line 1: type: -t: not found\n",
    exit: 1,
  },
]);
