/** nl through the guard and the engine. */
import { nl } from "../../../builtins/nl/nl.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

const help = "Try 'nl --help' for more information.\n";

cases(nl, [
  { name: "-b: a class without brackets is a set", command: "nl -b 'p[:space:]'", stdin: "s\nx\n", stdout: "     1\ts\n       x\n" },
  { name: "lines that are not empty", command: "nl", stdin: "a\n\nb", stdout: "     1\ta\n       \n     2\tb\n" },
  {
    name: "-b a, t, n",
    command: "nl -ba; nl -b n a; nl -bt a",
    stdin: "a\n\nb\n",
    files: { a: "x\n\n" },
    stdout: "     1\ta\n     2\t\n     3\tb\n       x\n       \n     1\tx\n       \n",
  },
  {
    name: "-b pBRE",
    command: "nl -b 'p^[ab]*$' a; nl -bp a; nl -bp'x\\{2\\}' a",
    files: { a: "ab\nxx\n\nc\n" },
    stdout:
      "     1\tab\n       xx\n     2\t\n       c\n     1\tab\n     2\txx\n     3\t\n     4\tc\n       ab\n     1\txx\n       \n       c\n",
  },
  {
    name: "sections",
    command: "nl a; nl -ha -fa -ba a",
    files: { a: "a\n\\:\\:\\:\nh\n\\:\\:\nb\n\n\n\nx\n\\:\nf\n\\:\\:\nz" },
    stdout:
      "     1\ta\n\n       h\n\n     1\tb\n       \n       \n       \n     2\tx\n\n       f\n\n     1\tz\n     1\ta\n\n     1\th\n\n     1\tb\n     2\t\n     3\t\n     4\t\n     5\tx\n\n     1\tf\n\n     1\tz\n",
  },
  {
    name: "-p goes on counting",
    command: "nl -p -ba -ha -fa a",
    files: { a: "a\n\\:\\:\\:\nh\n\\:\\:\nb\n\n\n\nx\n\\:\nf\n\\:\\:\nz" },
    stdout: "     1\ta\n\n     2\th\n\n     3\tb\n     4\t\n     5\t\n     6\t\n     7\tx\n\n     8\tf\n\n     9\tz\n",
  },
  {
    name: "-d",
    command: "nl -dx a; nl -d xy b",
    files: { a: "p\nx:x:\nq\n", b: "p\nxy\nq\nxyxyxy\nr\n" },
    stdout: "     1\tp\n\n     1\tq\n     1\tp\n\n       q\n\n       r\n",
  },
  {
    name: "-d with more characters, or none",
    command: "nl -d abc a; nl -d '' -ba b",
    files: { a: "p\nabcabc\nq\n", b: "p\n\\:\\:\nq\n" },
    stdout: "     1\tp\n\n     1\tq\n     1\tp\n     2\t\\:\\:\n     3\tq\n",
  },
  {
    name: "-l joins empty lines",
    command: "nl -ba -l2",
    stdin: "a\n\n\n\n\n\nb\n\nc\n",
    stdout: "     1\ta\n       \n     2\t\n       \n     3\t\n       \n     4\tb\n       \n     5\tc\n",
  },
  {
    name: "-v, -i and negative numbers",
    command: "nl -v -2 -i 2 -ba; nl -i -1 a; nl -i0 a",
    stdin: "a\nb\nc\n",
    files: { a: "x\ny\n" },
    stdout: "    -2\ta\n     0\tb\n     2\tc\n     1\tx\n     0\ty\n     1\tx\n     1\ty\n",
  },
  {
    name: "-n",
    command: "nl -n ln a; nl -n rn a; nl -n rz a; nl -nrz -v-5 a",
    files: { a: "x\n" },
    stdout: "1     \tx\n     1\tx\n000001\tx\n-00005\tx\n",
  },
  {
    name: "-w and -s",
    command: 'nl -w 1 -s : a; nl -w3 -s "" a; nl -s é -ba b',
    files: { a: "x\n\n", b: "\n" },
    stdout: "1:x\n  \n  1x\n   \n     1é\n",
  },
  { name: "a number wider than its column", command: "nl -v 12345 -w 2 a", files: { a: "x\n" }, stdout: "12345\tx\n" },
  {
    name: "the counter goes on over files",
    command: "nl a nope d a",
    files: { a: "x\n" },
    tree: ["d/"],
    stdout: "     1\tx\n     2\tx\n",
    stderr: "nl: nope: No such file or directory\nnl: d: Is a directory\n",
    exit: 1,
  },
  {
    name: "the largest number",
    command: "nl -v 9223372036854775807 a",
    files: { a: "x\n\ny\nz\n" },
    stdout: "9223372036854775807\tx\n       \n",
    stderr: "nl: line number overflow\n",
    exit: 1,
  },
  {
    name: "numbers past 2^53",
    command: "nl -v 9007199254740991 -ba a",
    files: { a: "x\ny\nz\n" },
    stdout: "9007199254740991\tx\n9007199254740992\ty\n9007199254740993\tz\n",
  },
  { name: "a style that is none", command: "nl -bx a", files: { a: "x\n" }, refused: "BAD_VALUE" },
  { name: "a range the wrong way round is empty", command: "nl -b 'p[b-a]' a", files: { a: "x\n" }, stdout: "       x\n" },
]);

messages(nl, [
  [["-b", "x"], `nl: invalid body numbering style: ‘x’\n${help}`],
  [["-b", ""], `nl: invalid body numbering style: ‘’\n${help}`],
  [["-h", "z"], `nl: invalid header numbering style: ‘z’\n${help}`],
  [["-f", "q"], `nl: invalid footer numbering style: ‘q’\n${help}`],
  [["-n", "xx"], `nl: invalid line numbering format: ‘xx’\n${help}`],
  // It goes on after a wrong style, format or flag, not after a wrong number.
  [["-w", "0"], "nl: invalid line number field width: ‘0’: Numerical result out of range\n"],
  [["-w", "3x"], "nl: invalid line number field width: ‘3x’\n"],
  [["-w", "2147483648"], "nl: invalid line number field width: ‘2147483648’: Value too large for defined data type\n"],
  [["-l", "0"], "nl: invalid line number of blank lines: ‘0’: Numerical result out of range\n"],
  [["-l", "x"], "nl: invalid line number of blank lines: ‘x’\n"],
  [["-v", "9223372036854775808"], "nl: invalid starting line number: ‘9223372036854775808’: Value too large for defined data type\n"],
  [["-i", "x"], "nl: invalid line number increment: ‘x’\n"],
  [["-bp\\("], "nl: Unmatched ( or \\(\n"],
  [["-bp["], "nl: Invalid regular expression\n"],
  [["-bp\\1"], "nl: Invalid back reference\n"],
  [["-b"], `nl: option requires an argument -- 'b'\n${help}`],
]);
