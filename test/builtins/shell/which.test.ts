/** which: Debian's prints paths, of which there are none here, so the rows that print cannot be asked there. */
import { which } from "../../../builtins/shell/which.ts";
import { cases } from "../../cases.ts";

const NO_PATHS = "commands here have no path";

cases(which, [
  { name: "the name itself", command: "which ls cd", stdout: "ls\ncd\n", differs: NO_PATHS },
  { name: "an alias of a builtin", command: "which egrep", stdout: "egrep\n", differs: NO_PATHS },
  { name: "-a", command: "which -a ls", stdout: "ls\n", differs: NO_PATHS },
  { name: "what is none prints nothing", command: "which no-such-command", exit: 1 },
  { name: "the others are printed", command: "which no-such-command ls", stdout: "ls\n", exit: 1, differs: NO_PATHS },
  { name: "a program that cannot be run", command: "which python3 || echo none", stdout: "none\n", differs: NO_PATHS },
  { name: "nothing", command: "which", exit: 1 },
  {
    name: "what is printed can be used",
    command: "which grep | xargs -I{} echo '{} is there'",
    stdout: "grep is there\n",
    differs: NO_PATHS,
  },
  { name: "a flag it does not have", command: "which -s ls", refused: "UNKNOWN_FLAG" },
]);
