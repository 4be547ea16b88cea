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
    ["c=rm; $c a", "DISALLOWED_CMD"],
    ["c=$(echo rm); $c a", "passes"],
    ["for c in cat rm; do $c a; done", "passes"],
    ["read c; $c a", "DISALLOWED_CMD"],
    ["c=cat; if ls; then c=rm; fi; $c a", "passes"],
    ["c=cat; ls && c=rm; $c a", "passes"],
    ["$(echo rm) a", "DISALLOWED_CMD"],
    ["`echo rm` a", "DISALLOWED_CMD"],
    ["${c:-rm} a", "DISALLOWED_CMD"],
    ["${c:=rm} a; ls", "passes"],
    ["$((1)) a", "DISALLOWED_CMD"],
    ["x=r; ${x}m a", "DISALLOWED_CMD"],
    ["c=cat; while ls; do $c a; c=rm; done", "passes"],
  ])("%s: %s", (line, expected) => expect(reason(line)).toBe(expected));
});

describe("a line that changes something spells its commands out", () => {
  it.each(["run() { $1; }; run ls; echo x | tee a", "for c in ls cat; do $c | tee a; done"])("%s", (line) =>
    expect(reason(line)).toBe("DISALLOWED_CMD"),
  );
});

describe("every branch is checked", () => {
  it.each([
    "if ls; then rm a; fi",
    "if ls; then ls; else rm a; fi",
    "if rm a; then ls; fi",
    "while rm a; do ls; done",
    "until ls; do rm a; done",
    "for f in a; do rm a; done",
    "for f in $(rm a); do ls; done",
    "for ((i=$(rm a); i<1; i++)); do ls; done",
    "case $(rm a) in a) ls;; esac",
    "case a in $(rm a)) ls;; esac",
    "case a in b) rm a;; esac",
    "[[ -f $(rm a) ]]",
    "[[ a == $(rm a) ]]",
    "(( $(rm a) ))",
    "x=$(rm a)",
    "x=1 ls $(rm a)",
    "x=$(rm a) ls",
    "echo ${x:-$(rm a)}",
    "echo ${x/a/$(rm a)}",
    "echo ${x:$(rm a)}",
    "echo $(($(rm a)))",
    'echo "$(echo "$(rm a)")"',
    "cat <<< $(rm a)",
    "cat <<E\n$(rm a)\nE",
    "ls 2>/dev/null; { ls; ( rm a ); }",
    "export x=$(rm a)",
    "echo $(< $(rm a))",
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
    ["a[$(rm a)]=1", "DISALLOWED_CMD"],
    ["a=([$(rm a)]=x)", "DISALLOWED_CMD"],
    ["echo ${a[$(rm a)]}", "DISALLOWED_CMD"],
    ['declare -A m=(["$(rm a)"]=1)', "DISALLOWED_CMD"],
    ["declare x=$(rm a)", "DISALLOWED_CMD"],
    ["declare -p", "UNSUPPORTED_SYNTAX"],
    ["a=(rm x); ${a[@]}", "passes"],
    ["set -- rm x; $@", "passes"],
    ["x='$(rm a)'; echo $x", "passes"],
    ["x='; rm a'; echo $x", "passes"],
    ["eval ls", "passes"],
    ["eval 'rm a'", "DISALLOWED_CMD"],
    ['x="rm a"; eval "$x"', "DISALLOWED_CMD"],
    ["eval 'ls > a'", "REDIRECT"],
    ["x=ls; declare -n r=x; r=rm; $x", "passes"],
    ["for i in 1 2; do $1 a; set -- rm; done", "passes"],
    ["x=~bob; ls", "UNSUPPORTED_SYNTAX"],
  ])("%s: %s", (line, expected) => expect(reason(line)).toBe(expected));
});
