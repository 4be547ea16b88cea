/** The environment of a line, and commands that run another: rows that bash itself answers the same (npm run test:reference). */
import { describe } from "vitest";
import { lineCases } from "../cases.ts";

const files = { "a.txt": "one\ntwo\nthree\n", "b.txt": "x 1\ny 2\n" };

describe("the environment, and commands in front of a command", () => {
  lineCases([
    { name: "a variable before awk", command: "FOO=1 awk 'BEGIN{print ENVIRON[\"FOO\"]}'", files, stdout: "1\n" },
    {
      name: "a value that looks like a number is one in awk",
      command: "FOO=10 awk 'BEGIN{print (ENVIRON[\"FOO\"] > 9)}'",
      files,
      stdout: "1\n",
    },
    { name: "an exported variable in awk", command: "s=o; export s; awk 'index($0, ENVIRON[\"s\"])' a.txt", files, stdout: "one\ntwo\n" },
    { name: "an exported variable in jq", command: "export FOO=1; jq -n env.FOO; jq -nr '$ENV.FOO'", files, stdout: '"1"\n1\n' },
    {
      name: "a variable that is not exported is in no environment",
      command: "FOO=1; jq -n env.FOO; printenv FOO; echo $?",
      files,
      stdout: "null\n1\n",
    },
    {
      name: "env before awk",
      command: "env FOO=1 BAR='a b' awk 'BEGIN{print ENVIRON[\"FOO\"], ENVIRON[\"BAR\"]}'",
      files,
      stdout: "1 a b\n",
    },
    { name: "env with a value from a variable", command: "x='a b'; env X=\"$x\" printenv X", files, stdout: "a b\n" },
    { name: "env -i", command: 'env -i A=1 B="x y" env', files, stdout: "A=1\nB=x y\n" },
    { name: "env -u", command: "A=1 env -u A printenv A; echo $?", files, stdout: "1\n" },
    { name: "env -u and a new value", command: "env A=1 env -u A A=3 printenv A", files, stdout: "3\n" },
    { name: "env alone", command: "A=1; export A; env | grep ^A=", files, stdout: "A=1\n" },
    { name: "printenv", command: "A=1 printenv A B; echo $?", files, stdout: "1\n1\n" },
    {
      name: "the environment reaches find -exec and xargs",
      command: "export A=1; find a.txt -exec printenv A \\;; echo A | xargs printenv",
      files,
      stdout: "1\n1\n",
    },
    { name: "the environment in a function", command: "f() { printenv X; }; X=5 f; printenv X; echo $?", files, stdout: "5\n1\n" },
    { name: "unset in a subshell", command: "export A=1; (unset A; printenv A; echo $?); printenv A", files, stdout: "1\n1\n" },
    { name: "env TZ", command: "env TZ=Asia/Tokyo date -d @0 +%H", files, stdout: "09\n" },
    {
      name: "env passes functions over",
      command: "cat() { echo mine; }; env A=1 cat b.txt; timeout 3 cat b.txt",
      files,
      stdout: "x 1\ny 2\nx 1\ny 2\n",
    },
    { name: "timeout", command: "timeout 5 echo hi; timeout 5 false; echo $?", files, stdout: "hi\n1\n" },
    { name: "timeout of what waits", command: "timeout 0.1 sleep 5; echo $?", files, stdout: "124\n" },
    { name: "timeout of what writes without an end", command: "timeout 0.1 yes >/dev/null; echo $?", files, stdout: "124\n" },
    { name: "timeout --preserve-status", command: "timeout --preserve-status 0.1 sleep 5; echo $?", files, stdout: "143\n" },
    { name: "timeout -s", command: "timeout -s INT 0.1 sleep 5; echo $?", files, stdout: "124\n" },
    { name: "timeout -k", command: "timeout -k 1 0.1 sleep 5; echo $?", files, stdout: "124\n" },
    { name: "timeout in a pipeline", command: "cat a.txt | timeout 3 grep -c e | cat", files, stdout: "2\n" },
    { name: "timeout with flags from a variable for the command", command: "p=-c; timeout 5 grep $p o a.txt", files, stdout: "2\n" },
    {
      name: "nice, nohup, stdbuf",
      command: "nice -n 5 echo a; nice echo b; nice -5 echo c; nohup echo d; stdbuf -oL echo e; stdbuf -o0 -eL -i0 echo f",
      files,
      stdout: "a\nb\nc\nd\ne\nf\n",
    },
    { name: "several of them", command: "timeout 5 env A=1 nice awk 'BEGIN{print ENVIRON[\"A\"]}'", files, stdout: "1\n" },
    { name: "command in front", command: "command env A=1 printenv A; command -p echo b", files, stdout: "1\nb\n" },
    { name: "values with patterns stay", command: "env A='*' printenv A; env A=* printenv A", files, stdout: "*\n*\n" },
  ]);
});

describe("what stands behind them is a command like any other", () => {
  lineCases([
    { name: "a foreign command", command: "timeout 5 shred x", refused: "DISALLOWED_CMD" },
    { name: "a foreign command behind several", command: "env A=1 nice timeout 5 shred x", refused: "DISALLOWED_CMD" },
    { name: "a writer", command: "echo a | timeout 5 tee .git/config", refused: "PROTECTED_PATH" },
    { name: "a path outside", command: "nice cat /etc/passwd", refused: "PATH_ESCAPE" },
    { name: "a command that only the shell has", command: "env cd src", refused: "UNSUPPORTED_SYNTAX" },
    { name: "a command from data", command: 'timeout 5 "$(cat a)"', refused: "DISALLOWED_CMD" },
    { name: "a locale that is not here", command: "env LC_ALL=de_DE ls", refused: "UNSUPPORTED_SYNTAX" },
    { name: "a value that is split", command: "x='a b'; env A=$x ls", refused: "DISALLOWED_FLAG" },
    { name: "-s KILL, of which bash tells with a number of a process", command: "timeout -s KILL 1 ls", refused: "DISALLOWED_CMD" },
    {
      name: "a flag from data",
      command: 'timeout 5 grep "$(cat p)" a; echo $?',
      files: { a: "-c\n", p: "-c\n" },
      stdout: "2\n",
      stderr:
        "grep: ‘-c’ came from a variable or a command, and what such a word begins with is never taken for a flag; put -- before it, or ./ in front of it\n",
      differs: "data chooses no flag",
    },
  ]);
});
