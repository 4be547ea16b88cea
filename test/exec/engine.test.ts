/** Lists, pipelines, groups and redirections: rows that bash itself answers the same (npm run test:reference). */
import { describe } from "vitest";
import { lineCases } from "../cases.ts";

describe("lists", () => {
  lineCases([
    { name: "; runs both", command: "echo a; echo b", stdout: "a\nb\n" },
    { name: "&& stops at a failure", command: "false && echo no; echo yes", stdout: "yes\n" },
    { name: "|| runs after a failure", command: "false || echo yes", stdout: "yes\n" },
    { name: "&& and || associate to the left", command: "false && echo a || echo b && echo c", stdout: "b\nc\n" },
    { name: "a skipped item keeps the status", command: "false && true; false || false && echo no", exit: 1 },
    { name: "the last status counts", command: "true; false", exit: 1 },
    { name: "! negates", command: "! false && echo yes", stdout: "yes\n" },
    { name: "newlines separate", command: "echo a\necho b", stdout: "a\nb\n" },
    { name: "comments end a line", command: "echo a # echo b\necho c", stdout: "a\nc\n" },
  ]);
});

describe("pipelines", () => {
  lineCases([
    { name: "the last stage's status counts", command: "false | true" },
    { name: "a closed reader stops an endless producer", command: "yes | head -n 2", stdout: "y\ny\n" },
    {
      name: "a reader that ends early leaves the writer to run",
      command: "printf x | tee f | true",
      after: { f: "x" },
      differs: "in bash tee may be ended by SIGPIPE before it has written; here what tee was given is written whole",
    },
    {
      name: "a producer that nobody reads still says what is wrong",
      command: "cat nope | true",
      stderr: "cat: nope: No such file or directory\n",
    },
    { name: "|& carries standard error", command: "cat nope |& wc -l", stdout: "1\n" },
    { name: "bytes pass unchanged", command: "printf '\\377\\000\\n' | cat", stdout: "\udcff\u0000\n" },
    { name: "standard input reaches the first stage", command: "cat | tr a-z A-Z", stdin: "abc", stdout: "ABC" },
  ]);
});

describe("groups", () => {
  lineCases([
    { name: "braces join output", command: "{ echo a; echo b; } | wc -l", stdout: "2\n" },
    { name: "a subshell keeps its directory to itself", command: "(cd d && ls); ls", tree: ["d/f:"], stdout: "f\nd\n" },
    { name: "braces move the directory", command: "{ cd d; }; ls", tree: ["d/f:"], stdout: "f\n" },
    { name: "braces in a pipeline do not", command: "{ cd d; echo x; } | cat; ls", tree: ["d/f:"], stdout: "x\nd\n" },
    { name: "the status of a group is its last", command: "(echo a; false) || echo b", stdout: "a\nb\n" },
    { name: "commands of a group share standard input", command: "{ cat; cat; }", stdin: "once\n", stdout: "once\n" },
  ]);
});

describe("redirections that name no file", () => {
  lineCases([
    { name: "2>/dev/null", command: "cat nope 2>/dev/null", exit: 1 },
    {
      name: "2>&1 in order",
      command: "cat a nope a 2>&1",
      files: { a: "x\n" },
      stdout: "x\ncat: nope: No such file or directory\nx\n",
      exit: 1,
    },
    { name: ">/dev/null 2>&1", command: "cat a nope >/dev/null 2>&1", files: { a: "x\n" }, exit: 1 },
    { name: "2>&1 >/dev/null keeps the errors", command: "cat a nope 2>&1 >/dev/null | wc -l", files: { a: "x\n" }, stdout: "1\n" },
    { name: "&>/dev/null", command: "cat a nope &>/dev/null", files: { a: "x\n" }, exit: 1 },
    { name: ">&2", command: "echo oops >&2", stderr: "oops\n" },
    { name: "on a group", command: "{ echo a; cat nope; } 2>/dev/null", stdout: "a\n", exit: 1 },
    { name: "a group's errors into its output", command: "{ cat nope; echo a; } 2>&1 | wc -l", stdout: "2\n" },
    { name: "</dev/null", command: "cat </dev/null", stdin: "x" },
    { name: "here-document", command: "cat <<'EOF' | tr a b\na $x\nEOF", stdout: "b $x\n" },
    { name: "here-string", command: "cat <<< 'a  b'", stdout: "a  b\n" },
  ]);
});

describe("words", () => {
  lineCases([
    { name: "globs in byte order", command: "echo *", tree: ["b:", "a:", "B:", ".h:"], stdout: "B a b\n" },
    { name: "a glob without a match stays", command: "echo *.none", stdout: "*.none\n" },
    { name: "quoted globs stay", command: "echo '*' \"*\" \\*", tree: ["a:"], stdout: "* * *\n" },
    { name: "braces", command: "echo a{1,2}b{3..5}", stdout: "a1b3 a1b4 a1b5 a2b3 a2b4 a2b5\n" },
    {
      name: "a file named like a flag is a file",
      command: "cat *",
      files: { "-n": "x\n" },
      stdout: "x\n",
      differs: "bash hands `-n` to cat as a flag; here what a glob finds is always an operand",
    },
    { name: "a file named like a flag, with a directory before it", command: "cat ./*", files: { "-n": "x\n" }, stdout: "x\n" },
  ]);
});

describe("cd", () => {
  lineCases([
    { name: "moves what follows", command: "cd d && ls && cd .. && ls", tree: ["d/f:"], stdout: "f\nd\n" },
    { name: "fails as bash does", command: "cd nope", stderr: "bash: line 1: cd: nope: No such file or directory\n", exit: 1 },
    { name: "cd - goes back", command: "cd d; cd - >/dev/null; ls", tree: ["d/f:"], stdout: "d\n" },
    { name: "into a pipeline is refused", command: "cd d | ls", refused: "NAV_IN_PIPE" },
  ]);
});

describe("help", () => {
  lineCases([
    { name: "a misspelt command runs nothing", command: "echo a | tee f; grpe x f", refused: "DISALLOWED_CMD", after: { f: null } },
    { name: "a redirection to a file", command: "echo a > f", refused: "REDIRECT", after: { f: null } },
  ]);
});
