/** du against GNU coreutils 9.1: every expectation was printed by it. What a file system allocates is its own affair, so most rows count apparent sizes or files. */
import { describe } from "vitest";
import { du } from "../../../builtins/du/du.ts";
import { cases, type Row, lineCases } from "../../cases.ts";
import { messages } from "../messages.ts";

type Place = Pick<Row, "files" | "tree" | "modes" | "mtimes">;

const T: Place = {
  files: {
    "a/f":
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "a/b/g": "yyyyyyyyyyyyyyyyyyyy",
    "a/b/c/h": "",
    x: "12345",
  },
  tree: ["l => a/b", "dang => nope"],
};
const N: Place = {
  files: { "t/sub/f": "1", "t/g": "2" },
  mtimes: { "t/sub/f": "2031-01-02T03:04:05Z", "t/g": "2001-01-01T00:00:00Z", "t/sub": "2002-01-01T00:00:00Z", t: "2003-01-01T00:00:00Z" },
};

const OLD = "1960-01-01T00:00:00Z";

cases(du, [
  {
    name: "-c without a file is as old as the epoch",
    command: "du --time -c nope",
    stdout: "0\t1970-01-01 00:00\ttotal\n",
    stderr: "du: cannot access 'nope': No such file or directory\n",
    exit: 1,
  },
  {
    name: "the directories around the first file are as new as the epoch at least",
    command: "du --time --inodes old",
    tree: ["old/", "old/a/", "old/a/b/", "old/a/b/f:"],
    mtimes: { "old/a/b/f": OLD, "old/a/b": OLD, "old/a": OLD, old: OLD },
    stdout: "2\t1970-01-01 00:00\told/a/b\n3\t1970-01-01 00:00\told/a\n4\t1970-01-01 00:00\told\n",
  },
  {
    name: "-L: an operand in which there is nothing loses its slash",
    command: "du -L --inodes e/ d/",
    tree: ["e/", "d/", "d/f:"],
    stdout: "1\te\n2\td/\n",
  },
  {
    name: "-L --exclude: what is left out is not told of",
    command: "du -L --inodes --exclude='l*' d",
    tree: ["d/", "d/loop => loop"],
    stdout: "1\td\n",
  },
  { name: "directories, innermost first", command: "du --inodes a", ...T, stdout: "2\ta/b/c\n4\ta/b\n6\ta\n" },
  { name: "-a", command: "du --inodes -a a/b", ...T, stdout: "1\ta/b/c/h\n2\ta/b/c\n1\ta/b/g\n4\ta/b\n" },
  { name: "-s", command: "du --inodes -s a x", ...T, stdout: "6\ta\n1\tx\n" },
  { name: "no operand is the current directory", command: "du --inodes | tail -1", ...T, stdout: "10\t.\n" },
  { name: "-c", command: "du --inodes -sc a x", ...T, stdout: "6\ta\n1\tx\n7\ttotal\n" },
  {
    name: "-d",
    command: "du --inodes -d 1 a; du --inodes -d0 a; du --inodes -ad 1 a | sort",
    ...T,
    stdout: "4\ta/b\n6\ta\n6\ta\n1\ta/f\n4\ta/b\n6\ta\n",
  },
  {
    name: "-S",
    command: "du --inodes -S a; du --inodes -Sac a/b",
    ...T,
    stdout: "2\ta/b/c\n2\ta/b\n2\ta\n1\ta/b/c/h\n2\ta/b/c\n1\ta/b/g\n2\ta/b\n4\ttotal\n",
  },
  {
    name: "a file that was counted counts no more",
    command: "du --inodes -s a a/b; du --inodes a/b a",
    ...T,
    stdout: "6\ta\n2\ta/b/c\n4\ta/b\n2\ta\n",
  },
  { name: "unless -l", command: "du --inodes -sl a a/b", ...T, stdout: "6\ta\n4\ta/b\n" },
  { name: "a link is a file", command: "du --inodes l", ...T, stdout: "1\tl\n" },
  { name: "-D", command: "du --inodes -D l; du --inodes -H l", ...T, stdout: "2\tl/c\n4\tl\n2\tl/c\n4\tl\n" },
  { name: "-P after -D", command: "du --inodes -DP l; du --inodes -PD l", ...T, stdout: "1\tl\n2\tl/c\n4\tl\n" },
  {
    name: "-L",
    command: "du --inodes -sL l; du --inodes -L dang; du --inodes -D dang",
    ...T,
    stdout: "4\tl\n",
    stderr: "du: cannot access 'dang'\ndu: cannot access 'dang'\n",
    exit: 1,
  },
  { name: "a slash follows", command: "du --inodes -s l/", ...T, stdout: "4\tl/\n" },
  { name: "-b of files", command: "du -b a/f x a/b/c/h", ...T, stdout: "1500\ta/f\n5\tx\n0\ta/b/c/h\n" },
  {
    name: "-h and --si of apparent sizes",
    command: "du -h --apparent-size a/f x; du --si --apparent-size a/f x; du -bh a/f",
    ...T,
    stdout: "1.5K\ta/f\n5\tx\n1.5k\ta/f\n5\tx\n1.5K\ta/f\n",
  },
  {
    name: "-B",
    command: "du -B1K --apparent-size a/f; du -BK --apparent-size a/f; du -b -BkB a/f; du --apparent-size --block-size=100 a/f",
    ...T,
    stdout: "2\ta/f\n2K\ta/f\n2kB\ta/f\n15\ta/f\n",
  },
  {
    name: "the last of the units counts",
    command: "du -bk a/f; du -kb a/f; du -bm a/f; du -hb a/f",
    ...T,
    stdout: "2\ta/f\n1500\ta/f\n1\ta/f\n1500\ta/f\n",
  },
  { name: "rounded up", command: "du -k --apparent-size x a/b/c/h; du -m --apparent-size a/f", ...T, stdout: "1\tx\n0\ta/b/c/h\n1\ta/f\n" },
  {
    name: "--inodes pays no heed to sizes",
    command: "du --inodes -b x; du --inodes -h x",
    ...T,
    stdout: "1\tx\n1\tx\n",
    stderr: "du: warning: options --apparent-size and -b are ineffective with --inodes\n",
  },
  { name: "-0", command: "du --inodes -0 a/b | tr '\\0' '|'", ...T, stdout: "2\ta/b/c|4\ta/b|" },
  {
    name: "--exclude",
    command: "du --inodes -a --exclude='[gh]' a/b; du --inodes --exclude=b a; du --inodes --exclude='a/b/*' a; du --inodes --exclude=a a",
    ...T,
    stdout: "1\ta/b/c\n2\ta/b\n2\ta\n1\ta/b\n3\ta\n",
  },
  {
    name: "--exclude takes any part of the path from a slash on",
    command: "du --inodes -s --exclude=b/c a; du --inodes -s --exclude='*/c' a; du --inodes -s --exclude='/c' a",
    ...T,
    stdout: "4\ta\n4\ta\n6\ta\n",
  },
  {
    name: "-X",
    command: "du --inodes -X pats -a a/b",
    ...T,
    files: {
      "a/f":
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      "a/b/g": "yyyyyyyyyyyyyyyyyyyy",
      "a/b/c/h": "",
      x: "12345",
      pats: "g  \n\n \nc\n",
    },
    stdout: "1\ta/b\n",
  },
  {
    name: "-X that is not there",
    command: "du -X nope a",
    ...T,
    stderr: "du: nope: No such file or directory\nTry 'du --help' for more information.\n",
    exit: 1,
  },
  {
    name: "--threshold",
    command: "du --inodes -t 4 a; du --inodes -t -2 a; du --inodes -t 1 -t 1K a",
    ...T,
    stdout: "4\ta/b\n6\ta\n2\ta/b/c\n",
  },
  { name: "--threshold holds for operands, not for the total", command: "du --inodes -sc -t 3 x a/b/c", ...T, stdout: "3\ttotal\n" },
  {
    name: "--files0-from",
    command: "printf 'x\\0a\\0' | du -s --inodes --files0-from=-; du -s --inodes --files0-from=list",
    ...T,
    files: {
      "a/f":
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      "a/b/g": "yyyyyyyyyyyyyyyyyyyy",
      "a/b/c/h": "",
      x: "12345",
      list: "x\0a/b",
    },
    stdout: "1\tx\n6\ta\n1\tx\n4\ta/b\n",
  },
  {
    name: "--files0-from: bad names",
    command: "printf 'x\\0\\0-\\0' | du -b --files0-from=-; printf '' | du --files0-from=-; du --files0-from=nope; du --files0-from=a",
    ...T,
    stdout: "5\tx\n",
    stderr:
      "du: -:2: invalid zero-length file name\ndu: when reading file names from stdin, no file name of '-' allowed\ndu: cannot open 'nope' for reading: No such file or directory\ndu: a: read error: Is a directory\n",
    exit: 1,
  },
  {
    name: "what is not there",
    command: "du nope; du -sb nope x ''; du -sc nope",
    ...T,
    stdout: "5\tx\n0\ttotal\n",
    stderr:
      "du: cannot access 'nope': No such file or directory\ndu: cannot access 'nope': No such file or directory\ndu: invalid zero-length file name\ndu: cannot access 'nope': No such file or directory\n",
    exit: 1,
  },
  {
    name: "--time",
    command: "du --inodes --time t; du --inodes --time -S t; du --inodes --time -a t/sub",
    ...N,
    stdout:
      "2\t2031-01-02 03:04\tt/sub\n4\t2031-01-02 03:04\tt\n2\t2031-01-02 03:04\tt/sub\n2\t2003-01-01 00:00\tt\n1\t2031-01-02 03:04\tt/sub/f\n2\t2031-01-02 03:04\tt/sub\n",
  },
  {
    name: "--time-style",
    command:
      "du --inodes -s --time --time-style=full-iso t; du --inodes -s --time --time-style=iso t; du --inodes -s --time --time-style=+%Y t; du --inodes -s --time --time-style=lo t",
    ...N,
    stdout: "4\t2031-01-02 03:04:05.000000000 +0000\tt\n4\t2031-01-02\tt\n4\t2031\tt\n4\t2031-01-02 03:04\tt\n",
  },
  { name: "a time style is looked at only where times are shown", command: "du --inodes -s --time-style=x t", ...N, stdout: "4\tt\n" },
  {
    name: "-s and -d 0",
    command: "du --inodes -s -d 0 a",
    ...T,
    stdout: "6\ta\n",
    stderr: "du: warning: summarizing is the same as using --max-depth=0\n",
  },
  { name: "-x", command: "du --inodes -sx a", ...T, stdout: "6\ta\n" },
  { name: "-s and -a", command: "du -sa a", ...T, refused: "BAD_VALUE" },
  { name: "-s and a depth", command: "du -s -d 1 a", ...T, refused: "BAD_VALUE" },
  { name: "a bad unit", command: "du -B x a", ...T, refused: "BAD_VALUE" },
  { name: "a bad depth", command: "du -d x a", ...T, refused: "BAD_VALUE" },
  {
    name: "links out of the workspace are not followed",
    command: "du --inodes -L d; du --inodes -s d",
    tree: ["d/out => /etc"],
    stdout: "1\td\n2\td\n",
    stderr: "du: cannot access 'd/out': Symbolic link leaves the workspace\n",
    differs: "the real tool follows them",
  },
  {
    name: "our records are not counted",
    command: "echo 1 | tee f | wc -l; du --inodes",
    stdout: "1\n2\t.\n",
    differs: "there are none elsewhere",
  },
]);

cases(du, [
  {
    name: "a pattern for nothing leaves out what ends in a slash",
    command: "du --apparent-size -B 1 --exclude= a/b/ x; du -B 1 --exclude='[z]' --exclude= a/",
    ...T,
    stdout: "5\tx\n",
  },
  {
    name: "numbers in C's notation",
    command: "du --apparent-size -B 010 x; du --apparent-size -B 0x2 x; du -bt 0x6 x",
    ...T,
    stdout: "1\tx\n3\tx\n",
  },
]);

messages(du, [
  [["-d", "08"], "du: invalid maximum depth ‘08’\nTry 'du --help' for more information.\n"],
  [["-B", "08"], "du: invalid -B argument '08'\n"],
  [["-B", "0x"], "du: invalid -B argument '0x'\n"],
  [["-B", "1x"], "du: invalid suffix in -B argument '1x'\n"],
  [["-t", "08"], "du: invalid suffix in -t argument '08'\n"],
  [["-t", "x", "-d", "k"], "du: invalid -t argument 'x'\n"],
]);

describe("what random lines have found", () => {
  lineCases([
    { name: "one slash at the end is kept", command: "du --inodes d//", tree: ["d/e/"], stdout: "1\td/e\n2\td/\n" },
    { name: "--inodes: the B of a block size", command: "du -B KiB --inodes d", tree: ["d/"], stdout: "1B\td\n" },
    { name: "what is excluded is not complained of", command: "du --exclude='*' f/", files: { f: "" }, stdout: "" },
  ]);
});
