/** fmt through the guard and the engine. */
import { fmt } from "../../../builtins/fmt/fmt.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(fmt, [
  { name: "lines are joined", command: "fmt", stdin: "a\nb\n\nc\nd\n", stdout: "a b\n\nc d\n" },
  { name: "-WIDTH", command: "fmt -10", stdin: "one two three four\n", stdout: "one two\nthree\nfour\n" },
  { name: "another indentation is another paragraph", command: "fmt", stdin: "a\nb\n  c\n  d\n", stdout: "a b\n  c d\n" },
  { name: "-p", command: "fmt -p '# ' -w 12", stdin: "# one two three\ncode\n", stdout: "# one\n# two three\ncode\n" },
  { name: "-t", command: "fmt -t -w 16", stdin: "  * one two three\n    four five\n", stdout: "  * one two\n    three\n    four five\n" },
  { name: "-u", command: "fmt -u", stdin: "a    b.  c\n", stdout: "a b.  c\n" },
  { name: "a missing file", command: "fmt nope", stderr: "fmt: cannot open 'nope' for reading: No such file or directory\n", exit: 1 },
  { name: "a directory", command: "fmt d", tree: ["d/"], stderr: "fmt: read error\n", exit: 1 },
]);

messages(fmt, [
  [["-w", "3000"], "fmt: invalid width: ‘3000’: Numerical result out of range\n"],
  [
    ["-c", "-5"],
    "fmt: invalid option -- 5; -WIDTH is recognized only when it is the first\noption; use -w N instead\nTry 'fmt --help' for more information.\n",
  ],
]);
