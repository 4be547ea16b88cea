/** Lines of which a part cannot run: each row is what bash 5.2 printed. */
import { describe } from "vitest";
import { type Row, lineCases } from "../cases.ts";

const FILES = { "a.txt": "foo\nbar\nboo\n", "b.txt": "bar\nbaz\n" };

const LINES = [
  { command: "ls; gitx stash", stdout: "a.txt\nb.txt\n", stderr: "bash: line 1: gitx: command not found\n", exit: 127 },
  {
    command: 'cloc . || tokei . || echo "no cloc"',
    stdout: "no cloc\n",
    stderr: "bash: line 1: cloc: command not found\nbash: line 1: tokei: command not found\n",
  },
  { command: "grep '[' a.txt; echo $?; cat b.txt", stdout: "2\nbar\nbaz\n", stderr: "grep: Invalid regular expression\n" },
  {
    command: "head --lins=2 a.txt; wc -l a.txt",
    stdout: "3 a.txt\n",
    stderr: "head: unrecognized option '--lins=2'\nTry 'head --help' for more information.\n",
  },
  { command: 'foo; echo "status $?"', stdout: "status 127\n", stderr: "bash: line 1: foo: command not found\n" },
  { command: 'x=$(foo); echo "[$x]"', stdout: "[]\n", stderr: "bash: line 1: foo: command not found\n" },
  { command: "foo | wc -l; ls", stdout: "0\na.txt\nb.txt\n", stderr: "bash: line 1: foo: command not found\n" },
  { command: "if foo; then echo a; else echo b; fi", stdout: "b\n", stderr: "bash: line 1: foo: command not found\n" },
  { command: "sed 's/x' a.txt; cat b.txt", stdout: "bar\nbaz\n", stderr: "sed: -e expression #1, char 3: unterminated `s' command\n" },
  {
    command: "tr a; echo $?",
    stdout: "1\n",
    stderr: "tr: missing operand after ‘a’\nTwo strings must be given when translating.\nTry 'tr --help' for more information.\n",
  },
  { command: "{ foo; ls; } 2>&1 | head -3", stdout: "bash: line 1: foo: command not found\na.txt\nb.txt\n" },
  { command: "for f in a.txt; do foo $f; cat $f; done", stdout: "foo\nbar\nboo\n", stderr: "bash: line 1: foo: command not found\n" },
  { command: "foo && echo yes; ls b.txt", stdout: "b.txt\n", stderr: "bash: line 1: foo: command not found\n" },
  {
    command: "sort -Q a.txt; ls b.txt",
    stdout: "b.txt\n",
    stderr: "sort: invalid option -- 'Q'\nTry 'sort --help' for more information.\n",
  },
  { command: "find . -foo; ls b.txt", stdout: "b.txt\n", stderr: "find: unknown predicate `-foo'\n" },
  {
    command: "cut a.txt; ls b.txt",
    stdout: "b.txt\n",
    stderr: "cut: you must specify a list of bytes, characters, or fields\nTry 'cut --help' for more information.\n",
  },
  { command: "while foo; do echo never; done; echo end", stdout: "end\n", stderr: "bash: line 1: foo: command not found\n" },
  { command: "! foo; echo $?", stdout: "0\n", stderr: "bash: line 1: foo: command not found\n" },
  { command: "foo 2>/dev/null || cat b.txt", stdout: "bar\nbaz\n" },
  { command: "( foo ); echo $?", stdout: "127\n", stderr: "bash: line 1: foo: command not found\n" },
  {
    command: "./nothing.sh; echo $?; ./d; echo $?; ./a.txt; echo $?; a.txt/x; echo $?; d/no; echo $?",
    files: { ...FILES, "d/e": "" },
    stdout: "127\n126\n126\n126\n127\n",
    stderr:
      "bash: line 1: ./nothing.sh: No such file or directory\nbash: line 1: ./d: Is a directory\nbash: line 1: ./a.txt: Permission denied\nbash: line 1: a.txt/x: Not a directory\nbash: line 1: d/no: No such file or directory\n",
  },
  {
    command: "./build.sh && echo built || echo failed",
    stdout: "failed\n",
    stderr: "bash: line 1: ./build.sh: No such file or directory\n",
  },
  {
    command: "timeout 2 foo; echo $?; env foo; nice ./foo; command foo; ls b.txt",
    stdout: "127\nb.txt\n",
    stderr:
      "timeout: failed to run command ‘foo’: No such file or directory\nenv: ‘foo’: No such file or directory\nnice: ‘./foo’: No such file or directory\nbash: line 1: foo: command not found\n",
  },
  { command: "ls | xargs foo; echo $?", stdout: "127\n", stderr: "xargs: foo: No such file or directory\n" },
  { command: "echo | xargs -r foo; echo $?", stdout: "0\n" },
  { command: "case $(foo) in '') echo empty;; esac", stdout: "empty\n", stderr: "bash: line 1: foo: command not found\n" },
];

describe("as bash", () => lineCases(LINES.map((row) => ({ name: row.command, files: FILES, ...row }))));

/** Refused whole, with the reason. */
const REFUSED: readonly (readonly [string, string, NonNullable<Row["refused"]>])[] = [
  ["no other part", "foo", "DISALLOWED_CMD"],
  ["no other pipeline", "cat a.txt | foo", "DISALLOWED_CMD"],
  ["other parts set the shell up", "set -e; foo", "DISALLOWED_CMD"],
  ["other parts go elsewhere", "cd . && foo", "DISALLOWED_CMD"],
  ["other output is captured", "x=$(ls); foo $x", "DISALLOWED_CMD"],
  ["a line that writes", "ls | tee x; foo", "DISALLOWED_CMD"],
  ["a data-named write", "ls | xargs tee; foo", "DISALLOWED_CMD"],
  ["a command that would have changed files", "shred a.txt; ls", "DISALLOWED_CMD"],
  ["a program outside by its path", "../x.sh; ls", "DISALLOWED_CMD"],
  ["a directory outside", "cd /etc; ls", "PATH_ESCAPE"],
  ["a refused flag that decides", "tail -f a.txt || cat b.txt", "DISALLOWED_FLAG"],
  ["a refused flag within a pipeline", "tail -f a.txt | wc -l; ls", "DISALLOWED_FLAG"],
  ["a refused flag within a substitution", "echo $(tail -f a.txt); ls", "DISALLOWED_FLAG"],
  ["a refused flag within a condition", "if tail -f a.txt; then ls; fi; ls", "DISALLOWED_FLAG"],
  ["a question about a file outside", "[ -f /etc/passwd ] || echo no", "PATH_ESCAPE"],
  ["a file outside that decides", "ls /etc/passwd || echo missing; ls", "PATH_ESCAPE"],
  ["a file outside within a pipeline", "cat /etc/passwd | wc -l; ls", "PATH_ESCAPE"],
  ["the same in [[ ]]", "[[ -f /etc/passwd ]] || echo no", "PATH_ESCAPE"],
  ["a write elsewhere", "ls; cat a.txt > b.txt", "REDIRECT"],
  ["the shell is replaced", "exec ls; echo hi", "DISALLOWED_CMD"],
  ["a script in a file", "source a.txt; echo hi", "DISALLOWED_CMD"],
  ["text that is no literal", 'x=ls; eval "$x y"; ls', "DISALLOWED_CMD"],
  ["a limit of the shell", "ulimit -n; ls", "DISALLOWED_CMD"],
];

describe("whole lines", () => lineCases(REFUSED.map(([name, command, refused]) => ({ name, command, refused, files: FILES }))));
