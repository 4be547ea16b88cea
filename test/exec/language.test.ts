/** Variables, expansions, loops, conditions: rows that bash itself answers the same (npm run test:reference). */
import { describe, expect, test } from "vitest";
import { lineCases, runOurs } from "../cases.ts";
import { tree } from "../tree.ts";

describe("variables", () => {
  lineCases([
    { name: "a value is used in the same line", command: "F=a.txt; head -n 1 $F", files: { "a.txt": "x\ny\n" }, stdout: "x\n" },
    { name: "typed text may hold flags", command: 'O="-n 1"; head $O a', files: { a: "x\ny\n" }, stdout: "x\n" },
    { name: "a name typed in the line may be a command", command: "G='grep -c'; $G x a", files: { a: "x\n" }, stdout: "1\n" },
    { name: "an unset variable is nothing", command: 'echo a$nope "b$nope"', stdout: "a b\n" },
    { name: "unquoted it is split", command: "x='a  b'; printf '<%s>' $x \"$x\"", stdout: "<a><b><a  b>" },
    {
      name: "unquoted it is matched against files",
      command: "x='*.c'; echo $x \"$x\"",
      files: { "a.c": "", "b.c": "" },
      stdout: "a.c b.c *.c\n",
    },
    { name: "$? is the status before", command: "false; echo $?; echo $?", stdout: "1\n0\n" },
    { name: "an assignment has the status of its $( )", command: "x=$(false) || echo no", stdout: "no\n" },
    { name: "before a command it is for that command alone", command: "x=1; x=2 true; echo $x", stdout: "1\n" },
    { name: "TZ before a command is honoured", command: "TZ=Asia/Tokyo printf '%(%H)T\\n' 0", stdout: "09\n" },
    { name: "TZ that is exported is honoured", command: "export TZ=Asia/Tokyo; printf '%(%H)T\\n' 0", stdout: "09\n" },
    { name: "a stage of a pipeline has its own", command: "x=1; x=2 | cat; echo $x", stdout: "1\n" },
    { name: "a subshell has its own", command: "x=1; (x=2; echo $x); echo $x", stdout: "2\n1\n" },
    { name: "$PWD follows cd", command: 'cd d; [ "$PWD" = "$(pwd)" ] && echo "${PWD##*/}"', tree: ["d/"], stdout: "d\n" },
    { name: "cd in $( ) moves nothing", command: "x=$(cd d && ls); echo $x; ls", tree: ["d/f:"], stdout: "f\nd\n" },
    { name: "an unquoted here-document expands", command: "x=1; cat <<E\na $x $((x+1)) $(echo b) \\$x\nE", stdout: "a 1 2 b $x\n" },
    { name: "a here-string expands", command: "x='a b'; cat <<< \"<$x>\"", stdout: "<a b>\n" },
    { name: "$(< FILE) is its text", command: 'x=$(< a); echo "$x"', files: { a: "x\ny\n\n" }, stdout: "x\ny\n" },
    {
      name: "$(< FILE) of a missing file",
      command: "x=$(< nope); echo $?",
      stdout: "1\n",
      stderr: "bash: line 1: nope: No such file or directory\n",
    },
    {
      name: "NUL bytes are dropped with bash's warning",
      command: 'x=$(printf "a\\0b"); echo "$x"',
      stdout: "ab\n",
      stderr: "bash: line 1: warning: command substitution: ignored null byte in input\n",
    },
    { name: "${x:?m} ends the line", command: "echo ${x:?gone}; echo no", stderr: "bash: line 1: x: gone\n", exit: 127 },
    {
      name: "an expansion that fails ends its line of text",
      command: "echo $((1/0)); echo no\necho yes",
      stdout: "yes\n",
      stderr: 'bash: line 1: 1/0: division by 0 (error token is "0")\n',
    },
    {
      name: "a part asked for by what is no number",
      command: "x=abc; echo ${x:1+}",
      stderr: 'bash: line 1: x: 1+: syntax error: operand expected (error token is "+")\n',
      exit: 1,
    },
    { name: "case by an empty value", command: 'p=ab; echo ${p^^$x} ${p^^"$x"} ${p^^""}', stdout: "AB ab ab\n" },
    { name: "set -u", command: "set -u; echo $nope; echo no", stderr: "bash: line 1: nope: unbound variable\n", exit: 127 },
    { name: "set -e", command: "set -e; false || true; echo a; false; echo no", stdout: "a\n", exit: 1 },
    { name: "set -o pipefail", command: "set -o pipefail; false | true || echo no", stdout: "no\n" },
    {
      name: "set -e is off in a command substitution",
      command: 'set -e; echo "[$(false; echo a)]"; x=$(false; echo b); echo $x; (false; echo no); echo no',
      stdout: "[a]\nb\n",
      exit: 1,
    },
    {
      name: "pipefail and a reader that leaves: what the pipe holds is written",
      command:
        "set -o pipefail; printf '1\\n2\\n' | head -n 1; echo $?; echo a | true; echo $?; (echo b; false) | head -c 1; echo $?; seq 12000 | head -n 1; echo $?",
      stdout: "1\n0\n0\nb1\n1\n0\n",
    },
    {
      name: "pipefail and a reader that leaves: no more than that",
      command: "set -o pipefail; yes | head -n 1; echo $?; seq 20000 | head -n 1; echo $?; seq 20000 | head -n 15000 | tail -n 1; echo $?",
      stdout: "y\n141\n1\n141\n15000\n0\n",
    },
    { name: "printf -v", command: 'printf -v x "%03d" 7; echo $x', stdout: "007\n" },
    { name: "test -v", command: "[ -v x ] || echo no; x=; [ -v x ] && echo yes", stdout: "no\nyes\n" },
  ]);
});

describe("compound commands", () => {
  lineCases([
    {
      name: "break in a command substitution ends it",
      command: 'for i in 1 2; do echo "[$(for j in a b; do break 2; done; echo in)]$(continue; echo in)"; done',
      stdout: "[]\n[]\n",
    },
    {
      name: "for over names",
      command: 'for f in *.c; do echo "<$f>"; done',
      files: { "a b.c": "", "c.c": "" },
      stdout: "<a b.c>\n<c.c>\n",
    },
    { name: "a loop feeds a pipeline", command: "for i in c a b; do echo $i; done | sort | head -n 2", stdout: "a\nb\n" },
    {
      name: "while read goes through lines",
      command: 'printf \'a b\\nc\' | while read -r x y || [ -n "$x" ]; do echo "$y-$x"; done',
      stdout: "b-a\n-c\n",
    },
    {
      name: "a command in the loop reads the same input",
      command: "printf '1\\n2\\n3\\n' | while read -r x; do read -r y; echo \"$x-$y\"; done",
      stdout: "1-2\n3-\n",
    },
    { name: "IFS= keeps blanks", command: "printf ' a \\n' | while IFS= read -r x; do echo \"<$x>\"; done", stdout: "< a >\n" },
    {
      name: "names that end in NUL",
      command: "find . -name '*.c' -print0 | while IFS= read -r -d '' f; do echo \"$f\"; done",
      files: { "a\nb.c": "" },
      stdout: "./a\nb.c\n",
    },
    { name: "what a piped loop sets is lost", command: "n=0; echo a | while read x; do n=1; done; echo $n", stdout: "0\n" },
    { name: "if, elif, else", command: "if false; then echo a; elif true; then echo b; else echo c; fi", stdout: "b\n" },
    { name: "case", command: "case a.ts in *.js) echo js;; *.ts|*.tsx) echo ts;; esac", stdout: "ts\n" },
    { name: "break out of two loops", command: "for i in 1 2; do for j in 1 2; do echo $i$j; break 2; done; done", stdout: "11\n" },
    { name: "exit ends the line with its status", command: "for i in 1 2; do echo $i; exit 3; done; echo no", stdout: "1\n", exit: 3 },
    { name: "a reader that has enough ends an endless loop", command: "while true; do echo y; done | head -n 2", stdout: "y\ny\n" },
    { name: "redirections of a loop", command: "for i in a; do cat nope; echo $i; done 2>/dev/null", stdout: "a\n" },
    { name: "a here-string feeds a loop", command: "while read x; do echo \"<$x>\"; done <<< $'a\\nb'", stdout: "<a>\n<b>\n" },
    { name: "for ((;;))", command: "for ((i=0; i<3; i++)); do echo $i; done", stdout: "0\n1\n2\n" },
    {
      name: "[[ ]] with patterns, regular expressions and files",
      command: "x=ab; [[ $x == a* && $x =~ ^a(b|c)$ && -f f ]] && echo yes",
      files: { f: "" },
      stdout: "yes\n",
    },
    { name: "(( ))", command: "((3 > 2)) && echo $((2**10))", stdout: "1024\n" },
  ]);
});

describe("what bash would take for a flag", () => {
  lineCases([
    {
      name: "data is not taken for one, and not passed over either",
      command: "x=$(printf %s -n); head $x a",
      files: { a: "x\n" },
      stderr:
        "head: ‘-n’ came from a variable or a command, and what such a word begins with is never taken for a flag; put -- before it, or ./ in front of it\n",
      exit: 1,
      differs: "bash would take it for a flag",
    },
    { name: "behind -- it is an operand", command: "x=$(printf %s -n); cat -- $x", files: { "-n": "x\n" }, stdout: "x\n" },
    {
      name: "as the value of a flag it is one",
      command: "n=$(echo 1); head -n $n a; head -$n a",
      files: { a: "x\ny\n" },
      stdout: "x\nx\n",
    },
    { name: "a file found by a glob is an operand", command: 'for f in *; do cat -- "$f"; done', files: { "-n": "x\n" }, stdout: "x\n" },
    { name: "echo knows no operands", command: "x=$(printf '%s' -n); echo $x a", stdout: "a" },
  ]);
});

describe("writes with names that are not known before", () => {
  lineCases([
    {
      name: "tee writes what the recorder and the rules allow",
      command: 'for f in a b; do echo $f | tee "$f.txt"; done',
      stdout: "a\nb\n",
      after: { "a.txt": "a\n", "b.txt": "b\n" },
    },
    {
      name: "a protected name is refused when it is known",
      command: 'd=$(echo .git); echo x | tee "$d/config"',
      refused: "PROTECTED_PATH",
      after: { ".git": null },
    },
    {
      name: "so is one that needs approval",
      command: 'd=$(echo .envrc); echo x | tee "$d"',
      refused: "NEEDS_APPROVAL",
      after: { ".envrc": null },
    },
    { name: "and one outside the root", command: 'd=$(echo ..); echo x | tee "$d/x"', refused: "PATH_ESCAPE" },
  ]);
});

const within = async (command: string, limits = {}): Promise<string> => {
  const place = tree([]);
  try {
    return await runOurs({ command }, place.path, limits).then(
      ({ stdout, refused }) => refused ?? stdout,
      (thrown: Error) => thrown.message,
    );
  } finally {
    place.remove();
  }
};

describe("bounds", () => {
  test.each([
    ["an endless loop ends at its time limit", "while true; do :; done", /^stopped: time/],
    ["so does an endless until", "until false; do :; done", /^stopped: time/],
    ["a value that doubles", "x=aaaaaaaaaaaaaaaa; for i in {1..40}; do x=$x$x; done", /^stopped: held/],
    ["a value that multiplies itself", "x=aaaaaaaaaaaaaaaa; for i in {1..40}; do x=${x//a/$x}; done", /^stopped: held/],
    ["an endless substitution", "x=$(yes)", /^stopped: held/],
    ["arithmetic that refers to itself", "x=x; echo $((x)) 2>/dev/null; echo $?", /^$/],
    [
      "arithmetic that doubles at each step",
      `a0=1; ${Array.from({ length: 40 }, (_, n) => `a${n + 1}=a${n}+a${n}`).join("; ")}; echo $((a40))`,
      /^$/,
    ],
    ["parentheses in arithmetic", `echo $((${"(".repeat(3000)}1${")".repeat(3000)}))`, /^$|PARSE/],
    ["substitutions in substitutions", `echo ${"$(echo ".repeat(300)}a${")".repeat(300)}`, /PARSE/],
    ["parameters in parameters", `echo ${"${a:-".repeat(3000)}${"}".repeat(3000)}`, /^\n$|PARSE/],
  ])("%s", async (_, command, ending) => {
    expect(await within(command, { timeMs: 3000, heldBytes: 1 << 24 })).toMatch(ending);
  });
});
