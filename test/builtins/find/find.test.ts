import { describe } from "vitest";
import { find } from "../../../builtins/find/find.ts";
import { cases, lineCases } from "../../cases.ts";
import { messages } from "../messages.ts";

const FILES = { "a/one.ts": "1\n", "a/two.js": "22\n", "a/b/three.ts": "", "c/four": "x".repeat(2000) };
/** A path that has one entry in each directory, so that the order is the same on every file system. */
const LINE = { "p/q/r/s": "1234567890" };

cases(find, [
  {
    name: "-execdir + with an empty starting point",
    command: "find '' a -maxdepth 0 -execdir echo {} +",
    files: { a: "" },
    stdout: "./a\n",
    stderr: "find: ‘’: No such file or directory\n",
    exit: 1,
    differs: "the real find never runs what it gathered last",
  },
  {
    name: "-regextype awk: a digit behind a backslash is one",
    command: "find . -regextype awk -regex './(a)\\1'",
    files: { a1: "", aa: "" },
    stdout: "./a1\n",
  },
  {
    name: "-regextype: what a repetition behind an assertion is",
    command: "find . -regextype gnu-awk -regex './b\\b*'; find . -regex './b\\b*'; find . -regextype awk -regex './b\\b*' | sort",
    files: { b: "", bb: "", "b*": "" },
    stdout: "./b*\n./b*\n./b\n./bb\n",
  },
  {
    name: "-regex: a range that ends before it begins is empty",
    command: "find . -regex './[b-ac]'",
    files: { a: "", c: "" },
    stdout: "./c\n",
  },
  { name: "everything below the current directory", command: "find | sort", files: { x: "", "y/z": "" }, stdout: ".\n./x\n./y\n./y/z\n" },
  {
    name: "names are joined to the starting point as typed",
    command: "find p/q/ p//q -maxdepth 1",
    files: LINE,
    stdout: "p/q/\np/q/r\np//q\np//q/r\n",
  },
  {
    name: "a missing starting point is named, the others searched",
    command: "find nope p/q/r",
    files: LINE,
    stdout: "p/q/r\np/q/r/s\n",
    stderr: "find: ‘nope’: No such file or directory\n",
    exit: 1,
  },
  {
    name: "-name matches the last component, dots and all",
    command: "find . -name '*.ts' | sort",
    files: { ...FILES, "a/.x.ts": "" },
    stdout: "./a/.x.ts\n./a/b/three.ts\n./a/one.ts\n",
  },
  { name: "-name ignores slashes after the starting point", command: "find p/ -name p", files: LINE, stdout: "p/\n" },
  { name: "-iname", command: "find . -iname 'ONE*'", files: FILES, stdout: "./a/one.ts\n" },
  {
    name: "-path matches the whole, slashes too",
    command: "find . -path './a/*.ts' | sort",
    files: FILES,
    stdout: "./a/b/three.ts\n./a/one.ts\n",
  },
  {
    name: "-regex is in emacs syntax and matches the whole path",
    command: "find . -regex '.*/\\(one\\|two\\)\\..s' | sort",
    files: FILES,
    stdout: "./a/one.ts\n./a/two.js\n",
  },
  {
    name: "-regex: emacs has no classes, parentheses are text",
    command: "find . -regex '.*(one).*' -o -regex './a/[[:alpha:]]ne.ts'",
    files: FILES,
  },
  {
    name: "-regextype holds for what follows",
    command: "find . -regextype posix-extended -regex '.*/(one|two)[.](ts|js)' | sort",
    files: FILES,
    stdout: "./a/one.ts\n./a/two.js\n",
  },
  {
    name: "-regextype awk: a backslash in a bracket",
    command: "find . -regextype awk -regex './[\\]x]'",
    files: { "]": "" },
    stdout: "./]\n",
  },
  {
    name: "-type f and d",
    command: "find . -type d | sort; find p -type f",
    files: { ...LINE },
    stdout: ".\n./p\n./p/q\n./p/q/r\np/q/r/s\n",
  },
  { name: "-type takes a list", command: "find l p -type f,l", files: LINE, tree: ["l => p"], stdout: "l\np/q/r/s\n" },
  {
    name: "-not, ! and parentheses",
    command: "find p ! -type d -o \\( -name q -a -not -name x \\)",
    files: LINE,
    stdout: "p/q\np/q/r/s\n",
  },
  {
    name: "-o binds less than -a: -print belongs to the right side",
    command: "find . -name a -o -name c -print",
    files: FILES,
    stdout: "./c\n",
  },
  { name: "the comma evaluates both", command: "find p -maxdepth 0 -printf '1 ' , -printf '2\\n'", files: LINE, stdout: "1 2\n" },
  { name: "-prune", command: "find . -name a -prune -o -type f -print", files: FILES, stdout: "./c/four\n" },
  {
    name: "-depth: contents first, and -prune has no effect",
    command: "find p -depth -name q -prune -o -print",
    files: LINE,
    stdout: "p/q/r/s\np/q/r\np\n",
  },
  { name: "-maxdepth and -mindepth", command: "find p -mindepth 1 -maxdepth 2", files: LINE, stdout: "p/q\np/q/r\n" },
  { name: "-quit ends the search", command: "find p -print -name q -quit", files: LINE, stdout: "p\np/q\n" },
  {
    name: "-size rounds up to its unit",
    command: "find . -type f -size 4; find . -type f -size -2k -size +0 | sort; find . -size 2000c",
    files: FILES,
    stdout: "./c/four\n./a/one.ts\n./a/two.js\n./c/four\n",
  },
  { name: "-empty: files and directories", command: "find . -empty | sort", files: FILES, tree: ["e/"], stdout: "./a/b/three.ts\n./e\n" },
  {
    name: "-mtime, -mmin",
    command: "find a -mtime +3 -type f; find a -mmin -5 -type f | sort",
    files: { "a/old": "", "a/new": "" },
    mtimes: { "a/old": "2020-01-01T00:00:00Z" },
    stdout: "a/old\na/new\n",
  },
  {
    name: "-newer and -newermt",
    command: "find a -newer a/old -type f; find a ! -newermt '2020-01-02 00:00' -type f",
    files: { "a/old": "", "a/new": "" },
    mtimes: { "a/old": "2020-01-01T00:00:00Z" },
    stdout: "a/new\na/old\n",
  },
  {
    name: "-newermt that is no date",
    command: "find . -newermt foo",
    stderr: "find: I cannot figure out how to interpret ‘foo’ as a date or time\n",
    exit: 1,
  },
  { name: "-perm +600, which was once /600", command: "find . -perm +600", refused: "BAD_VALUE" },
  {
    name: "-perm ++600 and a clause with +600 are modes",
    command: "find f -perm u+r,+600; find f -perm ++600",
    files: { f: "" },
    modes: { f: 0o600 },
    stdout: "f\nf\n",
  },
  {
    name: "-perm: exactly, all, any, symbolic",
    command: "find f -perm 640; find f -perm -u+r,g+r; find f -perm /o+r; find f -perm u=rw,g=r",
    files: { f: "" },
    modes: { f: 0o640 },
    stdout: "f\nf\nf\n",
  },
  { name: "-samefile and -links", command: "find p -samefile p/q/r/s -links 1", files: LINE, stdout: "p/q/r/s\n" },
  {
    name: "a missing reference file ends the run",
    command: "find . -newer nope",
    stderr: "find: ‘nope’: No such file or directory\n",
    exit: 1,
  },
  {
    name: "-lname and -xtype look at links",
    command: "find l m -lname 'p*'; find l m -xtype l; find -L l -maxdepth 0 -type d",
    files: LINE,
    tree: ["l => p", "m => gone"],
    stdout: "l\nm\nl\n",
  },
  { name: "-H follows starting points alone", command: "find -H l", tree: ["d/", "d/m => ../d", "l => d"], stdout: "l\nl/m\n" },
  { name: "-print0", command: "find p -maxdepth 1 -print0", files: LINE, stdout: "p\0p/q\0" },
  { name: "-printf: names", command: "find p -name s -printf '%p|%f|%h|%H|%P|%d\\n'", files: LINE, stdout: "p/q/r/s|s|p/q/r|p|q/r/s|3\n" },
  {
    name: "-printf: status",
    command: "find f -printf '%s %m %#m %M %y %n|%TY-%Tm-%Td %TT %T@ %t %T+\\n'",
    files: { f: "abc" },
    modes: { f: 0o640 },
    mtimes: { f: "2020-02-03T04:05:06Z" },
    stdout:
      "3 640 0640 -rw-r----- f 1|2020-02-03 04:05:06.0000000000 1580702706.0000000000 Mon Feb  3 04:05:06.0000000000 2020 2020-02-03+04:05:06.0000000000\n",
  },
  {
    name: "-printf: widths and escapes",
    command: "find f -printf '[%5s][%-5s][%05d][%.1f]\\t\\101\\\\%%\\n\\cX'",
    files: { f: "abc" },
    stdout: "[    3][3    ][00000][f]\tA\\%\n",
  },
  {
    name: "-printf warns of what it does not know and prints it",
    command: "find f -printf '%q\\q\\n'",
    files: { f: "" },
    stdout: "%q\\q\n",
    stderr: "find: warning: unrecognized format directive `%q'\nfind: warning: unrecognized escape `\\q'\n",
  },
  {
    name: "-printf '%l %Y': where links go",
    command: "find l m -printf '%p %l %y %Y\\n'",
    files: LINE,
    tree: ["l => p", "m => gone"],
    stdout: "l p l d\nm gone l N\n",
  },
  {
    name: "-exec for each file, with the name anywhere in a word",
    command: "find p/q/r -type f -exec echo '<{}>' {} \\;",
    files: LINE,
    stdout: "<p/q/r/s> p/q/r/s\n",
  },
  { name: "-exec is a test", command: "find . -type f -exec grep -q 22 {} \\; -print", files: FILES, stdout: "./a/two.js\n" },
  {
    name: "-exec … + is one command for all",
    command: "find a/b p -type f -exec echo {} +",
    files: { ...FILES, ...LINE },
    stdout: "a/b/three.ts p/q/r/s\n",
  },
  {
    name: "-exec … + that fails makes find fail",
    command: "find p -maxdepth 0 -exec grep -q x nope {} +",
    files: LINE,
    stderr: "grep: nope: No such file or directory\ngrep: p: Is a directory\n",
    exit: 1,
  },
  { name: "-execdir: the name is relative", command: "find p -name s -execdir wc -c {} \\;", files: LINE, stdout: "10 ./s\n" },
  {
    name: "what is printed and what a stage prints keep their order",
    command: "find p -maxdepth 1 -print -exec echo {} \\; -printf '%f\\n'",
    files: LINE,
    stdout: "p\np\np\np/q\np/q\nq\n",
  },
  { name: "warnings are off, as without a terminal", command: "find p -name q -maxdepth 1", files: LINE, stdout: "p/q\n" },
  {
    name: "-warn: a global option after a test",
    command: "find p -warn -name q -maxdepth 1",
    files: LINE,
    stdout: "p/q\n",
    stderr:
      "find: warning: you have specified the global option -maxdepth after the argument -name, but global options are not positional, i.e., -maxdepth affects tests specified before it as well as those specified after it.  Please specify global options before other arguments.\n",
  },
  {
    name: "-files0-from",
    command: "printf 'p/q/r/s\\0nope\\0' | find -files0-from -",
    files: LINE,
    stdout: "p/q/r/s\n",
    stderr: "find: ‘nope’: No such file or directory\n",
    exit: 1,
  },
  { name: "head ends it", command: "find p | head -n 1", files: LINE, stdout: "p\n" },
]);

describe("find refuses", () => {
  lineCases([
    { name: "an unknown predicate", command: "find . -nam x", refused: "UNKNOWN_FLAG" },
    { name: "a word after the expression", command: "find . -name a b", refused: "BAD_VALUE" },
    { name: "an open parenthesis", command: "find . '(' -name a", refused: "BAD_VALUE" },
    { name: "-fprint", command: "find . -fprint out", refused: "DISALLOWED_FLAG" },
    { name: "-exec of what is no builtin", command: "find . -exec chmod +x {} \\;", refused: "RUNS_A_COMMAND" },
    { name: "-exec sh -c", command: "find . -exec sh -c 'echo {} $1' \\;", refused: "RUNS_A_COMMAND" },
    { name: "-exec of a name found", command: "find . -exec {} \\;", refused: "RUNS_A_COMMAND" },
    { name: "-exec with a bad flag", command: "find . -exec wc --wrods {} +", refused: "RUNS_A_COMMAND" },
    { name: "-exec inside -exec", command: "find . -exec find {} -exec rm {} \\;", refused: "RUNS_A_COMMAND" },
    {
      name: "what data brings is no action",
      command: "echo '-exec tee b ;' | xargs find a",
      files: { a: "" },
      stderr:
        "find: ‘-exec’ came from a variable or a command, and what such a word begins with is never taken for a flag; put -- before it, or ./ in front of it\n",
      exit: 123,
      after: { b: null },
      differs: "data never decides what is done",
    },
    { name: "numbers that data brings are numbers", command: "find a -mtime $(echo -1)", files: { a: "" }, stdout: "a\n" },
    { name: "a path outside in -exec", command: "find . -exec grep -f /etc/passwd {} +", refused: "PATH_ESCAPE" },
    { name: "a starting point outside", command: "find /etc", refused: "PATH_ESCAPE" },
    { name: "a reference file outside", command: "find . -newer /etc/passwd", refused: "PATH_ESCAPE" },
  ]);
});

describe("what random lines have found", () => {
  lineCases([
    { name: "-daystart is no operand of !", command: "find . ! -daystart -name a | sort", files: { a: "", b: "" }, stdout: ".\n./b\n" },
    {
      name: "-perm /000 warns unasked and passes all",
      command: "find f -perm /o-r",
      files: { f: "" },
      stdout: "f\n",
      stderr:
        "find: warning: you have specified a mode pattern /o-r (which is equivalent to /000). The meaning of -perm /000 has now been changed to be consistent with -perm -000; that is, while it used to match no files, it now matches all files.\n",
    },
    {
      name: "-perm / without a bit for this file passes",
      command: "find f d -perm /a+X",
      files: { f: "" },
      tree: ["d/"],
      modes: { f: 0o644 },
      stdout: "f\nd\n",
    },
    {
      name: "-L: a link through a file is complained of, and a link",
      command: "find -L d -type l",
      tree: ["d/f:", "d/l => f/"],
      stdout: "d/l\n",
      stderr: "find: ‘d/l’: Not a directory\n",
      exit: 1,
    },
    { name: "-execdir +: the starting point by itself", command: "find d -execdir echo {} +", files: { "d/f": "" }, stdout: "./d\n./f\n" },
    { name: "-execdir keeps a slash at the end", command: "find d// -maxdepth 0 -execdir echo {} \\;", tree: ["d/"], stdout: "./d/\n" },
    {
      name: "an empty starting point: nothing is done at the end",
      command: "find '' d -exec echo {} +",
      tree: ["d/"],
      stderr: "find: ‘’: No such file or directory\n",
      exit: 1,
    },
    {
      name: "-used: days from the change",
      command: "find a -used +1 ! -used -1",
      files: { a: "" },
      mtimes: { a: "2090-01-01T00:00:00Z" },
      stdout: "a\n",
    },
    {
      name: "-printf: flags before % go with it",
      command: "find f -printf '%-%f|%#.2S|%12S\\n'",
      files: { f: "" },
      stdout: "%-f|1.0|           1\n",
    },
    { name: "-printf: no time of birth", command: "find f -printf '%Bk|%B@\\n'", files: { f: "" }, stdout: "|-1.-000000010\n" },
    {
      name: "-regex: a dot is no newline in Emacs' syntax alone",
      command: "find . -name '*b' -regex '.*' -o -name '*b' -regextype sed -regex '.*' -printf 'sed\\n'",
      files: { "a\nb": "" },
      stdout: "sed\n",
    },
    { name: "-name: as bytes where not as text", command: "find é -name '??'", files: { é: "" }, stdout: "é\n" },
    {
      name: "a starting point that is missing is no race",
      command: "find nope -ignore_readdir_race",
      stderr: "find: ‘nope’: No such file or directory\n",
      exit: 1,
    },
    {
      name: "-path with a slash at the end warns, but for a starting point of that name",
      command: "find d/ -path 'd/' -o -path 'x/'",
      tree: ["d/"],
      stdout: "d/\n",
      stderr: "find: warning: -path x/ will not match anything because it ends with /.\n",
    },
    {
      name: "-group: a suffix",
      command: "find . -group 1x",
      stderr:
        "find: ‘1x’ is not the name of an existing group and it does not look like a numeric group ID because it has the unexpected suffix ‘x’\n",
      exit: 1,
    },
  ]);
});

messages(find, [
  [[".", "-not", ")", "-true"], "find: expected an expression between '-not' and ')'\n"],
  [
    [".", "-regextype", "posix-extended", "-regex", "a\\b*"],
    "find: failed to compile regular expression 'a\\b*': Invalid preceding regular expression\n",
  ],
  [
    [".", "-regextype", "posix-basic", "-regex", "a\\b\\{2\\}"],
    "find: failed to compile regular expression 'a\\b\\{2\\}': Invalid preceding regular expression\n",
  ],
  [
    [".", "-warn", "(", "-true", ")", "-maxdepth", "1", "-nope"],
    "find: warning: you have specified the global option -maxdepth after the argument (, but global options are not positional, i.e., -maxdepth affects tests specified before it as well as those specified after it.  Please specify global options before other arguments.\nfind: unknown predicate `-nope'\n",
  ],
  [
    ["a", "-printf", "\\q", "-files0-from", "b"],
    "find: warning: unrecognized escape `\\q'\nfind: extra operand ‘a’\nfind: file operands cannot be combined with -files0-from\n",
  ],
]);
