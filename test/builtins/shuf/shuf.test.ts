/** shuf through the guard and the engine. */
import { shuf } from "../../../builtins/shuf/shuf.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(shuf, [
  { name: "one line needs no random bytes", command: "shuf --random-source=. -r -n 2 -e a", stdout: "a\na\n" },
  { name: "without lines the source is not opened", command: "shuf --random-source=nope", stdin: "" },
  { name: "all lines once", command: "shuf | sort", stdin: "c\na\nb\n", stdout: "a\nb\nc\n" },
  { name: "-i -n", command: "shuf -i 1-1 -n 5", stdout: "1\n" },
  { name: "-r", command: "shuf -e -r -n 3 a", stdout: "a\na\na\n" },
  { name: "nothing to repeat", command: "shuf -r -n 1", stderr: "shuf: no lines to repeat\n", exit: 1 },
  {
    name: "the source comes to its end",
    command: "shuf --random-source s",
    stdin: "a\nb\n",
    files: { s: "" },
    stderr: "shuf: ‘s’: end of file\n",
    exit: 1,
  },
  { name: "-o is refused", command: "shuf -o x f", refused: "DISALLOWED_FLAG" },
]);

messages(shuf, [
  [["-i", "1-2", "-i", "x"], "shuf: multiple -i options specified\n"],
  [["--random-source=nope", "-e", "a"], "shuf: nope: No such file or directory\n"],
  [["--random-source=nope", "-n0", "-r"], "shuf: nope: No such file or directory\n"],
  [["--random-source=.", "-e", "a", "b"], "shuf: ‘.’: read error: Is a directory\n"],
  [["-i", "7-1099511627776"], "shuf: memory exhausted\n"],
  [["--random-source=-", "-e", "a", "b"], "shuf: -: No such file or directory\n"],

  [["-e", "-i", "1-2"], "shuf: cannot combine -e and -i options\nTry 'shuf --help' for more information.\n"],
  [["-n", "x"], "shuf: invalid line count: ‘x’\n"],
  [["-i", "5-3"], "shuf: invalid input range: ‘5-3’\n"],
]);
