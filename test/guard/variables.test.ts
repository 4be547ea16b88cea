/** Lines with variables against the guard: what is known is checked as if it had been typed, what is not is left open. */
import { describe, expect, it } from "vitest";
import { planLine } from "../../src/guard/guard.ts";
import { context } from "./stand-ins.ts";

const reason = (line: string): string => {
  const planned = planLine(line, context());
  return planned.kind === "plan" ? "passes" : planned.violations[0].reason;
};

describe("the name of a command was typed", () => {
  it.each([
    ["c=cat; $c a", "passes"],
    ["c='cat -n'; $c a", "passes"],
    ["$unset cat a", "passes"],
    ["c=shred; $c a", "DISALLOWED_CMD"],
    ["c=$(echo shred); $c a", "passes"],
    ["for c in cat shred; do $c a; done", "passes"],
    ["read c; $c a", "DISALLOWED_CMD"],
    ["c=cat; if ls; then c=shred; fi; $c a", "passes"],
    ["c=cat; ls && c=shred; $c a", "passes"],
    ["$(echo shred) a", "DISALLOWED_CMD"],
    ["`echo shred` a", "DISALLOWED_CMD"],
    ["${c:-shred} a", "DISALLOWED_CMD"],
    ["${c:=shred} a; ls", "passes"],
    ["$((1)) a", "DISALLOWED_CMD"],
    ["x=s; ${x}hred a", "DISALLOWED_CMD"],
    ["c=cat; while ls; do $c a; c=shred; done", "passes"],
  ])("%s: %s", (line, expected) => expect(reason(line)).toBe(expected));
});

describe("a line that changes something spells its commands out", () => {
  it.each(["run() { $1; }; run ls; echo x | tee a", "for c in ls cat; do $c | tee a; done"])("%s", (line) =>
    expect(reason(line)).toBe("DISALLOWED_CMD"),
  );
});

describe("every branch is checked", () => {
  it.each([
    "if ls; then shred a; fi",
    "if ls; then ls; else shred a; fi",
    "if shred a; then ls; fi",
    "while shred a; do ls; done",
    "until ls; do shred a; done",
    "for f in a; do shred a; done",
    "for f in $(shred a); do ls; done",
    "for ((i=$(shred a); i<1; i++)); do ls; done",
    "case $(shred a) in a) ls;; esac",
    "case a in $(shred a)) ls;; esac",
    "case a in b) shred a;; esac",
    "[[ -f $(shred a) ]]",
    "[[ a == $(shred a) ]]",
    "(( $(shred a) ))",
    "x=$(shred a)",
    "x=1 ls $(shred a)",
    "x=$(shred a) ls",
    "echo ${x:-$(shred a)}",
    "echo ${x/a/$(shred a)}",
    "echo ${x:$(shred a)}",
    "echo $(($(shred a)))",
    'echo "$(echo "$(shred a)")"',
    "cat <<< $(shred a)",
    "cat <<E\n$(shred a)\nE",
    "ls 2>/dev/null; { ls; ( shred a ); }",
    "export x=$(shred a)",
    "echo $(< $(shred a))",
  ])("%s", (line) => expect(reason(line)).toBe("DISALLOWED_CMD"));
});

describe("paths and flags that are known are checked", () => {
  it.each([
    ["F=../x; cat $F", "PATH_ESCAPE"],
    ["F=/etc; cat $F/passwd", "PATH_ESCAPE"],
    ["cat $HOME/a", "passes"],
    ["cat $HOME/../a", "PATH_ESCAPE"],
    ["cat ../$x", "PATH_ESCAPE"],
    ["O=-f; tail $O a", "DISALLOWED_FLAG"],
    ["O=--nope; cat $O a", "UNKNOWN_FLAG"],
    ["x=$(ls); tail -f $x", "DISALLOWED_FLAG"],
    ['for f in *; do tail -f "$f"; done', "DISALLOWED_FLAG"],
    ["n=$(ls); head -n $n a", "passes"],
    ["n=x; head -n $n a", "BAD_VALUE"],
    ["F=.git/config; ls | tee $F", "PROTECTED_PATH"],
    ["cd .git; F=config; ls | tee $F", "PROTECTED_PATH"],
    ["ls | tee $(echo .git/config)", "passes"],
    ["p='{ system(1) }'; awk $p", "passes"],
    ["p='BEGIN{system(1)}'; awk \"$p\"", "RUNS_A_COMMAND"],
    ["[[ -f /etc/passwd ]]", "PATH_ESCAPE"],
    ["[[ -f a && -e $HOME/b ]]", "passes"],
    ["echo $(< /etc/passwd)", "PATH_ESCAPE"],
    ["echo $(< a)", "passes"],
  ])("%s: %s", (line, expected) => expect(reason(line)).toBe(expected));
});

describe("nothing is read again as text of the shell", () => {
  it.each([
    ["echo ${x@P}", "UNSUPPORTED_SYNTAX"],
    ["echo ${!x}", "passes"],
    ["echo ${a[0]}", "passes"],
    ["a=(x) ls", "UNSUPPORTED_SYNTAX"],
    ["a[$(shred a)]=1", "DISALLOWED_CMD"],
    ["a=([$(shred a)]=x)", "DISALLOWED_CMD"],
    ["echo ${a[$(shred a)]}", "DISALLOWED_CMD"],
    ['declare -A m=(["$(shred a)"]=1)', "DISALLOWED_CMD"],
    ["declare x=$(shred a)", "DISALLOWED_CMD"],
    ["declare -p", "UNSUPPORTED_SYNTAX"],
    ["a=(shred x); ${a[@]}", "passes"],
    ["set -- shred x; $@", "passes"],
    ["x='$(shred a)'; echo $x", "passes"],
    ["x='; shred a'; echo $x", "passes"],
    ["eval ls", "passes"],
    ["eval 'shred a'", "DISALLOWED_CMD"],
    ['x="shred a"; eval "$x"', "DISALLOWED_CMD"],
    ["eval 'ls > a'", "REDIRECT"],
    ["x=ls; declare -n r=x; r=shred; $x", "passes"],
    ["for i in 1 2; do $1 a; set -- shred; done", "passes"],
    ["x=~bob; ls", "UNSUPPORTED_SYNTAX"],
  ])("%s: %s", (line, expected) => expect(reason(line)).toBe(expected));
});
