/** pr through the guard and the engine. */
import { pr } from "../../../builtins/pr/pr.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

const HEADER = "\n\n2020-09-13 12:26                        a                         Page 1\n\n\n";

cases(pr, [
  {
    name: "a page with its header",
    command: "pr -l 13 a",
    files: { a: "1\n2\n" },
    mtimes: { a: "2020-09-13T12:26:40Z" },
    stdout: `${HEADER}1\n2\n${"\n".repeat(6)}`,
  },
  {
    name: "-h and -D",
    command: "pr -h TITLE -D %Y -l 12 -W 40 a",
    files: { a: "1\n" },
    mtimes: { a: "2020-09-13T12:26:40Z" },
    stdout: `\n\n2020${" ".repeat(12)}TITLE${" ".repeat(13)}Page 1\n\n\n1\n${"\n".repeat(6)}`,
  },
  { name: "columns down", command: "pr -t2 -w 20 a", files: { a: "1\n2\n3\n" }, stdout: "1\t  3\n2\n" },
  { name: "columns across", command: "pr -t -2 -a -w 20 a", files: { a: "1\n2\n3\n" }, stdout: "1\t  2\n3\n" },
  { name: "-m with a separator", command: "pr -m -t -s, a b", files: { a: "1\n2\n", b: "x\n" }, stdout: "1,x\n2,\n" },
  { name: "numbered lines", command: "pr -t -n:3 -N 9 a", files: { a: "x\ny\n" }, stdout: "  9:x\n 10:y\n" },
  { name: "-d and -o", command: "pr -t -d -o 2 a", files: { a: "x\ny\n" }, stdout: "  x\n\n  y\n\n" },
  { name: "-e", command: "pr -t -e4 a", files: { a: "a\tb\n" }, stdout: "a   b\n" },
  {
    name: "a page that is not there",
    command: "pr +3 a",
    files: { a: "x\n" },
    stderr: "pr: starting page number 3 exceeds page count 1\n",
  },
  {
    name: "a missing file",
    command: "pr -t nope a",
    files: { a: "x\n" },
    stdout: "x\n",
    stderr: "pr: nope: No such file or directory\n",
    exit: 1,
  },
  { name: "a directory", command: "pr -t d", tree: ["d/"], stderr: "pr: d: Is a directory\n", exit: 1 },
]);

messages(pr, [
  [["-n5x"], "pr: '-n' extra characters or invalid number in the argument: ‘5x’\nTry 'pr --help' for more information.\n"],
  [["--pages=3:1"], "pr: invalid page range ‘3:1’\n"],
  [["-m", "-2"], "pr: cannot specify number of columns when printing in parallel\n"],
  [["-l", "x"], "pr: '-l PAGE_LENGTH' invalid number of lines: ‘x’\n"],
]);
