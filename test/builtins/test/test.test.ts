/** test and [ through the guard and the engine. */
import { describe } from "vitest";
import { test } from "../../../builtins/test/test.ts";
import { cases, lineCases } from "../../cases.ts";

cases(test, [
  { name: "no words", command: "test || [ ] || echo no", stdout: "no\n" },
  {
    name: "one word",
    command: '[ a ] && echo 1; [ "" ] && echo 2; [ -f ] && echo 3; test ! && echo 4; [ "(" ] && echo 5; true',
    stdout: "1\n3\n4\n5\n",
  },
  {
    name: "kinds of files",
    command:
      "[ -e a ] && echo 1; [ -e nope ] && echo 2; [ -f a ] && echo 3; [ -f sub ] && echo 4; [ -d sub ] && echo 5; [ -d a ] && echo 6; [ -f link ] && echo 7; [ -L link ] && echo 8; [ -h link ] && echo 9; [ -L a ] && echo 10; [ -e dangling ] && echo 11; [ -L dangling ] && echo 12; [ -d dlink ] && echo 13; [ -p pipe ] && echo 14; [ -f pipe ] && echo 15; [ -s a ] && echo 16; [ -s empty ] && echo 17; [ -a a ] && echo 18; [ -S a ] && echo 19; [ -b a ] && echo 20; [ -c /dev/null ] && echo 21; [ -e /dev/null ] && echo 22; [ -f /dev/null ] && echo 23; true",
    files: { a: "x", empty: "", "sub/f": "y" },
    tree: ["sub/", "link => a", "dangling => nowhere", "dlink => sub", "pipe|"],
    stdout: "1\n3\n5\n7\n8\n9\n12\n13\n14\n16\n18\n21\n22\n",
  },
  {
    name: "a file as a directory",
    command: '[ -e a/x ] && echo 1; [ -f sub/f ] && echo 2; [ -f sub/../a ] && echo 3; [ -e "" ] && echo 4; true',
    files: { a: "x", empty: "", "sub/f": "y" },
    tree: ["sub/", "link => a", "dangling => nowhere", "dlink => sub", "pipe|"],
    stdout: "2\n3\n",
  },
  {
    name: "permissions",
    command:
      "[ -r a ] && echo 1; [ -x a ] && echo 2; [ -x run ] && echo 3; [ -u run ] && echo 4; [ -g run ] && echo 5; [ -k sub ] && echo 6; [ -x sub ] && echo 7; [ -O a ] && echo 8; [ -G a ] && echo 9; true",
    files: { a: "x", run: "", "sub/f": "" },
    modes: { a: 0o644, run: 0o6755, sub: 0o1777 },
    stdout: "1\n3\n4\n5\n6\n7\n8\n9\n",
  },
  {
    name: "the same file",
    command:
      "[ a -ef link ] && echo 1; [ a -ef empty ] && echo 2; [ a -ef ./sub/../a ] && echo 3; [ a -ef nope ] && echo 4; [ nope -ef nope ] && echo 5; true",
    files: { a: "x", empty: "", "sub/f": "y" },
    tree: ["sub/", "link => a", "dangling => nowhere", "dlink => sub", "pipe|"],
    stdout: "1\n3\n",
  },
  {
    name: "newer and older, where one is missing",
    command:
      "[ a -nt nope ] && echo 1; [ nope -nt a ] && echo 2; [ nope -ot a ] && echo 3; [ a -ot nope ] && echo 4; [ a -nt a ] && echo 5; true",
    files: { a: "x", empty: "", "sub/f": "y" },
    stdout: "1\n3\n",
  },
  {
    name: "strings",
    command:
      '[ -n x ] && echo 1; [ -n "" ] && echo 2; [ -z "" ] && echo 3; [ -z x ] && echo 4; [ a = a ] && echo 5; [ a == b ] && echo 6; [ a != b ] && echo 7; [ a \\< b ] && echo 8; [ a \\> b ] && echo 9; [ B \\< a ] && echo 10; [ é \\> z ] && echo 11; true',
    stdout: "1\n3\n5\n7\n8\n10\n11\n",
  },
  {
    name: "numbers",
    command:
      '[ 1 -eq 1 ] && echo 1; [ 1 -eq 01 ] && echo 2; [ " 3 " -eq 3 ] && echo 3; [ 3 -ne 4 ] && echo 4; [ -1 -lt 0 ] && echo 5; [ 2 -le 2 ] && echo 6; [ 3 -gt 2 ] && echo 7; [ 2 -ge 3 ] && echo 8; [ +5 -eq 5 ] && echo 9; [ 9223372036854775807 -gt 1 ] && echo 10; true',
    stdout: "1\n2\n3\n4\n5\n6\n7\n9\n10\n",
  },
  { name: "numbers that are none", command: "[ x -eq 1 ]", stderr: "bash: line 1: [: x: integer expression expected\n", exit: 2 },
  {
    name: "a number too large",
    command: "[ 9223372036854775808 -gt 1 ]",
    stderr: "bash: line 1: [: 9223372036854775808: integer expression expected\n",
    exit: 2,
  },
  { name: "an empty number", command: '[ "" -eq 0 ]', stderr: "bash: line 1: [: : integer expression expected\n", exit: 2 },
  {
    name: "negation",
    command:
      '[ ! a ] && echo 1; [ ! "" ] && echo 2; [ ! -f nope ] && echo 3; [ ! a = b ] && echo 4; [ ! ! a ] && echo 5; [ ! a -a b ] && echo 6; [ ! "" -o "" ] && echo 7; true',
    stdout: "2\n3\n4\n5\n7\n",
  },
  {
    name: "and, or, parentheses",
    command:
      '[ a -a "" ] && echo 1; [ a -o "" ] && echo 2; [ "" -o "" ] && echo 3; [ a -a b -a c ] && echo 4; [ "" -a "" -o a ] && echo 5; [ a -o b -a "" ] && echo 6; [ \\( a \\) ] && echo 7; [ \\( a = b \\) ] && echo 8; [ ! \\( a = b \\) ] && echo 9; [ \\( a -o "" \\) -a \\( "" \\) ] && echo 10; true',
    stdout: "2\n4\n5\n6\n7\n9\n",
  },
  {
    name: "operators as operands",
    command:
      "[ = = = ] && echo 1; [ -f = -f ] && echo 2; [ ! = ! ] && echo 3; [ -n = x ] && echo 4; [ \\( = \\( ] && echo 5; [ -a -a -a ] && echo 6; true",
    stdout: "1\n2\n3\n5\n6\n",
  },
  { name: "missing ]", command: "[ a", stderr: "bash: line 1: [: missing `]'\n", exit: 2 },
  { name: "a bare [", command: "[", stderr: "bash: line 1: [: missing `]'\n", exit: 2 },
  { name: "no operator", command: "[ a b ]", stderr: "bash: line 1: [: a: unary operator expected\n", exit: 2 },
  { name: "no binary operator", command: "test a b c", stderr: "bash: line 1: test: b: binary operator expected\n", exit: 2 },
  { name: "too many words", command: "[ a = b c ]", stderr: "bash: line 1: [: too many arguments\n", exit: 2 },
  { name: "an unexpected flag", command: "[ a = b -x ]", stderr: "bash: line 1: [: syntax error: `-x' unexpected\n", exit: 2 },
  { name: "an operand is missing", command: "[ a -a ! ]" },
  { name: "a parenthesis is missing", command: 'test "(" a = a b', stderr: "bash: line 1: test: `)' expected, found b\n", exit: 2 },
  { name: "=~ belongs to [[", command: "[ a =~ a ]", stderr: "bash: line 1: [: =~: binary operator expected\n", exit: 2 },
  { name: "no descriptor is a terminal", command: "[ -t 0 ] && echo 1; [ -t 1 ] && echo 2; [ -t x ] && echo 3; true" },
  {
    name: "no variable is set; options are those of bash -c",
    command: "[ -v nope ] && echo 1; [ -R nope ] && echo 2; [ -o braceexpand ] && echo 3; [ -o errexit ] && echo 4; true",
    stdout: "3\n",
  },
  {
    name: "standard streams",
    command: "[ -e /dev/stdin ] && echo 1; [ -e /dev/stdout ] && echo 2; [ -r /dev/stdin ] && echo 3; [ -f /dev/stdin ] && echo 4; true",
    stdout: "1\n2\n3\n",
  },
  { name: "a path outside is refused", command: "[ -f /etc/passwd ] || echo no", refused: "PATH_ESCAPE" },
  { name: "a path outside is refused wherever it stands", command: "[ a = b -o -d ../x ]", refused: "PATH_ESCAPE" },
  { name: "test --help is a word", command: "test --help" },
]);

describe("what random lines have found", () => {
  lineCases([
    { name: "- is a file's name", command: "[ -e - ] || [ -p - ] || echo no", stdin: "x", stdout: "no\n" },
    {
      name: "[ finds its bracket where a parenthesis is missing",
      command: "[ '(' -n x -a y ]",
      stderr: "bash: line 1: [: `)' expected, found ]\n",
      exit: 2,
    },
  ]);
});
