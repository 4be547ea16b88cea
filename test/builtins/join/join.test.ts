/** join through the guard and the engine. */
import { join } from "../../../builtins/join/join.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(join, [
  { name: "on the first field", command: "join a b", files: { a: "1 x\n2 y\n", b: "1 p\n3 q\n" }, stdout: "1 x p\n" },
  { name: "-a -e -o", command: "join -t , -a 1 -e - -o 0,1.2,2.2 a b", files: { a: "1,x\n2,y\n", b: "1,p\n" }, stdout: "1,x,p\n2,y,-\n" },
  { name: "-v", command: "join -v 1 -v 2 a b", files: { a: "1\n2\n", b: "2\n3\n" }, stdout: "1\n3\n" },
  { name: "the old list of -o", command: "join -o 1.1 2.2 a b", files: { a: "1 x\n", b: "1 p\n" }, stdout: "1 p\n" },
  { name: "the list of -o between files", command: "join a -o 1.1 2.2 b", files: { a: "1 x\n", b: "1 p\n" }, stdout: "1 p\n" },
  {
    name: "the fields of two lists stand as they were come to",
    command: "join -o 1.1 1.2 a -o 2.2 b",
    files: { a: "1 a\n", b: "1 c\n" },
    stdout: "1 c a\n",
  },
  {
    name: "a list goes before -o auto",
    command: "join -o 1.2 -o auto a b",
    files: { a: "1 x y\n", b: "1 p\n" },
    stdout: "x\n",
  },
  {
    name: "out of order",
    command: "join a b",
    files: { a: "1\n3\n2\n", b: "0\n5\n" },
    stderr: "join: a:3: is not sorted: 2\njoin: input is not in sorted order\n",
    exit: 1,
  },
  { name: "--header", command: "join --header a b", files: { a: "id n\n1 x\n", b: "key m\n1 p\n" }, stdout: "id n m\n1 x p\n" },
]);

messages(join, [
  [["-12", "-j99999999999999999999", "a", "b"], "join: incompatible join fields 2, 18446744073709551615\n"],
  [["-t", "ab", "a", "b"], "join: multi-character tab ‘ab’\n"],
  [["-1", "0", "a", "b"], "join: invalid field number: ‘0’\n"],
  [["-o", "3.1", "a", "b"], "join: invalid file number in field spec: ‘3.1’\n"],
  [["-o", "1.1", "a", "b", "c"], "join: invalid file number in field spec: ‘a’\n"],
  [["a", "b", "-o", "1.1", "c"], "join: extra operand 'c'\nTry 'join --help' for more information.\n"],
  [["-o", "1.1", "-a1", "a", "b", "c"], "join: extra operand 'c'\nTry 'join --help' for more information.\n"],
  // What the flags before already make wrong comes first.
  // And so does an operand too many.
  // Behind -- nothing belongs to a list.
  [["-", "-"], "join: both files cannot be standard input: No such file or directory\n"],
  [["-o", "0", "-t", "", "-", "-"], "join: both files cannot be standard input: No such file or directory\n"],
  [["a"], "join: missing operand after ‘a’\nTry 'join --help' for more information.\n"],
]);
