/** rev through the guard and the engine. */
import { rev } from "../../../builtins/rev/rev.ts";
import { cases } from "../../cases.ts";

cases(rev, [
  { name: "lines", command: "rev", stdin: "abc\nné\n", stdout: "cba\nén\n" },
  { name: "no last newline", command: "rev", stdin: "ab", stdout: "ba" },
  { name: "- is a file", command: "rev -", stderr: "rev: cannot open -: No such file or directory\n", exit: 1 },
  { name: "a directory", command: "rev .", stderr: "rev: .: 0: Is a directory\n", exit: 1 },
  { name: "a NUL hides the rest of its line", command: "rev", stdin: "a\u0000b\nc\n", stdout: "ca\n" },
  { name: "and the next line belongs to it", command: "rev", stdin: "lin\u0000e 1\n\nline 3\n", stdout: "nil\n3 enil\n" },
  {
    name: "in a long line a NUL hides the rest too",
    command: "rev",
    stdin: `${"a".repeat(9000)}\0${"b".repeat(9000)}c\nxy\n`,
    stdout: `yx${"a".repeat(9000)}\n`,
    differs: "rev reads a long line by pieces, and drops the rest of a piece",
  },
  {
    name: "bytes that are no text",
    command: "rev",
    stdin: "ab\nc\udcffd\nef\n",
    stdout: "ba\n",
    stderr: "rev: stdin: 1: Invalid or incomplete multibyte or wide character\n",
    exit: 1,
  },
  {
    name: "a character that the end of the input cuts off",
    command: "rev",
    stdin: "ab\nc\udce2\udc82",
    stdout: "ba\n",
    stderr: "rev: stdin: 1: Invalid or incomplete multibyte or wide character\n",
    exit: 1,
    differs: "rev leaves the character out, and prints the line",
  },
]);
