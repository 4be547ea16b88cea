/** Syntax that the parser takes or refuses by name, and the rewrites it offers. Other tests compare the meaning with bash. */
import { expect, test } from "vitest";
import { MOST_LINE_UNITS, parseLine } from "../../src/shell/parse.ts";
import type { Construct } from "../../src/shell/problem.ts";
import { staticText, type Command, type WordPart } from "../../src/shell/tree.ts";

function command(line: string): Command {
  const parsed = parseLine(line);
  const first = parsed.kind === "parsed" ? parsed.list.items[0]?.pipeline.commands[0] : undefined;
  if (first === undefined) throw new Error(`not parsed: ${JSON.stringify(parsed)}`);
  return first;
}

const text = (value: string, quoted = false): WordPart => ({ kind: "text", text: value, quoted });
const glob = (source: string): WordPart => ({ kind: "glob", source });

test.each<{ word: string; parts: readonly (readonly WordPart[])[] }>([
  { word: "a'b c'd", parts: [[text("a"), text("b c", true), text("d")]] },
  { word: "a*'*'?", parts: [[text("a"), glob("*"), text("*", true), glob("?")]] },
  { word: "[a'-'z]x", parts: [[glob("[a\\-z]"), text("x")]] },
  { word: '[a"]"b]', parts: [[glob("[a\\]b]")]] },
  { word: "[[:alpha:]]", parts: [[glob("[[:alpha:]]")]] },
  { word: "[a/b]", parts: [[text("[a/b]")]] },
  { word: "[a", parts: [[text("[a")]] },
  { word: "~/x", parts: [[{ kind: "home" }, text("/x")]] },
  { word: "'~'", parts: [[text("~", true)]] },
  { word: "a~", parts: [[text("a~")]] },
  {
    word: "{~,b}/*",
    parts: [
      [{ kind: "home" }, text("/"), glob("*")],
      [text("b/"), glob("*")],
    ],
  },
  { word: "''", parts: [[text("", true)]] },
  { word: "{,a}", parts: [[text("a")]] },
  { word: "$'\\xff'", parts: [[text("\udcff", true)]] },
  { word: "a\udcffb", parts: [[text("a\udcffb")]] },
])("word $word", ({ word, parts }) => {
  const parsed = command(`t ${word}`);
  expect(parsed.kind === "simple" && parsed.words.slice(1).map((one) => one.parts)).toEqual(parts);
});

test.each<{ line: string; redirects: readonly unknown[] }>([
  { line: "t 2>/dev/null", redirects: [{ kind: "discard", from: 2, span: { start: 2, end: 13 } }] },
  {
    line: "t &>/dev/null",
    redirects: [
      { kind: "discard", from: 1, span: { start: 2, end: 13 } },
      { kind: "discard", from: 2, span: { start: 2, end: 13 } },
    ],
  },
  { line: "t >&2", redirects: [{ kind: "duplicate", from: 1, to: 2, span: { start: 2, end: 5 } }] },
  { line: "t 2>&1 | t", redirects: [{ kind: "duplicate", from: 2, to: 1, span: { start: 2, end: 6 } }] },
  { line: "t |& t", redirects: [{ kind: "duplicate", from: 2, to: 1, span: { start: 2, end: 4 } }] },
  { line: "t </dev/null", redirects: [{ kind: "no-input", from: 0, span: { start: 2, end: 12 } }] },
  { line: "t <<< 'a b'", redirects: [{ kind: "here", from: 0, text: "a b\n", span: { start: 2, end: 11 } }] },
  { line: "t <<-E\n\ta\\$b\n\tE", redirects: [{ kind: "here", from: 0, text: "a$b\n", span: { start: 2, end: 6 } }] },
  { line: "t <<'E'\n$x `y`\nE\n", redirects: [{ kind: "here", from: 0, text: "$x `y`\n", span: { start: 2, end: 7 } }] },
  { line: "t > /dev/stderr", redirects: [{ kind: "duplicate", from: 1, to: 2, span: { start: 2, end: 15 } }] },
  { line: "t < f", redirects: [{ kind: "input", from: 0, file: "f", span: { start: 2, end: 5 } }] },
  {
    line: "t 3< f <&3",
    redirects: [
      { kind: "input", from: 3, file: "f", span: { start: 2, end: 6 } },
      { kind: "duplicate-input", from: 0, to: 3, span: { start: 7, end: 10 } },
    ],
  },
])("redirection $line", ({ line, redirects }) => {
  const found = command(line).redirects.map((redirect) =>
    redirect.kind === "here"
      ? { ...redirect, text: staticText(redirect.text) }
      : redirect.kind === "input"
        ? { ...redirect, file: staticText(redirect.file) }
        : redirect,
  );
  expect(found).toEqual(redirects);
});

test("lists keep their shape and their spans", () => {
  const parsed = parseLine("! a | b && { c; } || (d)\ne # end");
  if (parsed.kind === "rejected") throw new Error("rejected");
  expect(
    parsed.list.items.map(({ when, pipeline }) => [
      when,
      pipeline.negated,
      pipeline.commands.map((one) => (one.kind === "group" ? one.subshell : one.kind)),
      pipeline.span,
    ]),
  ).toEqual([
    ["always", true, ["simple", "simple"], { start: 0, end: 7 }],
    ["success", false, [false], { start: 11, end: 17 }],
    ["failure", false, [true], { start: 21, end: 24 }],
    ["always", false, ["simple"], { start: 25, end: 26 }],
  ]);
});

test.each(["", "  \n", "# only a comment"])("%j is a list of nothing", (line) => {
  expect(parseLine(line)).toMatchObject({ kind: "parsed", list: { items: [] } });
});

test.each<{ line: string; construct: Construct; at: string; rewrite?: string }>([
  { line: "ls > f", construct: "redirect-out", at: "> f", rewrite: "set -o pipefail; ls | tee f >/dev/null" },
  { line: "ls -l >> 'a b' | wc", construct: "redirect-append", at: ">> 'a b'", rewrite: "ls -l | tee -a 'a b' >/dev/null | wc" },
  { line: "cat < {a,b}", construct: "redirect-in", at: "< {a,b}" },
  { line: "cat 1< f", construct: "redirect-in", at: "1< f" },
  { line: "a 2> f", construct: "redirect-out", at: "2> f", rewrite: "set -o pipefail; a 2>&1 | tee f >/dev/null" },
  { line: "a > f 2>&1", construct: "redirect-out", at: "> f", rewrite: "set -o pipefail; a 2>&1 | tee f >/dev/null" },
  { line: "a &>> f", construct: "redirect-append", at: "&>> f", rewrite: "set -o pipefail; a 2>&1 | tee -a f >/dev/null" },
  { line: "a >/dev/null 2> f", construct: "redirect-out", at: "2> f", rewrite: "set -o pipefail; a 2>&1 >/dev/null | tee f >/dev/null" },
  { line: "a >| f", construct: "redirect-out", at: ">| f", rewrite: "set -o pipefail; a | tee f >/dev/null" },
  { line: "a <> f", construct: "redirect-readwrite", at: "<> f", rewrite: "cat f | a" },
  { line: "> f", construct: "redirect-out", at: "> f", rewrite: ": | tee f >/dev/null" },
  { line: "{ a; b; } > f && c", construct: "redirect-out", at: "> f", rewrite: "set -o pipefail; { a; b; } | tee f >/dev/null && c" },
  { line: "a > f || b", construct: "redirect-out", at: "> f", rewrite: "set -o pipefail; a | tee f >/dev/null || b" },
  { line: "a > f; echo $?", construct: "redirect-out", at: "> f", rewrite: "set -o pipefail; a | tee f >/dev/null; echo $?" },
  { line: "if a >| f; then b; fi", construct: "redirect-out", at: ">| f", rewrite: "set -o pipefail; if a | tee f >/dev/null; then b; fi" },
  { line: "a | b > f && c", construct: "redirect-out", at: "> f", rewrite: "a | (set -o pipefail; b | tee f >/dev/null) && c" },
  {
    line: "cat > f <<'E'\nx > y\nE\nls",
    construct: "redirect-out",
    at: "> f",
    rewrite: "set -o pipefail; cat <<'E' | tee f >/dev/null\nx > y\nE\nls",
  },
  { line: "a 2>&-", construct: "redirect-descriptor", at: "2>&-", rewrite: "a 2>/dev/null" },
  { line: "a 3>f", construct: "redirect-descriptor", at: "3>f" },
  { line: "a > f > g", construct: "redirect-out", at: "> f" },
  { line: "a > f 2> g", construct: "redirect-out", at: "> f" },
  { line: "a > *.txt", construct: "redirect-out", at: "> *.txt" },
  { line: "a > $f", construct: "redirect-out", at: "> $f", rewrite: "set -o pipefail; a | tee -- $f >/dev/null" },
  { line: "echo ${DIRSTACK[@]}", construct: "variable", at: "${DIRSTACK[@]}" },
  { line: "ls ~+1", construct: "tilde", at: "~+1" },
  { line: "echo $!", construct: "variable", at: "$!" },
  { line: "echo ${!$}", construct: "variable", at: "${!$}" },
  { line: "trap \"rm '$$'\" EXIT", construct: "trap", at: "trap \"rm '$$'\" EXIT" },
  { line: "echo $UID", construct: "variable", at: "$UID" },
  { line: "echo ${!x[@]:1}", construct: "variable", at: "${!x[@]:1}" },
  { line: "echo ${x@P}", construct: "variable", at: "${x@P}" },
  { line: "echo {$,x}(a)", construct: "syntax", at: "(" },
  { line: "echo $[1+2]", construct: "arithmetic", at: "$[1+2]" },
  { line: "echo `a \\`b\\``", construct: "backquotes", at: "`a \\`b\\``" },
  { line: "a=(x y) b", construct: "array", at: "a=(x y)" },
  { line: "a[1]=(x y)", construct: "array", at: "a[1]=(x y)" },
  { line: "a[]=x", construct: "syntax", at: "]=x" },
  { line: "declare x={a,b}", construct: "declaration", at: "x={a,b}" },
  { line: "declare -f", construct: "declaration", at: "declare -f" },
  { line: "readonly -p", construct: "declaration", at: "readonly -p" },
  { line: "declare -x -i", construct: "declaration", at: "declare -x -i" },
  { line: "declare -F x=1", construct: "declaration", at: "declare -F x=1" },
  { line: "x=$(ls > f)", construct: "redirect-out", at: "> f", rewrite: "set -o pipefail; x=$(ls | tee f >/dev/null)" },
  {
    line: "for i in a; do b; done > f",
    construct: "redirect-out",
    at: "> f",
    rewrite: "set -o pipefail; for i in a; do b; done | tee f >/dev/null",
  },
  { line: "if a; then b; fi; fi", construct: "syntax", at: "f" },
  { line: "for i in a; do; done", construct: "syntax", at: ";" },
  { line: "echo $(a", construct: "syntax", at: "$" },
  { line: "echo ${x", construct: "syntax", at: "$" },
  { line: "tee >(a)", construct: "process-substitution", at: ">(a)" },
  { line: "x=<(a)", construct: "syntax", at: "<" },
  { line: "a >&0", construct: "redirect-descriptor", at: ">&0" },
  { line: "exec {fd}>&1", construct: "redirect-descriptor", at: "{fd}>&1" },
  { line: "ls @(a|b)", construct: "extglob", at: "@(a|b)" },
  { line: "ls ~bob", construct: "tilde", at: "~bob" },
  { line: "echo a=~", construct: "tilde", at: "a=~" },
  { line: "echo {Z..a}", construct: "brace-range", at: "{Z..a}" },
  { line: "select a in b; do c; done", construct: "select", at: "select" },
  { line: "export() { a; }", construct: "function", at: "export" },
  { line: "coproc a", construct: "coproc", at: "coproc" },
  { line: "time ! time a", construct: "time", at: "time", rewrite: "! a" },
  { line: "a & b", construct: "background", at: "&", rewrite: "a ; b" },
  { line: "a &", construct: "background", at: "&", rewrite: "a" },
  { line: "cat <<E\na", construct: "here-document", at: "<<E", rewrite: "cat <<E\na\nE" },
  { line: "a\r\nb", construct: "carriage-return", at: "\r", rewrite: "a\nb" },
  { line: "a 'b\r\nc'\r\nd", construct: "carriage-return", at: "\r", rewrite: "a 'b\r\nc'\nd" },
  { line: "a\0b", construct: "nul", at: "\0" },
  { line: "a \ud800", construct: "encoding", at: "\ud800" },
  { line: "t {1..10001}", construct: "brace-words", at: "{1..10001}" },
  { line: "((a); b)", construct: "syntax", at: "((", rewrite: "( (a); b)" },
  { line: "a 'b", construct: "syntax", at: "'" },
  { line: "a ;; b", construct: "syntax", at: ";" },
  { line: "a | | b", construct: "syntax", at: " " },
  { line: "{ a }", construct: "syntax", at: "}" },
  { line: "a <<<2>&2", construct: "syntax", at: "<<<2" },
  { line: "t 2\\\n>&1", construct: "syntax", at: "2\\\n>&1" },
])("$line is refused as $construct", ({ line, construct, at, rewrite }) => {
  const parsed = parseLine(line);
  if (parsed.kind === "parsed") throw new Error("parsed");
  const [problem] = parsed.problems;
  expect({ construct: problem.construct, at: line.slice(problem.span.start, problem.span.end), rewrite: problem.rewrite?.line }).toEqual({
    construct,
    at,
    rewrite,
  });
  if (problem.rewrite !== undefined) expect(parseLine(problem.rewrite.line).kind).toBe("parsed");
});

test("every problem of a line is told, in order", () => {
  const parsed = parseLine("a $! > f & b >(c)");
  expect(parsed.kind === "rejected" && parsed.problems.map((problem) => problem.construct)).toEqual([
    "variable",
    "redirect-out",
    "background",
    "process-substitution",
  ]);
});

test.each<{ what: string; line: string; construct: Construct }>([
  { what: "a long line", line: `t ${"a".repeat(MOST_LINE_UNITS)}`, construct: "line-length" },
  { what: "101 groups", line: `${"( ".repeat(101)}a${" )".repeat(101)}`, construct: "nesting" },
  { what: "10,000 groups", line: `${"( ".repeat(10_000)}a${" )".repeat(10_000)}`, construct: "nesting" },
  { what: "coproc without end", line: "coproc ".repeat(9000), construct: "nesting" },
  { what: "braces without end", line: `t ${"{".repeat(60_000)}`, construct: "brace-words" },
  { what: "braces that multiply", line: `t ${"{a,b}".repeat(200)}`, construct: "brace-words" },
  { what: "a huge range", line: "t {1..9223372036854775807}", construct: "brace-words" },
  { what: "here-documents without end", line: "a <<E ".repeat(10_000), construct: "here-document" },
])("$what is refused before it is looked at in full", ({ line, construct }) => {
  const before = process.cpuUsage();
  const parsed = parseLine(line);
  expect(parsed.kind === "rejected" && parsed.problems[0].construct).toBe(construct);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6, "seconds of the processor").toBeLessThan(2);
});

test.each(["[", "[[:a", "'", "{}", "a;", "> f ", "$x ", "\\", "`", "<(", "${", "*"])("the work for %j grows with its length", (piece) => {
  /** Processor time in milliseconds, which does not depend on the machine's other load. */
  const workMs = (characters: number): number => {
    const before = process.cpuUsage();
    parseLine(`t ${piece.repeat(Math.floor(characters / piece.length))}`);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  // Four times the length is sixteen times the work where each piece looks at all others; measured until it is seen not to be.
  const isLinear = (): boolean => workMs(60_000) < 8 * Math.max(workMs(15_000), 10);
  expect(Array.from({ length: 5 }).some(isLinear)).toBe(true);
});

test("100 groups are taken", () => {
  expect(parseLine(`${"( ".repeat(100)}a${" )".repeat(100)}`).kind).toBe("parsed");
});
