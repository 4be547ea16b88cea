/** Functions: rows that bash itself answers the same (npm run test:reference). */
import { describe, expect, test } from "vitest";
import { MOST_CALLS } from "../../src/exec/shell-state.ts";
import { lineCases, runOurs } from "../cases.ts";
import { tree } from "../tree.ts";

describe("definitions and calls", () => {
  lineCases([
    { name: "a group", command: "f() { echo hi; }; f; f", stdout: "hi\nhi\n" },
    { name: "function f", command: "function f { echo a; }; function g() { echo b; }\nf; g", stdout: "a\nb\n" },
    {
      name: "any compound command",
      command: "f() if true; then echo y; fi; g() for i in 1 2; do echo $i; done; f; g",
      stdout: "y\n1\n2\n",
    },
    { name: "a subshell", command: "f() ( x=1; echo $x ); f; echo [$x]", stdout: "1\n[]\n" },
    { name: "names with other characters", command: "my-f() { echo a; }; my.f() { echo b; }; my-f; my.f", stdout: "a\nb\n" },
    { name: "a here-document in a body", command: "f() { cat <<X\nhi\nX\n}; f; f", stdout: "hi\nhi\n" },
    { name: "redirections are made at each call", command: "f() { echo a; echo b >&2; } 2>/dev/null; f; f", stdout: "a\na\n" },
    { name: "the call's own redirections", command: "f() { echo a; echo b >&2; }; f 2>&1 | sort -r", stdout: "b\na\n" },
    { name: "in a pipeline", command: "f() { tr a-z A-Z; }; echo hi | f | cat", stdout: "HI\n" },
    { name: "in $( )", command: "f() { echo a; return 3; }; x=$(f); echo $x $?", stdout: "a 3\n" },
    { name: "as a condition", command: "f() { return 4; }; if f; then echo y; else echo n $?; fi; f || echo o", stdout: "n 4\no\n" },
    { name: "the later definition counts", command: "f() { echo 1; }; f; f() { echo 2; }; f", stdout: "1\n2\n" },
    { name: "a definition in a function", command: "f() { g() { echo inner; }; }; f; g", stdout: "inner\n" },
    {
      name: "a definition in a subshell",
      command: "(g() { echo a; }; g); g",
      stdout: "a\n",
      stderr: "bash: line 1: g: command not found\n",
      exit: 127,
    },
    {
      name: "a call before the definition",
      command: "g; g() { echo a; }; g",
      stdout: "a\n",
      stderr: "bash: line 1: g: command not found\n",
    },
    {
      name: "a definition in a branch that is not taken",
      command: "if false; then g() { echo g; }; fi; g; echo $?",
      stdout: "127\n",
      stderr: "bash: line 1: g: command not found\n",
    },
    { name: "a definition in a pipeline", command: "f() { echo x; } | cat; f 2>/dev/null; echo $?", stdout: "127\n" },
    { name: "unset -f", command: "f() { unset -f f; echo once; }; f; f 2>/dev/null; echo $?", stdout: "once\n127\n" },
    { name: "unset: a variable first", command: "f() { echo f; }; f=1; unset f; f; unset f; f 2>/dev/null; echo $?", stdout: "f\n127\n" },
    { name: "type -t, command -v", command: "f() { :; }; type -t f; command -v f; type -t cd", stdout: "function\nf\nbuiltin\n" },
    { name: "cd in a function", command: "c() { cd src; }; c; ls", tree: ["src/a:"], stdout: "a\n" },
  ]);
});

describe("functions named as builtins", () => {
  lineCases([
    { name: "the function wins", command: "ls() { echo mine; }; ls -l; unset -f ls; ls", files: { a: "" }, stdout: "mine\na\n" },
    { name: "command", command: "cat() { echo mine; }; command cat a; cat a", files: { a: "x\n" }, stdout: "x\nmine\n" },
    { name: "command -p", command: "cat() { echo mine; }; command -p cat a", files: { a: "x\n" }, stdout: "x\n" },
    { name: "builtin", command: "echo() { printf 'E\\n'; }; echo; builtin echo real", stdout: "E\nreal\n" },
    {
      name: "builtin of what is none",
      command: "builtin ls; echo $?",
      stdout: "1\n",
      stderr: "bash: line 1: builtin: ls: not a shell builtin\n",
    },
    { name: "cd with more to it", command: "cd() { builtin cd src && echo moved; }; cd; ls", tree: ["src/a:"], stdout: "moved\na\n" },
    { name: "flags that the builtin does not have", command: "ls() { echo mine; }; ls --no-such-flag", stdout: "mine\n" },
    { name: "a branch decides", command: "if false; then cat() { :; }; fi; cat a", files: { a: "x\n" }, stdout: "x\n" },
    {
      name: "what no builtin is, only a function is",
      command: "curl() { echo got; }; curl --silent",
      stdout: "got\n",
    },
    { name: "a foreign command in a body", command: "f() { shred x; }; f", refused: "DISALLOWED_CMD" },
    { name: "a foreign command in a body that is not called", command: "f() { shred x; }", refused: "DISALLOWED_CMD" },
    { name: "a path outside in a body", command: "f() { cat /etc/passwd; }; f", refused: "PATH_ESCAPE" },
    { name: "an alias, which bash itself would not expand", command: "alias ll='ls -l'; ll", refused: "DISALLOWED_CMD" },
    { name: "a name that the shell reads itself", command: "export() { echo a; }", refused: "UNSUPPORTED_SYNTAX" },
  ]);
});

describe("writers", () => {
  lineCases([
    { name: "a function that writes", command: "cat() { tee .git/config; }; cat x", refused: "PROTECTED_PATH" },
    { name: "a function that hides a writer", command: "tee() { command tee out; }; echo a | tee >/dev/null", after: { out: "a\n" } },
    {
      name: "a writer that may be a function",
      command: "if true; then tee() { cat; }; fi; echo a | tee .git/config",
      refused: "PROTECTED_PATH",
    },
    { name: "a writer that is a function", command: "tee() { cat; }; echo a | tee f", stdout: "a\n", after: { f: null } },
    { name: "a writer after unset -f", command: "tee() { cat; }; unset -f tee; echo a | tee .git/config", refused: "PROTECTED_PATH" },
    {
      name: "a place that a function has moved to",
      command: "c() { cd .git; }; mkf() { echo a | tee config; }; c; mkf",
      tree: [".git/"],
      refused: "PROTECTED_PATH",
    },
  ]);
});

describe("variables", () => {
  lineCases([
    { name: "local", command: 'f() { local x; echo "[${x-unset}]"; x=2; }; x=1; f; echo $x', stdout: "[unset]\n1\n" },
    { name: "local with a value", command: "f() { local x=5 y=$x; echo $x $y; }; x=1; f; echo $x", stdout: "5 1\n1\n" },
    { name: "callees see it", command: 'f() { local x=1; g; echo $x; }; g() { echo $x; x=2; }; f; echo "[$x]"', stdout: "1\n2\n[]\n" },
    { name: "local keeps no status", command: "f() { local x=$(false); echo $?; }; f", stdout: "0\n" },
    {
      name: "local outside",
      command: "local x=1; echo $?",
      stdout: "1\n",
      stderr: "bash: line 1: local: can only be used in a function\n",
    },
    { name: "variables before a call", command: 'f() { echo "$X"; X=3; }; X=2 f; echo "[$X]"', stdout: "2\n[]\n" },
    { name: "local of what was set for the call", command: 'f() { local x; echo "[$x]"; }; x=1; x=2 f; echo $x', stdout: "[2]\n1\n" },
    { name: "export: values first", command: "a=0; export a=1 b=$a; echo $a $b", stdout: "1 0\n" },
  ]);
});

describe("return and the like", () => {
  lineCases([
    { name: "return", command: "f() { echo a; return 3; echo b; }; f; echo $?", stdout: "a\n3\n" },
    {
      name: "return of the status before",
      command: "f() { false; return; }; f; echo $?; g() { return; }; false; g; echo $?",
      stdout: "1\n1\n",
    },
    { name: "from loops and groups", command: "f() { while :; do { return 2; }; done; }; f; echo $?", stdout: "2\n" },
    { name: "in a subshell of the function", command: "f() { (return 3); echo $?; echo a | return 4; echo $?; }; f", stdout: "3\n4\n" },
    { name: "negated", command: "f() { ! return 3; echo a; }; f; echo $?", stdout: "3\n" },
    { name: "of a large number", command: "f() { return 257; }; f; echo $?; g() { return -1; }; g; echo $?", stdout: "1\n255\n" },
    {
      name: "of no number",
      command: "f() { return x; echo a; }; f; echo $?",
      stdout: "2\n",
      stderr: "environment: line 1: return: x: numeric argument required\n",
    },
    {
      name: "outside",
      command: "return 3; echo $?",
      stdout: "2\n",
      stderr: "bash: line 1: return: can only `return' from a function or sourced script\n",
    },
    { name: "exit in a function", command: "f() { exit 3; }; (f); echo $?; f; echo no", stdout: "3\n", exit: 3 },
    {
      name: "loops end at the function",
      command: "f() { break; }; for i in 1 2; do f; echo $i; done",
      stdout: "1\n2\n",
      stderr:
        "environment: line 1: break: only meaningful in a `for', `while', or `until' loop\n" +
        "environment: line 1: break: only meaningful in a `for', `while', or `until' loop\n",
    },
    { name: "set -e in a function", command: "set -e; f() { false; echo no; }; f; echo no", exit: 1 },
    { name: "set -e where the call is tested", command: "set -e; f() { false; echo yes; }; f || echo no; echo end", stdout: "yes\nend\n" },
    {
      name: "an expansion that fails in a function",
      command: "f() { echo $((1/0)); echo b; }; f; echo no\necho yes",
      stdout: "yes\n",
      stderr: 'environment: line 1: 1/0: division by 0 (error token is "0")\n',
    },
  ]);
});

describe("recursion", () => {
  const ends = async (command: string): Promise<void> => {
    const place = tree([]);
    try {
      await expect(runOurs({ command }, place.path)).rejects.toThrow(`${MOST_CALLS}`);
    } finally {
      place.remove();
    }
  };
  test("without an end", () => ends("f() { f; }; f"));
  test("two by two", () => ends("f() { f | f; }; f"));
  test("of two functions", () => ends("f() { g; }; g() { f; }; f"));
  test("through $( ), subshells, loops and conditions", () => ends('f() { for i in 1; do if [ "$(f)" ]; then ( f ); fi; done; }; f'));
  lineCases([
    {
      name: `${MOST_CALLS - 1} deep`,
      command: `f() { n=$((n+1)); [ $n -ge ${MOST_CALLS - 1} ] || { for i in 1; do case a in a) if true; then f; fi;; esac; done; }; }; f; echo $n`,
      stdout: `${MOST_CALLS - 1}\n`,
    },
    {
      name: "deep through pipelines",
      command: "n=0; f() { n=$((n+1)); if [ $n -lt 199 ]; then f | cat; else echo end; fi; }; f",
      stdout: "end\n",
    },
    {
      name: "deep, and closed by its reader",
      command: "n=0; f() { n=$((n+1)); if [ $n -lt 199 ]; then { { ( f ) } } ; else yes; fi; }; f | head -n 1",
      stdout: "y\n",
    },
    {
      name: "deep through command substitutions",
      command: "n=0; f() { n=$((n+1)); if [ $n -lt 190 ]; then echo $(f); else echo end; fi; }; f",
      stdout: "end\n",
    },
  ]);
});
