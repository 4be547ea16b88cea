/** `trap` and `time`: rows that bash itself answers the same (npm run test:reference). */
import { describe } from "vitest";
import { lineCases } from "../cases.ts";

describe("traps and times", () => {
  lineCases([
    { name: "exit status in the trap", command: "trap 'echo bye $?' EXIT; exit 3", stdout: "bye 3\n", exit: 3 },
    {
      name: "subshells have traps of their own",
      command: "trap 'echo bye' EXIT; (trap 'echo sub' EXIT; echo in); echo out",
      stdout: "in\nsub\nout\nbye\n",
    },
    {
      name: "subshells do not run that of the shell",
      command: "trap 'echo bye' EXIT; (echo in); x=$(echo c); echo $x | cat",
      stdout: "in\nc\nbye\n",
    },
    { name: "exit in the trap", command: "trap 'exit 5' EXIT; exit 3", exit: 5 },
    { name: "exit alone in the trap", command: "trap 'echo a; exit' EXIT; exit 4", stdout: "a\n", exit: 4 },
    { name: "the trap is taken back", command: "trap 'echo a' EXIT; trap - EXIT; echo b", stdout: "b\n" },
    { name: "a failing trap keeps the status", command: "trap 'false' EXIT; exit 0" },
    { name: "0 is EXIT", command: "trap 'echo 1' 0; echo x", stdout: "x\n1\n" },
    { name: "a word as the text", command: "trap foo EXIT; foo() { echo foo; }", stdout: "foo\n" },
    { name: "set in a function", command: "f() { trap 'echo t' EXIT; }; f; echo x", stdout: "x\nt\n" },
    { name: "variables at the end", command: "trap 'echo t $x' EXIT; x=1; x=2", stdout: "t 2\n" },
    {
      name: "an expansion that ends the line",
      command: "trap 'echo t' EXIT; echo ${y?gone}; echo no",
      stdout: "t\n",
      stderr: "bash: line 1: y: gone\n",
      exit: 127,
    },
    { name: "exit in a pipeline", command: "trap 'echo bye' EXIT; { echo a; exit 2; } | cat; echo c", stdout: "a\nc\nbye\n" },
    { name: "a trap in a trap", command: "trap 'trap \"echo two\" EXIT; echo one' EXIT; echo x", stdout: "x\none\n" },
    { name: "a stage of a pipeline", command: "trap 'echo bye' EXIT | cat", stdout: "bye\n" },
    { name: "in a command substitution", command: "x=$(trap 'echo bye' EXIT; echo a); echo \"[$x]\"", stdout: "[a\nbye]\n" },
    {
      name: "errors of the trap",
      command: "trap 'cd nope; echo b' EXIT; \necho x",
      stdout: "x\nb\n",
      stderr: "bash: line 1: cd: nope: No such file or directory\n",
    },
    { name: "signals that never come", command: "trap '' INT; trap 'echo x' TERM HUP 2; trap - INT; echo ok", stdout: "ok\n" },
    { name: "EXIT and signals", command: "trap 'echo end' EXIT INT TERM; echo ok", stdout: "ok\nend\n" },
    { name: "several lines", command: "trap 'echo one\necho two' EXIT\necho x", stdout: "x\none\ntwo\n" },
    {
      name: "ERR",
      command: "trap 'echo err $?' ERR; false; echo b; f() { false; }; f; (false); false || true; ! true; if false; then :; fi; echo $?",
      stdout: "err 1\nb\nerr 1\nerr 1\n0\n",
    },
    { name: "ERR and set -e", command: "trap 'echo err' ERR; set -e; false; echo no", stdout: "err\n", exit: 1 },
    { name: "ERR keeps the status", command: "trap 'echo e; false' ERR; false; echo $?", stdout: "e\n1\n" },
    {
      name: "ERR of pipelines, assignments and conditions",
      command: "trap 'echo e' ERR; true | false; x=$(false); [[ a == b ]]; ((0)); echo end",
      stdout: "e\ne\ne\ne\nend\n",
    },
    { name: "ERR that exits", command: "trap 'echo e; exit 7' ERR; echo a; false; echo no", stdout: "a\ne\n", exit: 7 },
    { name: "set -e and EXIT", command: "set -e; trap 'echo bye $?' EXIT; false; echo no", stdout: "bye 1\n", exit: 1 },
    { name: "EXIT of a subshell with redirections", command: "( trap 'echo oops >&2' EXIT; echo a ) 2>/dev/null", stdout: "a\n" },
    { name: "time counts the lines", command: "{ time true; } 2>&1 | wc -l", stdout: "4\n" },
    {
      name: "time of a pipeline",
      command: "{ time echo a | cat; } 2>&1 | sed 's/[0-9]/N/g'",
      stdout: "a\n\nreal\tNmN.NNNs\nuser\tNmN.NNNs\nsys\tNmN.NNNs\n",
    },
    { name: "time -p", command: "{ time -p echo; } 2>&1 | sed 's/[0-9]/N/g'", stdout: "\nreal N.NN\nuser N.NN\nsys N.NN\n" },
    { name: "time keeps the status", command: "{ time (exit 3); } 2>/dev/null; echo $?", stdout: "3\n" },
    { name: "time and !", command: "{ time ! true; } 2>/dev/null; echo $?; { ! time true; } 2>/dev/null; echo $?", stdout: "1\n1\n" },
    { name: "time in a loop, and of a group", command: "for i in 1 2; do time { echo $i; }; done 2>&1 | grep -c real", stdout: "2\n" },
    { name: "TIMEFORMAT", command: "TIMEFORMAT='%0R %0lU %% x'; time true", stderr: "0 0m0s % x\n" },
    { name: "TIMEFORMAT that is empty", command: "TIMEFORMAT=; time echo a", stdout: "a\n" },
    {
      name: "time of a function, with its errors elsewhere",
      command: "f() { echo out; echo err >&2; }; { time f 2>/dev/null; } 2>&1 | head -n 1",
      stdout: "out\n",
    },
    { name: "time sleep", command: "{ time sleep 0.2; } 2>&1 | grep -o 'real.0m0.2'", stdout: "real\t0m0.2\n" },
  ]);
});

describe("the text of a trap is checked with the line", () => {
  lineCases([
    { name: "a foreign command", command: "trap 'shred x' EXIT", refused: "DISALLOWED_CMD" },
    { name: "a protected file", command: "trap 'echo a | tee .git/config' EXIT; echo x", refused: "PROTECTED_PATH" },
    { name: "a path outside", command: "trap 'cat /etc/passwd' INT", refused: "PATH_ESCAPE" },
    {
      name: "a place that the line moves to",
      command: "trap 'echo a | tee config' EXIT; cd .git",
      tree: [".git/"],
      refused: "PROTECTED_PATH",
    },
    { name: "text that is not literal", command: 'x=ls; trap "$x" EXIT', refused: "UNSUPPORTED_SYNTAX" },
    { name: "text from data", command: 'trap "$(cat a)" EXIT', refused: "UNSUPPORTED_SYNTAX" },
    { name: "text with backslashes", command: 'trap "echo \\"a\\"" EXIT', refused: "UNSUPPORTED_SYNTAX" },
    { name: "text that does not parse", command: "trap 'if' EXIT", refused: "PARSE" },
    { name: "DEBUG", command: "trap 'echo a' DEBUG", refused: "UNSUPPORTED_SYNTAX" },
    { name: "trap alone", command: "trap", refused: "UNSUPPORTED_SYNTAX" },
    { name: "a writer in a trap", command: "trap 'echo a | tee f >/dev/null' EXIT; echo b", stdout: "b\n", after: { f: "a\n" } },
    { name: "time is read as a word elsewhere", command: "time time ls", refused: "UNSUPPORTED_SYNTAX" },
  ]);
});
