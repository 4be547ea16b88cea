import { describe } from "vitest";
import { xargs } from "../../../builtins/xargs/xargs.ts";
import { cases, lineCases } from "../../cases.ts";

const WARNS_OF_E = "xargs: warning: the -E option has no effect if -0 or -d is used.\n\n";

cases(xargs, [
  {
    name: "-I '' is found for ever in an argument",
    command: "xargs -I '' echo a",
    stdin: "x\n",
    stderr: "xargs: command too long\n",
    exit: 1,
  },
  { name: "-I '' in an empty argument", command: "xargs -I '' echo ''", stdin: "x\ny\n", stdout: "x\ny\n" },
  { name: "-I: room for one item", command: "xargs -I{} -s 7 echo {}", stdin: "a\n", stdout: "a\n" },
  {
    name: "-I: an argument that is too long",
    command: "xargs -I{} -s 7 echo {}",
    stdin: "aaaaaa\n",
    stderr: "xargs: command too long\n",
    exit: 1,
  },
  {
    name: "-I: a line that is too long, behind one that is not",
    command: "xargs -I{} -s 8 echo x{}",
    stdin: "b\naaaa\n",
    stdout: "xb\n",
    stderr: "xargs: argument line too long\n",
    exit: 1,
  },
  { name: "echo is the command by default, and all items go to one", command: "xargs", stdin: "a b\n c\n", stdout: "a b c\n" },
  { name: "without items the command runs once", command: "xargs echo none", stdout: "none\n" },
  { name: "-r: or not at all", command: "xargs -r echo none" },
  {
    name: "quotes and backslashes protect",
    command: "xargs -n 1",
    stdin: "'a b' \"c 'd\" e\\ f g\\\n h\n",
    stdout: "a b\nc 'd\ne f\ng\n\nh\n",
  },
  { name: "empty quotes are an item", command: "xargs -n 1 echo '<' '>'", stdin: "'' b\n", stdout: "< > \n< > b\n" },
  {
    name: "an open quote ends the run, after what came before it",
    command: "xargs echo",
    stdin: "a\n'b\n",
    stdout: "a\n",
    stderr: "xargs: unmatched single quote; by default quotes are special to xargs unless you use the -0 option\n",
    exit: 1,
  },
  { name: "-n", command: "xargs -n 2", stdin: "a b c\n", stdout: "a b\nc\n" },
  { name: "-L: a blank at the end of a line goes on", command: "xargs -L 1", stdin: "a \nb\n\nc d\n", stdout: "a b\nc d\n" },
  { name: "-l takes its number joined", command: "xargs -l2 echo", stdin: "a\nb\nc\n", stdout: "a b\nc\n" },
  {
    name: "-I: one command for each line, blanks in front dropped",
    command: "xargs -I{} echo '<{}>{}'",
    stdin: "  a b \n\nc\n",
    stdout: "<a b >a b \n<c>c\n",
  },
  { name: "-I with any text", command: "xargs -I FILE echo FILE.bak", stdin: "a\n", stdout: "a.bak\n" },
  { name: "-i and --replace", command: "xargs -i echo {}{}; echo b | xargs --replace=X echo X-", stdin: "a\n", stdout: "aa\nb-\n" },
  { name: "-0", command: "printf 'a b\\0c\\0' | xargs -0 -n 1", stdout: "a b\nc\n" },
  { name: "-d: nothing else is special", command: "xargs -d '\\n' -n 1", stdin: "a 'b\nc\n", stdout: "a 'b\nc\n" },
  { name: "-d with one character keeps the newline", command: "xargs -d ,", stdin: "a,b\n", stdout: "a b\n\n" },
  {
    name: "-E stops; not with -0",
    command: "xargs -E _; printf 'a\\0' | xargs -0 -E a",
    stdin: "a _ b\n",
    stdout: "a\na\n",
    stderr: WARNS_OF_E,
  },
  {
    name: "-E does not stop at the end of the input, but for what leads a line",
    command: "printf 'a _' | xargs -E _; printf 'a\\n_' | xargs -E _; printf 'a \\n_' | xargs -E _",
    stdout: "a _\na\na _\n",
  },
  {
    name: "-a reads a file, and the command the input",
    command: "xargs -a list cat -n",
    stdin: "in\n",
    files: { list: "" },
    stdout: "     1\tin\n",
  },
  { name: "-s bounds the command line in bytes", command: "xargs -s 9", stdin: "a b c\n", stdout: "a b\nc\n" },
  { name: "-s too small for an item", command: "xargs -s 9", stdin: "abcdef\n", stderr: "xargs: argument line too long\n", exit: 1 },
  {
    name: "-x: -n that does not fit ends the run",
    command: "xargs -x -n 3 -s 9",
    stdin: "a b c\n",
    stderr: "xargs: argument list too long\n",
    exit: 1,
  },
  { name: "lines of 131072 bytes by default", command: "yes 12345678 | head -n 20000 | xargs | wc", stdout: "      2   20000  180000\n" },
  { name: "-t prints commands, quoted", command: "xargs -t echo 'x y'", stdin: "a\n", stdout: "x y a\n", stderr: "echo 'x y' a\n" },
  {
    name: "the last of -n, -L and -I counts",
    command: "xargs -n 1 -L 2; echo a b | xargs -I{} -n 1 echo '{}'",
    stdin: "a b\nc\n",
    stdout: "a b c\na b\n",
    stderr: "xargs: warning: options --max-args and -L are mutually exclusive, ignoring previous --max-args value\n",
  },
  {
    name: "warnings come as the flags do",
    command: "xargs -n 2 -l -s 0 -n 1 echo",
    stdin: "a b\n",
    stderr:
      "xargs: warning: options --max-args and --max-lines/-l are mutually exclusive, ignoring previous --max-args value\nxargs: value 0 for -s option should be >= 1\nxargs: warning: options --max-lines and --max-args/-n are mutually exclusive, ignoring previous --max-lines value\nxargs: cannot fit single argument within argument list size limit\n",
    exit: 1,
  },
  {
    name: "-L implies -x",
    command: "xargs -L 9 -s 12",
    stdin: "a b c\nd e\n",
    stderr: "xargs: argument list too long\n",
    exit: 1,
  },
  {
    name: "an item ends at a NUL, for -E too, and all of it takes room",
    command: "printf 'ab\\0c d\\n' | xargs -s 11; printf 'a END\\0x b' | xargs -E END",
    stdout: "ab\nd\na\n",
    stderr:
      "xargs: WARNING: a NUL character occurred in the input.  It cannot be passed through in the argument list.  Did you mean to use the --null option?\nxargs: WARNING: a NUL character occurred in the input.  It cannot be passed through in the argument list.  Did you mean to use the --null option?\n",
  },
  {
    name: "a NUL behind what does not fit is not told of",
    command: "xargs -L 2 -s 20 echo",
    stdin: "aaaaaaaaa bbbbbbbbb\nc\0d\n",
    stderr: "xargs: argument list too long\n",
    exit: 1,
  },
  {
    name: "a size below zero is warned of",
    command: "xargs -s -1 -s 20 echo",
    stdin: "a b\n",
    stdout: "a b\n",
    stderr: "xargs: value -1 for -s option should be >= 1\n",
  },
  {
    name: "a command that fails makes 123",
    command: "xargs -n 1 grep -c x",
    stdin: "f g\n",
    files: { f: "x\n", g: "y\n" },
    stdout: "1\n0\n",
    exit: 123,
  },
  {
    name: "-P: the output keeps its order",
    command: "xargs -P 4 -n 1 echo",
    stdin: "a b c\n",
    stdout: "a\nb\nc\n",
    differs: "the real tool's order is by chance",
  },
  {
    name: "an item is no flag",
    command: "xargs cat",
    stdin: "-n\n",
    files: { "-n": "text\n" },
    stdout: "text\n",
    differs: "data must not decide what is run",
  },
  { name: "-I: an item that is the word it stands in", command: "xargs -I a echo ab", stdin: "ab\n", stdout: "abb\n" },
  {
    name: "-I: a script is checked with the item in it",
    command: "xargs -I{} sed -n '{},+1p' f",
    stdin: "2\n",
    files: { f: "1\n2\n3\n4\n" },
    stdout: "2\n3\n",
  },
  {
    name: "-I: a program that is none without the item",
    command: "xargs -I{} awk 'NR=={}' f",
    stdin: "2\n",
    files: { f: "1\n2\n" },
    stdout: "2\n",
  },
  {
    name: "-I: an item that spoils a script",
    command: "xargs -I{} sed -n '{}p' f",
    stdin: "3 5\n",
    files: { f: "1\n" },
    stderr: "sed: -e expression #1, char 3: unknown command: `5'\n",
    exit: 123,
  },
  {
    name: "-I: a script of data writes nothing",
    command: "xargs -I{} sed -n '{}' f",
    stdin: "w out\n",
    files: { f: "1\n" },
    stderr:
      "sed: w out: a script writes no files here: its output is given to tee, which records what it replaces\ninstead: sed -n p f | tee out >/dev/null  # the file stays as it is where sed fails\n",
    exit: 123,
    after: { out: null },
    differs: "tee is the one way to write",
  },
  { name: "-I: a flag that there is not is found before", command: "xargs -I{} head --foo {} f", refused: "RUNS_A_COMMAND" },
  { name: "-I: the name of a command inside another", command: "xargs -Ihead find . -exec head f \\;", refused: "RUNS_A_COMMAND" },
  { name: "-I: the name of xargs' own command", command: "xargs -Ihead xargs head f", refused: "RUNS_A_COMMAND" },
  { name: "xargs in xargs", command: "xargs -n 1 xargs -a", stdin: "l m\n", files: { l: "1 2\n", m: "3\n" }, stdout: "1 2\n3\n" },
  { name: "find -print0 to xargs -0", command: "find . -type f -print0 | xargs -0 cat", files: { "a b": "1\n" }, stdout: "1\n" },
]);

describe("xargs refuses", () => {
  lineCases([
    { name: "what is no builtin", command: "ls | xargs chmod +x", refused: "RUNS_A_COMMAND" },
    { name: "a shell", command: "ls | xargs -I{} zsh -c 'wc -l {} > x'", refused: "RUNS_A_COMMAND" },
    { name: "a script that data is part of", command: "ls | xargs -I{} sh -c 'wc -l {} $1'", refused: "RUNS_A_COMMAND" },
    { name: "a command that data names", command: "ls | xargs -I{} {}", refused: "RUNS_A_COMMAND" },
    { name: "cd", command: "ls | xargs cd", refused: "RUNS_A_COMMAND" },
    { name: "a bad flag of the command", command: "ls | xargs wc --wrods", refused: "RUNS_A_COMMAND" },
    { name: "find -exec chmod inside", command: "ls | xargs -I{} find {} -exec chmod +x '{}' +", refused: "RUNS_A_COMMAND" },
    { name: "a path outside", command: "ls | xargs grep -f /etc/passwd", refused: "PATH_ESCAPE" },
    { name: "-p", command: "ls | xargs -p echo", refused: "DISALLOWED_FLAG" },
    { name: "a bad number", command: "ls | xargs -n x echo", refused: "BAD_VALUE" },
  ]);
});

describe("what random lines have found", () => {
  lineCases([
    { name: "a quote at the very end", command: "xargs echo x", stdin: 'a "', stdout: "x a\n" },
    { name: "with -d a NUL is not warned of", command: "xargs -d , echo", stdin: "a\0b,c", stdout: "a c\n" },
    {
      name: "-L: nothing is run where a quote is open at the end",
      command: "xargs -L 3 echo",
      stdin: "a\n'b",
      stderr: "xargs: unmatched single quote; by default quotes are special to xargs unless you use the -0 option\n",
      exit: 1,
    },
    {
      name: "so does one before the last",
      command: "xargs -n 1 ls -d",
      stdin: "nope nope . 'b",
      stdout: ".\n",
      stderr:
        "ls: cannot access 'nope': No such file or directory\nls: cannot access 'nope': No such file or directory\nxargs: unmatched single quote; by default quotes are special to xargs unless you use the -0 option\n",
      exit: 123,
    },
    {
      name: "and one before an item that does not fit",
      command: "xargs -n 1 -s 20 false",
      stdin: "a 012345678901234567890123456789",
      stderr: "xargs: argument line too long\n",
      exit: 123,
    },
    {
      name: "a command that fails before an open quote",
      command: "xargs false",
      stdin: "a 'b",
      stderr: "xargs: unmatched single quote; by default quotes are special to xargs unless you use the -0 option\n",
      exit: 123,
    },
  ]);
});

/** A word that data brought is no flag of the command that a builtin runs. */
describe("words of an inner command that data brought", () => {
  const why =
    "‘-c’ came from a variable or a command, and what such a word begins with is never taken for a flag; put -- before it, or ./ in front of it\n";
  const row = { files: { "a.txt": "foo\n", flag: "-c\n" }, differs: "the real tools take it for a flag" };
  lineCases([
    { ...row, name: "xargs", command: "ls a.txt | xargs grep $(cat flag) o", stderr: `xargs: ${why}`, exit: 1 },
    { ...row, name: "find", command: "find a.txt -exec grep $(cat flag) o {} ';'", stderr: `find: ${why}`, exit: 1 },
    {
      ...row,
      name: "fd",
      command: "fd -e txt -x grep $(cat flag) o",
      stderr: `error: ${why}\nFor more information, try '--help'.\n`,
      exit: 2,
    },
  ]);
});
