/** rev through the guard and the engine. */
import { rev } from "../../../builtins/rev/rev.ts";
import { cases } from "../../cases.ts";

cases(rev, [
  { name: "lines", command: "rev", stdin: "abc\nné\n", stdout: "cba\nén\n" },
  { name: "no last newline", command: "rev", stdin: "ab", stdout: "ba" },
  { name: "- is a file", command: "rev -", stderr: "rev: cannot open -: No such file or directory\n", exit: 1 },
  { name: "a directory", command: "rev .", stderr: "rev: .: 0: Is a directory\n", exit: 1 },
  { name: "a NUL hides the rest of its line", command: "rev", stdin: "a\u0000b\nc\n", stdout: "ca\n" },
  {
    name: "in a long line a NUL hides the rest of what was read at once",
    command: "rev",
    stdin: `${"a".repeat(9000)}\0${"b".repeat(9000)}c\nxy\n`,
    stdout: `c${"b".repeat(1619)}${"a".repeat(9000)}\nyx\n`,
  },
]);
