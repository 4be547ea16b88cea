/** strings through the guard and the engine. */
import { strings } from "../../../builtins/strings/strings.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(strings, [
  {
    name: "a path through a file",
    command: "strings f/x",
    files: { f: "x" },
    stderr: "strings: Warning: could not locate 'f/x'.  reason: Not a directory\n",
    exit: 1,
  },

  {
    name: "standard input",
    command: "strings ",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "abcd\n\tab cd\nhello\nworld\nzzzz\n latte\nend!\n",
  },
  {
    name: "-n 2",
    command: "strings -n 2",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "ab\nabcd\n\tab cd\nhello\nworld\nzzzz\ncaf\n latte\nend!\n",
  },
  {
    name: "-2",
    command: "strings -2",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "ab\nabcd\n\tab cd\nhello\nworld\nzzzz\ncaf\n latte\nend!\n",
  },
  {
    name: "-a -t d",
    command: "strings -a -t d",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "      3 abcd\n      8 \tab cd\n     16 hello\n     22 world\n     32 zzzz\n     83  latte\n     90 end!\n",
  },
  {
    name: "-t x",
    command: "strings -t x",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "      3 abcd\n      8 \tab cd\n     10 hello\n     16 world\n     20 zzzz\n     53  latte\n     5a end!\n",
  },
  {
    name: "-o",
    command: "strings -o",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "      3 abcd\n     10 \tab cd\n     20 hello\n     26 world\n     40 zzzz\n    123  latte\n    132 end!\n",
  },
  {
    name: "-t o",
    command: "strings -t o",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "      3 abcd\n     10 \tab cd\n     20 hello\n     26 world\n     40 zzzz\n    123  latte\n    132 end!\n",
  },
  {
    name: "-t d -o",
    command: "strings -t d -o",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "      3 abcd\n     10 \tab cd\n     20 hello\n     26 world\n     40 zzzz\n    123  latte\n    132 end!\n",
  },
  {
    name: "-f",
    command: "strings -f",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout:
      "{standard input}: abcd\n{standard input}: \tab cd\n{standard input}: hello\n{standard input}: world\n{standard input}: zzzz\n{standard input}:  latte\n{standard input}: end!\n",
  },
  {
    name: "-w",
    command: "strings -w",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "abcd\n\tab cd\nhello\nworld\nx\ry\nzzzz\n latte\nend!\n",
  },
  {
    name: "-s '|'",
    command: "strings -s '|'",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "abcd|\tab cd|hello|world|zzzz| latte|end!|",
  },
  {
    name: "-e s",
    command: "strings -e s",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "abcd\n\tab cd\nhello\nworld\nzzzz\n latte\nend!\n",
  },
  {
    name: "-e S",
    command: "strings -e S",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "abcd\n\tab cd\n\udc80hello\udce9world\nzzzz\ncafé latte\nend!\n",
  },
  {
    name: "-e l",
    command: "strings -e l",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "zhello\nhijka\n",
  },
  {
    name: "-e b",
    command: "strings -e b",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "hello\nhijka\n",
  },
  {
    name: "-el -n 2 -td",
    command: "strings -el -n 2 -td",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "     35 zhello\n     54 hijka\n",
  },
  {
    name: "-e L",
    command: "strings -e L",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "abcd\n",
  },
  {
    name: "-e B -t d",
    command: "strings -e B -t d",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "     63 bcdc\n",
  },
  {
    name: "-e b -td -n2",
    command: "strings -e b -td -n2",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "     36 hello\n     53 hijka\n",
  },
  {
    name: "-n 0x5",
    command: "strings -n 0x5",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "\tab cd\nhello\nworld\n latte\n",
  },
  {
    name: "-n 010",
    command: "strings -n 010",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
  },
  {
    name: "-n 12 -8",
    command: "strings -n 12 -8",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
  },
  {
    name: "-U d",
    command: "strings -U d",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "abcd\n\tab cd\nhello\nworld\nzzzz\n latte\nend!\n",
  },
  {
    name: "-U i",
    command: "strings -U i",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
    stdout: "abcd\n\tab cd\nhello\nworld\nzzzz\n latte\nend!\n",
  },
  {
    name: "-n -3",
    command: "strings -n -3",
    stdin:
      "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
  },
  {
    name: "-f and -t, two files",
    command: "strings -f -t d f g",
    files: {
      f: "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
      g: "abcdefgh\x00\x01",
      e: "",
    },
    stdout:
      "f:       3 abcd\nf:       8 \tab cd\nf:      16 hello\nf:      22 world\nf:      32 zzzz\nf:      83  latte\nf:      90 end!\ng:       0 abcdefgh\n",
  },
  {
    name: "- before a file",
    command: "strings - g",
    files: {
      f: "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
      g: "abcdefgh\x00\x01",
      e: "",
    },
    stdout: "abcdefgh\n",
  },
  {
    name: "empty",
    command: "strings e",
    files: {
      f: "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
      g: "abcdefgh\x00\x01",
      e: "",
    },
  },
  {
    name: "no such file",
    command: "strings nope g",
    files: {
      f: "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
      g: "abcdefgh\x00\x01",
      e: "",
    },
    stdout: "abcdefgh\n",
    stderr: "strings: 'nope': No such file\n",
    exit: 1,
  },
  { name: "a directory", command: "strings d", tree: ["d/"], stderr: "strings: Warning: 'd' is a directory\n", exit: 1 },
  {
    name: "long names",
    command: "strings --bytes=3 --radix=d --print-file-name f",
    files: {
      f: "ab\x00abcd\x00\tab cd\x00\udc80hello\udce9world\x00x\ry\nzzzz\x00h\x00e\x00l\x00l\x00o\x00\x00\x00o\x00\x00\x00\x00h\x00i\x00j\x00k\x00a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00d\x00\x00\x00café latte\x00end!",
      g: "abcdefgh\x00\x01",
      e: "",
    },
    stdout:
      "f:       3 abcd\nf:       8 \tab cd\nf:      16 hello\nf:      22 world\nf:      32 zzzz\nf:      78 caf\nf:      83  latte\nf:      90 end!\n",
  },
  { name: "bad: -n 0", command: "strings -n 0", refused: "BAD_VALUE" },
  { name: "bad: -n x", command: "strings -n x", refused: "BAD_VALUE" },
  { name: "bad: -n 5x", command: "strings -n 5x", refused: "BAD_VALUE" },
  { name: "bad: -t y", command: "strings -t y", refused: "BAD_VALUE" },
  { name: "bad: -e y", command: "strings -e y", refused: "BAD_VALUE" },
  { name: "bad: -U z", command: "strings -U z", refused: "BAD_VALUE" },
  { name: "bad: -U e", command: "strings -U e", refused: "DISALLOWED_FLAG" },
  { name: "bad: -d", command: "strings -d", refused: "DISALLOWED_FLAG" },
  { name: "bad: -T binary", command: "strings -T binary", refused: "DISALLOWED_FLAG" },
  { name: "bad: -n", command: "strings -n", refused: "BAD_VALUE" },
  { name: "a -n that is too short, and a better one", command: "strings -n 0 -n 3", stdin: "ab\0abc", stdout: "abc\n" },
  { name: "-NUMBER is stronger than -n", command: "strings -2 -n 3", stdin: "ab\0abc", stdout: "ab\nabc\n" },
  { name: "the last -NUMBER", command: "strings -3 -2", stdin: "ab\0abc", stdout: "ab\nabc\n" },
  { name: "-n 0", command: "strings -n 0", refused: "BAD_VALUE" },
  { name: "the first bad -n", command: "strings -n 3x -n 0", refused: "BAD_VALUE" },
  { name: "-n -1 is longer than any string", command: "strings -n -1", stdin: "abcdef" },
  { name: "-n is an unsigned int", command: "strings -n 4294967299", stdin: "ab\0abc", stdout: "abc\n" },
  { name: "- is passed over", command: "strings - f", files: { f: "hello" }, stdout: "hello\n" },
  {
    name: "- without a file",
    command: "strings -",
    stdin: "hello",
    stderr: "strings: no file but -, which means nothing here: leave it out to read standard input\n",
    exit: 1,
    differs: "GNU strings prints its usage",
  },
  { name: "-t q", command: "strings -t q", refused: "BAD_VALUE" },
  { name: "-e q", command: "strings -e q", refused: "BAD_VALUE" },
]);

messages(strings, [
  // A letter that is no encoding is reported once all flags are known, a longer word at once.
  [["-e", "1", "-n", "x"], "strings: invalid integer argument x\n"],
  [["-e", "1", "-n", "0"], "strings: invalid minimum string length 0\n"],
  [["-n", "4294967296"], "strings: invalid minimum string length 0\n"],
]);
