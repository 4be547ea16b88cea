/** symbols and outline: code by what it defines, read from its syntax tree. See symbols/ for their parts. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { outlineFlags, symbolFlags } from "./flags.ts";
import { namePattern } from "./name-pattern.ts";
import { outlineRequest, runOutline } from "./outline-run.ts";
import { runSymbols } from "./symbols-run.ts";

const STANDARD = "https://tree-sitter.github.io/tree-sitter/";

export const symbols = defineBuiltin({
  name: "symbols",
  aliases: ["serena_find_symbol"],
  summary: "Find where a name is defined in code, or with --refs where it is used, in 18 languages.",
  standard: STANDARD,
  reference: "web-tree-sitter 0.27.1",
  operands: { kind: "pattern-then-paths" },
  flags: symbolFlags,
  usageExit: 2,
  tells: "start",
  silence: { 1: "found nothing" },
  check({ flags, operands }) {
    if (operands[0] === undefined) throw new UsageError("missing-operand", "missing NAME");
    if (operands[0] === "") throw new UsageError("bad-value", "NAME is empty", { subject: "" });
    namePattern(operands[0], { foldCase: flags.ignoreCase, substring: flags.substring });
    if (flags.refs && flags.body) throw new UsageError("bad-value", "--refs and --body cannot be given together: a use has no body");
    if (flags.refs && flags.kind !== undefined)
      throw new UsageError("bad-value", "--refs and -k cannot be given together: a use has no kind");
  },
  examples: [
    {
      command: "symbols Shop.open",
      files: { "src/shop.ts": "export class Shop {\n  open(day: string): boolean {\n    return day !== '';\n  }\n}\n" },
      stdout: "src/shop.ts:2:3: method Shop.open — open(day: string): boolean\n",
    },
    {
      command: "symbols --body area src",
      files: { "src/shape.py": "import math\n\n@cached\ndef area(r):\n    return math.pi * r * r\n" },
      stdout: "src/shape.py:4:5: function area — def area(r)\n     3\t@cached\n     4\tdef area(r):\n     5\t    return math.pi * r * r\n",
    },
    {
      command: "symbols --refs area",
      files: { "a.go": "package a\n\nfunc area(r int) int { return r }\n\n// area again\nvar x = area(2)\n" },
      stdout: "a.go:6:9: reference area — var x = area(2)\n",
    },
    {
      command: "symbols -k struct,trait '/^Pa/' src",
      files: { "src/lib.rs": "pub struct Pair(u8, u8);\ntrait Parse { fn parse(&self); }\nfn pad() {}\n" },
      stdout: "src/lib.rs:1:12: struct Pair — pub struct Pair\nsrc/lib.rs:2:7: trait Parse — trait Parse\n",
    },
  ],
  /** Without a path it is about the current directory. */
  effects: ({ operands }) => (operands.length < 2 ? [{ kind: "read", path: "." }] : []),
  async *run(invocation) {
    return yield* runSymbols(invocation);
  },
});

export const outline = defineBuiltin({
  name: "outline",
  aliases: ["ctree", "ctree_check", "ctree_generate"],
  summary: "List folders, files of code and what they define, with lines, or compare such a list with the code now.",
  standard: STANDARD,
  reference: "web-tree-sitter 0.27.1",
  operands: { kind: "paths", access: "read" },
  flags: outlineFlags,
  usageExit: 2,
  tells: "start",
  silence: { 1: "found no code" },
  check(invocation) {
    const { stored, json } = outlineRequest(invocation);
    if (invocation.name === "ctree_check" && stored === undefined) throw new UsageError("missing-operand", "missing FILE");
    if (stored !== undefined && json) throw new UsageError("bad-value", "--check and --json cannot be given together");
  },
  examples: [
    {
      command: "outline src",
      files: {
        "src/shop.ts": "export class Shop {\n  open(): void {\n  }\n}\n",
        "src/api/a.py": "def area(r):\n    return r\n",
        "src/notes.txt": "",
      },
      stdout: "src/\n  api/\n    a.py\n      function area 1-2\n  shop.ts\n    class Shop 1-4\n      method open 2-3\n",
    },
    {
      command: "outline -d 1 src",
      files: { "src/shop.ts": "class Shop {}\n", "src/api/a.py": "x = 1\n" },
      stdout: "src/\n  api/\n  shop.ts\n",
    },
    {
      command: "outline --check stored.txt src",
      files: { "src/a.go": "package a\n\nfunc Two() {}\n", "stored.txt": "src/\n  a.go\n    function One 3\n" },
      stdout: "--- stored.txt\n+++ now\n@@ -1,3 +1,3 @@\n src/\n   a.go\n-    function One 3\n+    function Two 3\n",
      exit: 1,
      note: "What `outline src` printed before, against the code now: 0 the same, 1 different, 2 trouble.",
    },
  ],
  /** Without a path it is about the current directory. */
  effects(invocation) {
    return outlineRequest(invocation).paths.length === 0 ? [{ kind: "read", path: "." }] : [];
  },
  async *run(invocation) {
    return yield* runOutline(invocation);
  },
});
