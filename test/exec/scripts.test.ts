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
  {
    command: `ls *.txt | xargs -I{} sh -c 'printf "%s %s\\n" "$(wc -c < "{}")" "{}"'`,
    stdout: "12 a.txt\n8 b.txt\n",
  },
  { command: `ls *.txt | xargs -I% bash -c 'n=$(grep -c bar %); echo "$n %"'`, stdout: "1 a.txt\n1 b.txt\n" },
  { command: `find . -name 'a*' -exec sh -c 'f={}; echo "\${f##*/} $(wc -l < "$f")"' \\;`, stdout: "a.txt 3\n" },
  { command: `ls *.txt | xargs -I{} sh -c "grep -H foo '{}' || echo 'none in {}'"`, stdout: "a.txt:foo\nnone in b.txt\n" },
  { command: String.raw`ls a.txt | xargs -I{} sh -c 'awk "{print \"{}\", NR}" {} | head -1'`, stdout: "a.txt 1\n" },
  { command: `echo 'a  b*' | xargs -I{} bash -c 'echo "<{}>"'`, stdout: "<a  b*>\n" },
  { command: "bash -euo pipefail -c 'echo ok; false | true; echo no'; echo $?", stdout: "ok\n1\n" },
];

describe("as bash", () => lineCases(LINES.map((row) => ({ name: row.command, files: FILES, ...row }))));

describe("text that is no typed script", () =>
  lineCases([
    { name: "a variable that data set", command: 's=$(cat a.txt); sh -c "$s"', refused: "RUNS_A_COMMAND", files: FILES },
    { name: "an item beside arguments", command: "ls | xargs -I{} sh -c 'wc -l {} $1' _ x", refused: "RUNS_A_COMMAND", files: FILES },
    { name: "an item as a command", command: "ls | xargs -I{} sh -c '{} a'", refused: "DISALLOWED_CMD", files: FILES },
    {
      name: "an item that a shell would read as more than a word",
      command: "echo '$(id)' | xargs -I{} sh -c 'echo {}'",
      stderr:
        "xargs: sh: '$(id)' would be read as text of the shell: write \"$1\" in the script, and give the item behind it (sh -c 'COMMAND \"$1\"' _ {})\n",
      exit: 126,
      differs: "bash runs it",
    },
    {
      name: "a name that a shell would read as more than a word",
      command: "find . -name '*t' -exec sh -c 'echo {}' ';'",
      files: { "a b.txt": "", "c.txt": "" },
      stdout: "./c.txt\n",
      stderr:
        "find: sh: './a b.txt' would be read as text of the shell: write \"$1\" in the script, and give the item behind it (sh -c 'COMMAND \"$1\"' _ {})\n",
      exit: 1,
      differs: "bash reads two words",
    },
    { name: "a file", command: "sh a.txt", refused: "DISALLOWED_FLAG", files: FILES },
    { name: "standard input", command: "echo ls | sh", refused: "DISALLOWED_FLAG" },
    { name: "a script that writes", command: "sh -c 'echo x > a.txt'", refused: "REDIRECT", files: FILES },
    { name: "a script that is no bash", command: "sh -c 'if'", refused: "PARSE" },
  ]));
