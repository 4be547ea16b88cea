/** Text searches that look for a definition, and the note that an answer then has. */
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../builtins/symbols/languages.ts";
import { CODE_EXTENSIONS, definitionNote, soughtDefinition } from "../../src/builtin/sought-definition.ts";

describe("the name that a pattern seeks", () => {
  for (const pattern of [
    "def foo",
    "def foo\\|function foo",
    "def foo|function foo|class foo",
    "^\\s*def foo\\b",
    "^def foo(",
    "def foo\\(",
    "function\\s+foo",
    "^export function foo",
    "export default async function foo",
    "^(export )?function foo\\(",
    "^\\(export \\)\\?class foo",
    "(class|interface|type) foo",
    "\\(class\\|struct\\) foo\\b",
    "func (.*) foo",
    "func (s \\*Server) foo|func foo",
    "func \\(.*\\) foo\\(",
    "pub fn foo",
    "\\bclass foo\\b",
    "\\<struct foo\\>",
    "[[:space:]]*fun foo",
    "type foo =",
    "class foo:",
    "class foo {",
    "interface foo$",
  ]) {
    test(pattern, () => {
      expect(soughtDefinition([pattern], [])).toEqual({ name: "foo", paths: [] });
    });
  }
  for (const pattern of [
    "foo",
    "foo(",
    "def foo\\|foo(",
    "def foo|def bar",
    "def .*foo",
    "def foo.*bar",
    "def [a-z]+",
    "def fo",
    "class",
    "class .*",
    "func.*Handle",
    "type foo struct",
    "import foo",
    "type of thing",
    "return function foo",
    "(def|foo) bar",
    "def foo\\|",
    "def __init__(self|foo",
  ]) {
    test(`none: ${pattern}`, () => {
      expect(soughtDefinition([pattern], [])).toBeUndefined();
    });
  }
  test("several patterns must agree", () => {
    expect(soughtDefinition(["def foo", "class foo"], ["src"])).toEqual({ name: "foo", paths: ["src"] });
    expect(soughtDefinition(["def foo", "class bar"], ["src"])).toBeUndefined();
  });
  test("not over many paths", () => {
    expect(soughtDefinition(["def foo"], ["a", "b", "c", "d"])).toBeUndefined();
  });
  test("a path that begins with a dash is not repeated", () => {
    expect(soughtDefinition(["def foo"], ["-x"])).toBeUndefined();
  });
  test("long patterns and many are not looked at", () => {
    expect(soughtDefinition([`def foo${" ".repeat(200)}`], [])).toBeUndefined();
    expect(soughtDefinition(Array<string>(9).fill("def foo"), [])).toBeUndefined();
  });
});

describe("what was printed", () => {
  const note = (printed: string, paths: readonly string[] = ["src"]): string | undefined =>
    definitionNote({ name: "foo", paths }, Buffer.from(printed));
  const said = "`symbols foo src` finds definitions by syntax: no comments, texts or uses (--body prints them, --refs finds the uses)";
  for (const printed of [
    "src/a.py:3:def foo(x):\n",
    "src/a.py:def foo(x):\n",
    "src/a.md:1:def foo\nsrc/a.ts:1:export async function foo() {\n",
    "./src/a.go:9:func (s *Server) foo() {\n",
    "src/a.rs:1:    pub(crate) fn foo() {\n",
  ]) {
    test(`shows it: ${printed.trim()}`, () => expect(note(printed)).toBe(said));
  }
  for (const printed of [
    "",
    "def foo(x):\n",
    "3:def foo(x):\n",
    "src/a.md:1:def foo(x)\n",
    "src/a.proto:1:enum foo {\n",
    "src/a.py:3:def foo_bar(x):\n",
    "src/a.py:3:# def foo(x):\n",
    "src/a.js:3:  // function foo()\n",
    "src/a.js:3:  text = 'function foo'\n",
    "node_modules/x/a.js:3:function foo() {}\n",
    "src/dist/a.js:3:function foo() {}\n",
    ".cache/a.js:3:function foo() {}\n",
    "src/a.py\n",
    "src/a.py-3-def foo(x):\n",
  ]) {
    test(`does not: ${printed.trim()}`, () => expect(note(printed)).toBeUndefined());
  }
  test("paths are quoted", () => {
    expect(note("a b/a.py:1:def foo():\n", ["a b"])).toContain("`symbols foo 'a b'`");
  });
  test("only the start is looked at", () => {
    expect(note(`${"src/a.py:1:x\n".repeat(10_000)}src/a.py:3:def foo():\n`)).toBeUndefined();
  });
});

test("the ends of file names are those of symbols", () => {
  const own = LANGUAGES.filter(({ name }) => name !== "CSS").flatMap(({ extensions }) => extensions);
  expect([...CODE_EXTENSIONS].sort()).toEqual([...own].sort());
});
