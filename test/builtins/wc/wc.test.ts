/** wc through the guard and the engine. */
import { wc } from "../../../builtins/wc/wc.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

const help = "Try 'wc --help' for more information.\n";

cases(wc, [
  {
    name: "a directory as standard input",
    command: "wc -l < d",
    files: { "d/a": "" },
    stdout: "0\n",
    stderr: "wc: 'standard input': Is a directory\n",
    exit: 1,
  },
  { name: "lines, words, bytes", command: "wc a", files: { a: "one two\nthree\n" }, stdout: " 2  3 14 a\n" },
  { name: "a pipe has columns of seven", command: "wc", stdin: "one two\nthree\n", stdout: "      2       3      14\n" },
  { name: "one count has none", command: "wc -l; wc -l a", stdin: "a\nb\n", files: { a: "1\n" }, stdout: "2\n1 a\n" },
  {
    name: "two counts of a pipe",
    command: "wc -lc; wc -lc - a",
    stdin: "a\nb\n",
    files: { a: "1\n" },
    stdout: "      2       4\n      0       0 -\n      1       2 a\n      1       2 total\n",
  },
  {
    name: "columns as wide as all sizes together",
    command: "wc a b; wc b b b b b b b b b b b",
    files: { a: "x\n", b: "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n" },
    stdout:
      "  1   1   2 a\n  1   1 100 b\n  2   2 102 total\n   1    1  100 b\n   1    1  100 b\n   1    1  100 b\n   1    1  100 b\n   1    1  100 b\n   1    1  100 b\n   1    1  100 b\n   1    1  100 b\n   1    1  100 b\n   1    1  100 b\n   1    1  100 b\n  11   11 1100 total\n",
  },
  { name: "the order of the columns is fixed", command: "wc -L -c -m -w -l a", files: { a: "né x\n\tz\n" }, stdout: "2 3 8 9 9 a\n" },
  { name: "a last line without a newline does not count", command: "wc -l; wc -l a", stdin: "a\nb", files: { a: "1" }, stdout: "1\n0 a\n" },
  { name: "characters", command: "wc -m a; wc -c a", files: { a: "né日😀\n" }, stdout: "5 a\n11 a\n" },
  {
    name: "bytes that are no text are no characters",
    command: "wc -m a; wc -w a; wc -c a",
    files: { a: "\udcff\udce6\udc97 x\udcff\udcfe y\n" },
    stdout: "5 a\n2 a\n10 a\n",
  },
  { name: "controls alone make no word", command: "wc -w", stdin: "\u0001\u0002 a\u0001 \x7f\n", stdout: "1\n" },
  { name: "white space beyond ASCII", command: "wc -w", stdin: "a b c d⁠e　f g\n", stdout: "7\n" },
  { name: "zero-width and line separators are none", command: "wc -w", stdin: "a​b cd\n", stdout: "1\n" },
  {
    name: "-L counts columns: tabs, wide and combining characters",
    command: "wc -L a; wc -L b; wc -L c; wc -L d",
    files: { a: "a\tb\n", b: "日本\n", c: "é\n", d: "abc\rde\ffghi\u000b\n" },
    stdout: "9 a\n4 b\n1 c\n4 d\n",
  },
  { name: "-L of the total is the widest", command: "wc -L a b", files: { a: "xxx\n", b: "y\n" }, stdout: "3 a\n1 b\n3 total\n" },
  {
    name: "a directory counts as nothing",
    command: "wc d a; wc -m d",
    files: { a: "1\n" },
    tree: ["d/"],
    stdout: "      0       0       0 d\n      1       1       2 a\n      1       1       2 total\n0 d\n",
    stderr: "wc: d: Is a directory\nwc: d: Is a directory\n",
    exit: 1,
  },
  {
    name: "a missing file",
    command: "wc nope a; wc nope",
    files: { a: "1\n" },
    stdout: "1 1 2 a\n1 1 2 total\n",
    stderr: "wc: nope: No such file or directory\nwc: nope: No such file or directory\n",
    exit: 1,
  },
  {
    name: "two missing files still have a total",
    command: "wc nope nope2",
    stdout: "0 0 0 total\n",
    stderr: "wc: nope: No such file or directory\nwc: nope2: No such file or directory\n",
    exit: 1,
  },
  {
    name: "standard input by name",
    command: "wc - a",
    stdin: "x\n",
    files: { a: "1\n" },
    stdout: "      1       1       2 -\n      1       1       2 a\n      2       2       4 total\n",
  },
  {
    name: "/dev/null widens the columns",
    command: "wc /dev/null a",
    files: { a: "1\n" },
    stdout: "      0       0       0 /dev/null\n      1       1       2 a\n      1       1       2 total\n",
  },
  { name: "an empty file", command: "wc a; wc -c a; wc -L a", files: { a: "" }, stdout: "0 0 0 a\n0 a\n0 a\n" },
  {
    name: "a newline in a name is quoted",
    command: "wc 'a b' $'a\\nb'",
    files: { "a b": "1\n", "a\nb": "2\n" },
    stdout: "1 1 2 a b\n1 1 2 'a'$'\\n''b'\n2 2 4 total\n",
  },
  {
    name: "names from a file",
    command: "wc --files0-from=list",
    files: { list: "a\u0000b", a: "1\n", b: "2 2\n" },
    stdout: "1 1 2 a\n1 2 4 b\n2 3 6 total\n",
  },
  {
    name: "names from standard input",
    command: "printf 'a\\0\\0-\\0nope\\0b' | wc --files0-from=-",
    files: { a: "1\n", b: "2 2\n" },
    stdout: "1 1 2 a\n1 2 4 b\n2 3 6 total\n",
    stderr:
      "wc: -:2: invalid zero-length file name\nwc: when reading file names from stdin, no file name of '-' allowed\nwc: nope: No such file or directory\n",
    exit: 1,
  },
  { name: "an empty list of names", command: "wc --files0-from=list", files: { list: "" } },
  {
    name: "a list that cannot be read",
    command: "wc --files0-from=nope; wc --files0-from=d",
    tree: ["d/"],
    stderr: "wc: cannot open 'nope' for reading: No such file or directory\nwc: d: read error: Is a directory\n",
    exit: 1,
  },
  { name: "an empty name", command: "wc ''", stderr: "wc: invalid zero-length file name\n", exit: 1 },
  { name: "--total came with 9.2", command: "wc --total=never a", files: { a: "1\n" }, refused: "UNKNOWN_FLAG" },
]);

messages(wc, [
  [["-x"], `wc: invalid option -- 'x'\n${help}`],
  [["--total=always"], `wc: unrecognized option '--total=always'\n${help}`],
  [["--files0-from=lst", "a"], `wc: extra operand 'a'\nfile operands cannot be combined with --files0-from\n${help}`],
  [["--files0-from"], `wc: option '--files0-from' requires an argument\n${help}`],
]);
