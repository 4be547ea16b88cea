/** outline: the list, its bounds, and the comparison with a stored one. */
import { expect, test } from "vitest";
import { outline } from "../../../builtins/symbols/symbols.ts";
import { cases, runOurs } from "../../cases.ts";
import { tree } from "../../tree.ts";

const FILES = {
  "src/shop.ts": "export class Shop {\n  open(): void {\n  }\n}\n",
  "src/api/v1/a.py": "def area(r):\n    return r\n",
  "src/empty/notes.txt": "x\n",
  "lib/b.go": "package b\n\nfunc B() {}\n",
};
const SRC = "src/\n  api/\n    v1/\n      a.py\n        function area 1-2\n  shop.ts\n    class Shop 1-4\n      method open 2-3\n";
const differs = "a tool of our own";

cases(outline, [
  { name: "folders without code are left out", command: "outline src", files: FILES, stdout: SRC, differs },
  {
    name: "here",
    command: "outline",
    files: { "b.go": FILES["lib/b.go"], "a/x.c": "int f(void) {\n}\n" },
    stdout: "./\n  a/\n    x.c\n      function f 1-2\n  b.go\n    function B 3\n",
    differs,
  },
  {
    name: "several paths",
    command: "outline lib src/shop.ts",
    files: FILES,
    stdout: "lib/\n  b.go\n    function B 3\nsrc/shop.ts\n  class Shop 1-4\n    method open 2-3\n",
    differs,
  },
  { name: "-d", command: "outline -d 2 src", files: FILES, stdout: "src/\n  api/\n    v1/\n  shop.ts\n    class Shop 1-4\n", differs },
  { name: "-d 0", command: "outline -d 0", refused: "BAD_VALUE" },
  { name: "nothing", command: "outline src/empty", files: FILES, exit: 1, differs },
  { name: "not there", command: "outline nope", stderr: "outline: nope: No such file or directory\n", exit: 2, differs },
  {
    name: "ignore files count",
    command: "ctree_generate",
    files: { ".ignore": "gen.*\n", "gen.py": "x = 1\n", "a.py": "x = 1\n" },
    stdout: "./\n  a.py\n    variable x 1\n",
    differs,
  },
  {
    name: "--json",
    command: "outline --json lib",
    files: FILES,
    stdout:
      '{"what":"directory","path":"lib","depth":0}\n{"what":"file","path":"lib/b.go","depth":1}\n{"what":"definition","path":"lib/b.go","depth":2,"kind":"function","name":"B","qualifiedName":"B","firstLine":3,"lastLine":3}\n',
    differs,
  },
  { name: "--check: the same", command: "outline --check s src", files: { ...FILES, s: SRC }, differs },
  { name: "ctree_check: the same", command: "ctree_check s src", files: { ...FILES, s: SRC }, differs },
  {
    name: "different",
    command: "ctree_check s lib",
    files: { ...FILES, s: "lib/\n  b.go\n    function A 3\n" },
    stdout: "--- s\n+++ now\n@@ -1,3 +1,3 @@\n lib/\n   b.go\n-    function A 3\n+    function B 3\n",
    exit: 1,
    differs,
  },
  {
    name: "no stored outline",
    command: "outline --check s lib",
    files: FILES,
    stderr: "outline: s: No such file or directory\n",
    exit: 2,
    differs,
  },
  { name: "ctree_check without a file", command: "ctree_check", refused: "USAGE" },
  { name: "--check with --json", command: "outline --check s --json", files: { s: "" }, refused: "BAD_VALUE" },
  {
    name: "a generated outline passes its own check",
    command: "outline src | tee s && outline --check s src",
    files: FILES,
    stdout: SRC,
    after: { s: SRC },
    differs,
  },
]);

test("a very long outline ends with a notice", async () => {
  const place = tree([`a.py: ${"x = 1\n".repeat(20_001)}`]);
  try {
    const { stdout, stderr, exit } = await runOurs({ command: "outline | wc -l" }, place.path);
    expect(stdout).toBe("20000\n");
    expect(stderr).toBe("outline: more than 20000 entries: name a folder, or give -d\n");
    expect(exit).toBe(0);
  } finally {
    place.remove();
  }
});
