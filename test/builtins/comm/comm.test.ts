/** comm through the guard and the engine. */
import { comm } from "../../../builtins/comm/comm.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(comm, [
  { name: "three columns", command: "comm a b", files: { a: "1\n2\n", b: "2\n3\n" }, stdout: "1\n\t\t2\n\t3\n" },
  { name: "-12", command: "comm -12 a b", files: { a: "1\n2\n", b: "2\n3\n" }, stdout: "2\n" },
  { name: "--total", command: "comm --total a b", files: { a: "1\n2\n", b: "2\n3\n" }, stdout: "1\n\t\t2\n\t3\n1\t1\t1\ttotal\n" },
  {
    name: "order is checked once a line has no pair",
    command: "comm a b",
    files: { a: "3\n1\n", b: "3\n2\n" },
    stdout: "\t\t3\n1\n\t2\n",
    stderr: "comm: file 1 is not in sorted order\ncomm: file 2 is not in sorted order\ncomm: input is not in sorted order\n",
    exit: 1,
  },
  {
    name: "--check-order ends it",
    command: "comm --check-order a a",
    files: { a: "b\na\n" },
    stdout: "\t\tb\n",
    stderr: "comm: file 1 is not in sorted order\n",
    exit: 1,
  },
  { name: "a missing file", command: "comm nope a", files: { a: "" }, stderr: "comm: nope: No such file or directory\n", exit: 1 },
  {
    name: "standard input twice: the sides take its lines in turn, and it is closed twice",
    command: "comm - - --total",
    stdin: "a\na\nb\nc\nd\n",
    stdout: "\t\ta\nb\n\tc\nd\n",
    stderr: "comm: -: Bad file descriptor\n",
    exit: 1,
  },
  {
    name: "standard input twice, and what comes out of order",
    command: "comm - - --check-order",
    stdin: "c\nb\na\n",
    stdout: "\tb\n",
    stderr: "comm: file 2 is not in sorted order\n",
    exit: 1,
  },
]);

messages(comm, [
  [["a"], "comm: missing operand after ‘a’\nTry 'comm --help' for more information.\n"],
  [["--output-delimiter=a", "--output-delimiter=b", "x", "y"], "comm: multiple output delimiters specified\n"],
]);
