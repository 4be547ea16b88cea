/**
 * awk programs that compute, grow or nest without end. Each is answered, refused or stopped within its time limit, and
 * the next call is served. Through an executor process, as the MCP server runs lines.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { quoteWord } from "../../src/display/quote.ts";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";
import { expectAnswer, GRACE_MS, LIMIT_MS } from "./answered.ts";

let place: Tree;
let shell: Shell;

beforeAll(async () => {
  place = tree([`as: ${"a".repeat(65_536)}!\n`, `fields: ${"x ".repeat(100_000)}\n`, "lines: a\nb\nc\n"]);
  shell = await Shell.open({ root: place.path, isolation: "process", limits: { timeMs: LIMIT_MS, residentBytes: 384 << 20 } });
});
afterAll(async () => {
  await shell.close();
  place.remove();
});

const PROGRAMS: readonly (readonly [name: string, program: string, file?: string])[] = [
  ["an endless loop", "BEGIN { while (1) i++ }"],
  ["an endless loop that prints", 'BEGIN { while (1) print "x" }'],
  ["an endless loop in a function", "function f() { for (;;) ; } BEGIN { x = f() }"],
  ["recursion without end", "function f(n) { return f(n + 1) } BEGIN { f(0) }"],
  ["recursion of two", "function f(n) { return g(n) + 1 } function g(n) { return f(n) + 1 } BEGIN { f(0) }"],
  ["indirect recursion", 'function f(n) { g = "f"; return @g(n + 1) } BEGIN { f(0) }'],
  ["an array of a thousand million elements", "BEGIN { for (i = 0; i < 1e9; i++) a[i] = i }"],
  ["elements made by asking for them", 'BEGIN { for (i = 0; i < 1e9; i++) if (a["x" i] == "") n++ }'],
  ["arrays in arrays", "BEGIN { for (i = 0; i < 1e9; i++) a[i][i][i] = 1 }"],
  ["text that doubles", 'BEGIN { s = "x"; for (;;) s = s s }'],
  ["an element that doubles", 'BEGIN { a[1] = "x"; for (;;) a[1] = a[1] a[1] }'],
  ["text that doubles in many elements", 'BEGIN { s = "x"; for (;;) { s = s s; a[n++] = s "y" } }'],
  ["gsub that doubles", 'BEGIN { s = "x"; for (;;) gsub(/x/, "xx", s) }'],
  ["sprintf that doubles", 'BEGIN { s = "x"; for (;;) s = sprintf("%s%s", s, s) }'],
  ["$0 that doubles", '{ for (;;) $0 = $0 " " $0 }', "lines"],
  ["fields past counting", "{ NF = 2000000000; print }", "lines"],
  ["a field past counting", "{ $2000000000 = 1; print }", "lines"],
  ["a width of a thousand million", 'BEGIN { printf "%1000000000d", 1 }'],
  ["a precision of a thousand million", 'BEGIN { printf "%.1000000000d", 1 }'],
  ["a width out of an argument", 'BEGIN { printf "%*d", 2^40, 1 }'],
  ["digits of a width without end", `BEGIN { printf "%${"9".repeat(300)}d", 1 }`],
  ["split of something huge", '{ s = $0; for (i = 0; i < 12; i++) s = s s; print split(s, a, "") }', "as"],
  ["split of many fields by an expression", "{ for (i = 0; i < 2000; i++) n += split($0, a, /x| |y/) } END { print n }", "fields"],
  ["a bomb out of text", 'BEGIN { r = "a"; for (i = 0; i < 8; i++) r = "(" r "){1,99}"; print "aaaa" ~ r }'],
  ["a bomb that grows", 'BEGIN { r = "a"; for (;;) { r = "(" r "|" r ")*"; if ("aaab" ~ r) n++ } }'],
  ["a repeat of a repeat", "/^(a+)+$/", "as"],
  ["alternatives that match the same", '{ gsub(/(a|a|aa)*b/, ""); print length }', "as"],
  ["ever new expressions", 'BEGIN { for (;;) if ("x" ~ ("a" i++ "+b*")) n++ }'],
  ["ever new formats", 'BEGIN { for (;;) s = sprintf("%" i++ % 1000 "d" i, 1) }'],
  ["getline of one file again and again", 'BEGIN { for (;;) { while ((getline line < "lines") > 0) n++; close("lines") } }'],
  ["getline of what is not there", 'BEGIN { while ((getline line < "nothing") < 0) n++ }'],
  ["a file among its own operands", "{ ARGV[ARGC++] = FILENAME }", "lines"],
  ["parentheses in parentheses", `BEGIN { print ${"(".repeat(20_000)}1${")".repeat(20_000)} }`],
  ["blocks in blocks", `BEGIN ${"{".repeat(20_000)}${"}".repeat(20_000)}`],
  ["not not not", `BEGIN { print ${"!".repeat(50_000)}1 }`],
  ["a long chain of powers", `BEGIN { print 2${"^2".repeat(30_000)} }`],
  [
    "a sort whose order changes",
    'function c(a, b, d, e) { return rand() - 0.5 } BEGIN { for (i = 0; i < 1e5; i++) a[i]; for (;;) asort(a, b, "c") }',
  ],
];

for (const [name, program, file] of PROGRAMS) {
  test(name, () => expectAnswer(shell, `awk ${quoteWord(program)} ${file ?? ""}`), 2 * (LIMIT_MS + GRACE_MS));
}

test.each(["__proto__", "constructor", "hasOwnProperty", "toString", "prototype"])("%s is a name like any other", async (word) => {
  const program = `function f(${word}) { ${word}++; return ${word} } BEGIN { a["${word}"] = 1; a["${word}"]++; for (k in a) print k, a[k], ("toString" in b), f(4) }`;
  const { stdout } = await shell.defaultSession.run(`awk ${quoteWord(program)}`);
  expect(stdout.toString()).toBe(`${word} 2 0 5\n`);
  const global = await shell.defaultSession.run(`awk -v ${word}=3 'BEGIN { print ${word} + 1, ("${word}" in SYMTAB), length(a) }'`);
  expect(global.stdout.toString()).toBe("4 1 0\n");
});
