/** cd through the guard and the engine. */
import { cd } from "../../../builtins/shell/cd.ts";
import { cases } from "../../cases.ts";

cases(cd, [
  { name: "-P and an empty name", command: "cd -P ''", stderr: "bash: line 1: cd: : No such file or directory\n", exit: 1 },
  {
    name: "into a directory and back up",
    command: 'cd a/b && pwd | grep -o "[^/]*$"; cd .. && pwd | grep -o "[^/]*$"; cat f',
    files: { "a/f": "in a\n" },
    tree: ["a/b/"],
    stdout: "b\na\nin a\n",
  },
  { name: ".. is logical", command: "cd link && cd .. && ls", tree: ["a/b/", "link => a/b", "top/"], stdout: "a\nlink\ntop\n" },
  {
    name: "-P is physical",
    command: 'cd link && cd -P .. && ls; cd -P ../link && pwd | grep -o "[^/]*$"',
    tree: ["a/b/", "link => a/b"],
    stdout: "b\nb\n",
  },
  { name: "cd - prints where it went", command: 'cd a && cd b && cd - | grep -o "[^/]*$"', tree: ["a/b/"], refused: "NAV_IN_PIPE" },
  { name: "cd - goes back", command: 'cd a && cd b && cd - >/dev/null && pwd | grep -o "[^/]*$"', tree: ["a/b/"], stdout: "a\n" },
  { name: "a directory that is missing", command: "cd nope", stderr: "bash: line 1: cd: nope: No such file or directory\n", exit: 1 },
  {
    name: "a file",
    command: "cd f; cd f/x",
    files: { f: "" },
    stderr: "bash: line 1: cd: f: Not a directory\nbash: line 1: cd: f/x: Not a directory\n",
    exit: 1,
  },
  { name: "too many", command: "cd a b", tree: ["a/", "b/"], stderr: "bash: line 1: cd: too many arguments\n", exit: 1 },
  { name: "an empty name stays", command: 'cd a && cd "" && pwd | grep -o "[^/]*$"', tree: ["a/"], stdout: "a\n" },
  { name: "the line is named", command: "true\n\ncd nope", stderr: "bash: line 3: cd: nope: No such file or directory\n", exit: 1 },
  {
    name: "through what is missing",
    command: 'cd nope/../a && pwd | grep -o "[^/]*$"',
    tree: ["a/"],
    stderr: "bash: line 1: cd: nope/../a: No such file or directory\n",
    exit: 1,
  },
  { name: "-- and -L", command: 'cd -L -- a && pwd | grep -o "[^/]*$"', tree: ["a/"], stdout: "a\n" },
  { name: "in a subshell it moves nothing outside", command: '(cd a && pwd | grep -o "[^/]*$"); ls', tree: ["a/b/"], stdout: "a\na\n" },
  { name: ". and slashes", command: 'cd ./a//b/. && pwd | grep -o "[^/]*$"', tree: ["a/b/"], stdout: "b\n" },
  {
    name: "a loop of links",
    command: "cd loop",
    tree: ["loop => loop"],
    stderr: "bash: line 1: cd: loop: Too many levels of symbolic links\n",
    exit: 1,
  },
  { name: "the root is as far as it goes", command: "cd .. && ls", refused: "PATH_ESCAPE" },
  { name: "outside", command: "cd /etc", refused: "PATH_ESCAPE" },
  { name: "an unknown flag", command: "cd -x", refused: "UNKNOWN_FLAG" },
]);
