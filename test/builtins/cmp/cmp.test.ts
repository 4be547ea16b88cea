/** cmp through the guard and the engine. */
import { describe } from "vitest";
import { cmp } from "../../../builtins/cmp/cmp.ts";
import { cases, lineCases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(cmp, [
  {
    name: "standard input is one file on both sides",
    command: "cat f | cmp - - 2; cat f | cmp -i 0:2 - -",
    files: { f: "xyz\n" },
  },
  { name: "-i: one number after two stands for the first of them", command: "cmp -i 5:2 -i 2 a a", files: { a: "abcabcabc" } },
  {
    name: "the first difference",
    command: "cmp a b",
    files: { a: "one\ntwo\nthree\n", b: "one\ntoo\nthere\n" },
    stdout: "a b differ: byte 6, line 2\n",
    exit: 1,
  },
  { name: "the same", command: "cmp a a", files: { a: "one\ntwo\nthree\n", b: "one\ntoo\nthere\n" } },
  {
    name: "-b",
    command: "cmp -b a b",
    files: { a: "a\udcff\n", b: "a\u0001\n" },
    stdout: "a b differ: byte 2, line 1 is 377 M-^?   1 ^A\n",
    exit: 1,
  },
  {
    name: "-l",
    command: "cmp -l a b",
    files: { a: "one\ntwo\nthree\n", b: "one\ntoo\nthere\n" },
    stdout: " 6 167 157\n11 162 145\n12 145 162\n",
    exit: 1,
  },
  {
    name: "-bl",
    command: "cmp -bl a b",
    files: { a: "one\ntwo\nthree\n", b: "one\ntoo\nthere\n" },
    stdout: " 6 167 w    157 o\n11 162 r    145 e\n12 145 e    162 r\n",
    exit: 1,
  },
  { name: "-s", command: "cmp -s a b", files: { a: "one\ntwo\nthree\n", b: "one\ntoo\nthere\n" }, exit: 1 },
  { name: "-s and a missing file", command: "cmp -s nope a", files: { a: "one\ntwo\nthree\n", b: "one\ntoo\nthere\n" }, exit: 2 },
  {
    name: "the end of a file behind a line",
    command: "cmp a b",
    files: { a: "1\n2\n", b: "1\n" },
    stderr: "cmp: EOF on b after byte 2, line 1\n",
    exit: 1,
  },
  {
    name: "the end of a file in a line",
    command: "cmp a b",
    files: { a: "1\n2", b: "1\n2\n" },
    stderr: "cmp: EOF on a after byte 3, in line 2\n",
    exit: 1,
  },
  {
    name: "the end of a file with -l",
    command: "cmp -l a b",
    files: { a: "1\n2", b: "1\n2\n" },
    stderr: "cmp: EOF on a after byte 3\n",
    exit: 1,
  },
  { name: "an empty file", command: "cmp a b", files: { a: "", b: "1\n" }, stderr: "cmp: EOF on a which is empty\n", exit: 1 },
  { name: "-n", command: "cmp -n 3 a b", files: { a: "one\ntwo\nthree\n", b: "one\ntoo\nthere\n" } },
  {
    name: "-i",
    command: "cmp -i 4 a b",
    files: { a: "one\ntwo\nthree\n", b: "one\ntoo\nthere\n" },
    stdout: "a b differ: byte 2, line 1\n",
    exit: 1,
  },
  { name: "-i with two", command: "cmp -i 1:2 a b", files: { a: "xabc", b: "xyabd" }, stdout: "a b differ: byte 3, line 1\n", exit: 1 },
  { name: "skips as operands", command: "cmp a b 1 2", files: { a: "xabc", b: "xyabd" }, stdout: "a b differ: byte 3, line 1\n", exit: 1 },
  {
    name: "standard input",
    command: "cmp a",
    stdin: "one\n",
    files: { a: "one\ntwo\nthree\n", b: "one\ntoo\nthere\n" },
    stderr: "cmp: EOF on - after byte 4, line 1\n",
    exit: 1,
  },
  {
    name: "a missing file",
    command: "cmp a nope",
    files: { a: "one\ntwo\nthree\n", b: "one\ntoo\nthere\n" },
    stderr: "cmp: nope: No such file or directory\n",
    exit: 2,
  },
  {
    name: "a directory",
    command: "cmp a d",
    files: { a: "one\ntwo\nthree\n", b: "one\ntoo\nthere\n" },
    tree: ["d/"],
    stderr: "cmp: d: Is a directory\n",
    exit: 2,
  },
]);

messages(cmp, [
  [["-i", "08", "a", "b"], "cmp: invalid --ignore-initial value '08'\ncmp: Try 'cmp --help' for more information.\n", 2],
  [[], "cmp: missing operand after 'cmp'\ncmp: Try 'cmp --help' for more information.\n", 2],
  [["-n", "x", "a", "b"], "cmp: invalid --bytes value 'x'\ncmp: Try 'cmp --help' for more information.\n", 2],
  [["-i", "1:x", "a", "b"], "cmp: invalid --ignore-initial value 'x'\ncmp: Try 'cmp --help' for more information.\n", 2],
  [["-ls", "a", "b"], "cmp: options -l and -s are incompatible\ncmp: Try 'cmp --help' for more information.\n", 2],
  [["a", "b", "1", "1", "1"], "cmp: extra operand '1'\ncmp: Try 'cmp --help' for more information.\n", 2],
  [["--foo"], "cmp: unrecognized option '--foo'\ncmp: Try 'cmp --help' for more information.\n", 2],
]);

describe("what random lines have found", () => {
  lineCases([
    { name: "-c is -b", command: "cmp -c a b", files: { a: "x", b: "y" }, stdout: "a b differ: byte 1, line 1 is 170 x 171 y\n", exit: 1 },
    { name: "numbers in C's notation", command: "cmp -n 0x2 a b", files: { a: "xyz", b: "xya" }, stdout: "" },
    { name: "one missing name twice", command: "cmp nope nope", stderr: "cmp: nope: No such file or directory\n", exit: 2 },
    { name: "a missing file before a directory", command: "cmp . nope", stderr: "cmp: nope: No such file or directory\n", exit: 2 },
  ]);
});
