/** pwd through the guard and the engine. */
import { pwd } from "../../../builtins/shell/pwd.ts";
import { cases } from "../../cases.ts";

cases(pwd, [
  { name: "below the root", command: 'cd a/b && pwd | grep -o "[^/]*/[^/]*$"', tree: ["a/b/"], stdout: "a/b\n" },
  {
    name: "-P resolves links, -L and nothing do not",
    command:
      'cd link && pwd | grep -o "[^/]*$"; pwd -L | grep -o "[^/]*$"; pwd -P | grep -o "[^/]*$"; pwd -LP | grep -o "[^/]*$"; pwd -P -L | grep -o "[^/]*$"',
    tree: ["a/b/", "link => a/b"],
    stdout: "link\nlink\nb\nb\nlink\n",
  },
  { name: "operands are ignored", command: 'cd a && pwd x y | grep -o "[^/]*$"', tree: ["a/"], stdout: "a\n" },
  { name: "an unknown flag", command: "pwd -x", refused: "UNKNOWN_FLAG" },
]);
