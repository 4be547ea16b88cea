/** column through the guard and the engine. */
import { column } from "../../builtins/column.ts";
import { cases } from "../cases.ts";
import { messages } from "./messages.ts";

cases(column, [
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
  { name: "-T is refused", command: "column -t -T 1", refused: "DISALLOWED_FLAG" },
  {
    name: "rows of which not even one cell and its tab fit never end",
    command: "column -x -c 20",
    stdin: "a\ncccccccccccccccccc\nb\n",
    stdout: "a\t\t\tcccccccccccccccccc\tb\n",
  },
]);

messages(column, [
  [["-c", "x"], "column: invalid columns argument: 'x'\n"],
  [["-t", "-x"], "column: mutually exclusive arguments: --table --fillrows\n"],
]);
