/** Commands whose names are values of variables, and text that eval reads: each row is what bash 5.2 printed, or is refused. */
import { describe } from "vitest";
import { lineCases } from "../cases.ts";

const files = { "a.txt": "one\ntwo\n", names: "rm\nls\n" };
const rows = (
  lines: readonly { readonly command: string; readonly stdout?: string; readonly stderr?: string; readonly exit?: number }[],
): void => lineCases(lines.map((row) => ({ name: row.command, files, ...row })));
const refusals = (lines: readonly string[]): void =>
  lineCases(lines.map((command) => ({ name: command, command, files, refused: "DISALLOWED_CMD" as const })));

describe("a typed name behind a variable", () =>
  rows([
    { command: 'run() { "$@"; }; run echo x', stdout: "x\n" },
    { command: 'run() { echo "+ $*"; "$@"; }; run wc -l a.txt', stdout: "+ wc -l a.txt\n2 a.txt\n" },
    { command: 'cmd=(grep -n two); "${cmd[@]}" a.txt', stdout: "2:two\n" },
    { command: "c='sort -r'; $c a.txt", stdout: "two\none\n" },
    { command: "for c in 'echo a' 'printf b'; do $c; done", stdout: "a\nb" },
    {
      command: 'retry() { for i in 1 2; do "$@" && return 0; done; return 1; }; retry grep -q zzz a.txt || echo gave up',
      stdout: "gave up\n",
    },
    { command: 'try() { if "$@"; then echo ok; else echo no; fi; }; try test -f a.txt; try false', stdout: "ok\nno\n" },
    {
      command: 'map() { local f=$1; shift; for x; do "$f" "$x"; done; }; sq() { echo $(($1*$1)); }; map sq 2 3; map basename a/b',
      stdout: "4\n9\nb\n",
    },
    { command: 'declare -A h=([a]="echo A"); ${h[a]} x', stdout: "A x\n" },
    { command: 'run() { "$@"; }; run foo || echo none', stdout: "none\n", stderr: "environment: line 1: foo: command not found\n" },
    { command: "c=; $c; echo $?; false; $c; echo $?", stdout: "0\n0\n" },
    { command: 'run() { "$@" | head -1; }; run cat a.txt', stdout: "one\n" },
    { command: 'run() { "$@" > /dev/null; }; run cat a.txt; echo $?', stdout: "0\n" },
    { command: 'f() { local c=$1; shift; "$c" "$@"; }; f printf "%s-" a b', stdout: "a-b-" },
    { command: 'run() { X=1 "$@"; }; run printenv X', stdout: "1\n" },
  ]));

describe("a name that data chose", () =>
  refusals([
    "c=$(tail -1 names); $c",
    'read -r c < names; "$c" a.txt',
    "mapfile -t c < names; ${c[1]}",
    'for c in $(cat names); do "$c"; done',
    'd=$(printf s); l"$d"',
    "d=$(printf s); x=lz; ${x/z/$d}",
    'd=$(printf s); c="l$d"; $c',
    'f() { "$@"; }; f $(tail -1 names)',
    "while read -r c; do $c; done < names",
    "$(tail -1 names)",
    `sh -c '"$@"' _ ls`,
  ]));

describe("a name that may not stand behind a variable", () =>
  refusals([
    'run() { "$@"; }; run rm a.txt',
    'run() { "$@"; }; echo x | run tee a.txt',
    'run() { "$@"; }; run xargs tee a.txt',
    'run() { "$@"; }; run cd /',
    'run() { "$@"; }; run export A=1',
    'run() { "$@"; }; run eval ls',
    'run() { "$@"; }; run ./a.txt',
    'run() { "$@"; }; run env X=1 rm a.txt',
    "c=cat; ls && c=rm; $c a.txt",
  ]));

describe("eval of literal text", () =>
  rows([
    { command: "eval 'echo hi; echo there' | wc -l", stdout: "2\n" },
    { command: 'eval "x=5"; echo $x', stdout: "5\n" },
    { command: "false; eval ''; echo $?; false; eval; echo $?", stdout: "0\n0\n" },
    { command: "eval echo a b", stdout: "a b\n" },
    { command: "eval -- echo x", stdout: "x\n" },
    { command: "for i in 1 2 3; do eval 'break'; echo no; done; echo $i", stdout: "1\n" },
    { command: "f() { eval 'return 3'; echo no; }; f; echo $?", stdout: "3\n" },
    { command: "shopt -s extglob; eval 'echo !(a*)'", stdout: "names\n" },
    { command: "eval \"eval 'echo deep'\"", stdout: "deep\n" },
    { command: "eval 'cat <<Q\nhi\nQ'", stdout: "hi\n" },
    { command: "eval 'f() { echo in f; }'; f", stdout: "in f\n" },
    { command: "eval 'a=(1 2 3)'; echo ${a[1]}", stdout: "2\n" },
    { command: "eval 'cat nope' 2>/dev/null; echo $?", stdout: "1\n" },
  ]));
