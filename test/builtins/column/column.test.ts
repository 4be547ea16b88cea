/** column through the guard and the engine. */
import { column } from "../../../builtins/column/column.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(column, [
  {
    name: "a table although a file is missing",
    command: "column -t nope f",
    files: { f: "a b\n" },
    stdout: "a  b\n",
    stderr: "column: nope: No such file or directory\n",
  },
  {
    name: "a list, and two files missing",
    command: "column nope nope f",
    files: { f: "a\n" },
    stdout: "a\n",
    stderr: "column: nope: No such file or directory\ncolumn: nope: No such file or directory\n",
    exit: 1,
  },

  { name: "-x where lines are too wide: an empty last one too", command: "column -x -L -c 1", stdin: "ab\n\n", stdout: "ab\n\n" },
  { name: "white space beyond ASCII is text", command: "column -t", stdin: "\u2003\n\u200b\nab\n", stdout: "\u2003\n\u200b\nab\n" },
  { name: "-x: a last line that takes no room is not ended", command: "column -x", stdin: "\ufeff\ufeff", stdout: "\ufeff\ufeff" },
  { name: "-x: two lines that take no room", command: "column -x", stdin: "\u200b\n\u200b\n", stdout: "\u200b\t\u200b\n" },
  { name: "a character that is none takes no room", command: "column -t", stdin: "\u0378 b\nab c\n", stdout: "\u0378    b\nab  c\n" },
  {
    name: "-J: a row without a column that is shown, and what stands under it",
    command: "column -t -J -N a,b -H 0 -r 1 -i 1 -p 2",
    stdin: "1 2\n3 1\n",
    stdout: '{\n   "table": [\n      {\n         "children": [\n            {\n\n            }\n         ]\n      }\n   ]\n}\n',
  },
  {
    name: "-J: names are in lower case as far as they are ASCII",
    command: "column -t -J -N AÉ",
    stdin: "1\n",
    stdout: '{\n   "table": [\n      {\n         "aÉ": "1"\n      }\n   ]\n}\n',
  },
  { name: "-o: bytes that are no text", command: "column -t -o $'\\xff'", stdin: "a b\n", stdout: "a\udcffb\n" },
  { name: "-l: a rest where the line is at its end", command: "column -t -l 3", stdin: "a131   x\n", stdout: "a131  x  x\n" },
  { name: "a table", command: "column -t", stdin: "a bbb c\naaa b cc\n", stdout: "a    bbb  c\naaa  b    cc\n" },
  { name: "missing cells", command: "column -t -s ,", stdin: "a,b,c\nd\n", stdout: "a  b  c\nd     \n" },
  {
    name: "names and right alignment",
    command: "column -t -N X,YY -R YY -o ' | '",
    stdin: "a 1\nbb 10\n",
    stdout: "X  | YY\na  |  1\nbb | 10\n",
  },
  { name: "a list", command: "column -c 20", stdin: "1\n2\n3\n", stdout: "1\t3\n2\n" },
  { name: "-x", command: "column -x -c 20", stdin: "1\n2\n3\n", stdout: "1\t2\n3\n" },
  {
    name: "JSON",
    command: "column -J -N a,b",
    stdin: "1 2\n",
    stdout: '{\n   "table": [\n      {\n         "a": "1",\n         "b": "2"\n      }\n   ]\n}\n',
  },
  { name: "no such name", command: "column -t -H x", stdin: "a\n", stderr: "column: undefined column name 'x'\n", exit: 1 },
  { name: "-L where no line has a field", command: "column -t -L", stdin: "\n \n", exit: 1 },
  { name: "-L where a column has a name", command: "column -t -L -N A", stdin: "\n", stdout: "A\n\n" },
  { name: "-T cuts what is too wide", command: "column -t -T 2 -c 12", stdin: "aaa bbbbbbbbbbbb c\n", stdout: "aaa  bbbb  c\n" },
  {
    name: "-W breaks what is too wide",
    command: "column -t -W 2,3 -c 14",
    stdin: "a bbbbbbbbbbbb cccccc\nx y z\n",
    stdout: "a  bbbbbbb  cc\n   bbbbb    cc\n            cc\nx  y        z\n",
  },
  {
    name: "-E: the next column stands on a line of its own",
    command: "column -t -E 1 -c 20",
    stdin: "a b c\nd e f\nlonglonglonglonglong h i\nj k l\nm n o\n",
    stdout:
      "a               b  c\nd               e  f\nlonglonglonglonglong\n                h  i\nj               k  l\nm               n  o\n",
  },
  {
    name: "a tree, however its lines are ordered",
    command: "column -r 3 -i 1 -p 2",
    stdin: "1 0 a\n2 1 b\n3 1 c\n4 2 d\n5 6 e\n6 5 f\n",
    stdout: "1  0  a\n2  1  ├─b\n4  2  │ └─d\n3  1  └─c\n5  6  e\n6  5  └─f\n",
  },
  {
    name: "a tree as JSON",
    command: "column -J -N i,p -r i -i i -p p",
    stdin: "1 0\n2 1\n",
    stdout:
      '{\n   "table": [\n      {\n         "i": "1",\n         "p": "0",\n         "children": [\n            {\n               "i": "2",\n               "p": "1"\n            }\n         ]\n      }\n   ]\n}\n',
  },
  {
    name: "-e repeats the header after 24 lines",
    command: "column -t -e -N A",
    stdin: "1\n".repeat(25),
    stdout: `A\n${"1\n".repeat(24)}A\n1\n`,
  },
  {
    name: "-l: what is left begins where single separators would end",
    command: "column -t -l 2",
    stdin: "a   b c\n",
    stdout: "a    b c\n",
  },
  {
    name: "a number too large for a column",
    command: "column -t -R 4294967296",
    stdin: "a\n",
    stderr: "column: failed to parse column: '4294967296': Numerical result out of range\n",
    exit: 1,
  },
  {
    name: "rows of which not even one cell and its tab fit never end",
    command: "column -x -c 20",
    stdin: "a\ncccccccccccccccccc\nb\n",
    stdout: "a\t\t\tcccccccccccccccccc\tb\n",
  },
]);

messages(column, [
  [["-J", "-x"], "column: mutually exclusive arguments: --json --fillrows\n"],
  [["-t", "-s", "\udcff"], "column: failed to use input separator: Invalid or incomplete multibyte or wide character\n"],
  [["-t", "-l", "-1"], "column: invalid columns limit argument: '-1': Numerical result out of range\n"],
  [["-t", "-l", "4294967296"], "column: invalid columns limit argument: '4294967296': Numerical result out of range\n"],
  [["-t", "-l", "99999999999999999999"], "column: invalid columns limit argument: '99999999999999999999': Numerical result out of range\n"],
  [["-t", "nope", "nope"], "column: nope: No such file or directory\ncolumn: nope: No such file or directory\n"],

  [["-r", "1"], "column: options --tree-id and --tree-parent are required for tree formatting\n"],
  [["-c", "x"], "column: invalid columns argument: 'x'\n"],
  [["-t", "-x"], "column: mutually exclusive arguments: --table --fillrows\n"],
]);
