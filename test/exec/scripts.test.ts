/** Scripts that a shell in the line runs: each row is what bash 5.2 printed. */
import { describe } from "vitest";
import { lineCases } from "../cases.ts";

const FILES = { "a.txt": "foo\nbar\nboo\n", "b.txt": "bar\nbaz\n" };

const LINES = [
  { command: "bash -c 'echo hi'", stdout: "hi\n" },
  { command: "bash -c 'echo \"$0 $1 $#\"' name a b", stdout: "name a 2\n" },
  { command: "x=1; bash -c 'echo \"[$x]\"'", stdout: "[]\n" },
  { command: "x=1; export x; bash -c 'echo \"[$x]\"'", stdout: "[1]\n" },
  { command: "x=1 bash -c 'echo \"[$x]\"'", stdout: "[1]\n" },
  { command: "find . -name '*.txt' -exec bash -c 'echo \"$(wc -l < \"$1\") $1\"' _ {} \\; | sort", stdout: "2 ./b.txt\n3 ./a.txt\n" },
  { command: "ls *.txt | xargs -I{} bash -c 'head -1 \"$1\" | tr a-z A-Z' _ {}", stdout: "FOO\nBAR\n" },
  { command: "printf 'a b\\nc\\n' | xargs bash -c 'for i in \"$@\"; do echo \"<$i>\"; done' _", stdout: "<a>\n<b>\n<c>\n" },
  { command: "bash -c 'exit 3'; echo $?", stdout: "3\n" },
  { command: "bash -c 'false; echo $?; foo; echo $?'", stdout: "1\n127\n", stderr: "bash: line 1: foo: command not found\n" },
  { command: "echo in | bash -c 'cat; echo out'", stdout: "in\nout\n" },
  { command: "bash -ec 'false; echo no'; echo $?", stdout: "1\n" },
  { command: "bash -c 'a=(1 2 3); echo ${a[@]}; f() { echo f$1; }; f x'", stdout: "1 2 3\nfx\n" },
  { command: "bash -c \"echo 'q' \\$HOME\" | head -c 1", stdout: "q" },
  { command: "timeout 5 bash -c 'echo t'", stdout: "t\n" },
  { command: "bash -c 'bash -c \"echo nested \\$1\" _ y' ", stdout: "nested y\n" },
  { command: "bash -c 'echo err >&2' 2>&1", stdout: "err\n" },
  { command: "bash -c 'cat nope'; echo $?", stdout: "1\n", stderr: "cat: nope: No such file or directory\n" },
  { command: "bash -c 'trap \"echo bye\" EXIT; echo hi'", stdout: "hi\nbye\n" },
  { command: "bash -c 'set -- a b; shift; echo $1'", stdout: "b\n" },
  { command: "if bash -c 'test -f a.txt'; then echo yes; fi", stdout: "yes\n" },
  { command: "bash -c 'while read -r l; do echo \"$l\"; done' < a.txt", stdout: "foo\nbar\nboo\n" },
  { command: "bash -c 'echo $((1+2))' | cat", stdout: "3\n" },
  { command: "seq 3 | xargs -n1 bash -c 'echo $(($1*2))' _", stdout: "2\n4\n6\n" },
  { command: "bash -lc 'ls a.txt'", stdout: "a.txt\n" },
  { command: "bash -euo pipefail -c 'echo ok; false | true; echo no'; echo $?", stdout: "ok\n1\n" },
];

describe("as bash", () => lineCases(LINES.map((row) => ({ name: row.command, files: FILES, ...row }))));

describe("text that is no typed script", () =>
  lineCases([
    { name: "a variable that data set", command: 's=$(cat a.txt); sh -c "$s"', refused: "RUNS_A_COMMAND", files: FILES },
    { name: "an item of xargs", command: "ls | xargs -I{} sh -c 'wc -l {}'", refused: "RUNS_A_COMMAND", files: FILES },
    { name: "a name of find", command: "find . -exec sh -c 'wc -l {}' ';'", refused: "RUNS_A_COMMAND", files: FILES },
    { name: "a file", command: "sh a.txt", refused: "DISALLOWED_FLAG", files: FILES },
    { name: "standard input", command: "echo ls | sh", refused: "DISALLOWED_FLAG" },
    { name: "a script that writes", command: "sh -c 'echo x > a.txt'", refused: "REDIRECT", files: FILES },
    { name: "a script that is no bash", command: "sh -c 'if'", refused: "PARSE" },
  ]));
