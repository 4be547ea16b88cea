/** symbols: names that are matched, printed and passed over. The queries of each language are in symbols-languages.test.ts. */
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { symbols } from "../../../builtins/symbols/symbols.ts";
import { cases, runOurs } from "../../cases.ts";
import { tree } from "../../tree.ts";

const SHOP = "export class Shop {\n  open(): void {\n    this.open();\n  }\n}\nclass Door {\n  open(): void {} // open\n}\n";
const differs = "a tool of our own";

cases(symbols, [
  {
    name: "every definition of a name, by path and line",
    command: "symbols open",
    files: { "b.ts": SHOP, "a/z.py": "def open(): pass\n" },
    stdout:
      "a/z.py:1:5: function open — def open()\nb.ts:2:3: method Shop.open — open(): void\nb.ts:7:3: method Door.open — open(): void\n",
    differs,
  },
  {
    name: "a qualified name",
    command: "symbols Door.open",
    files: { "b.ts": SHOP },
    stdout: "b.ts:7:3: method Door.open — open(): void\n",
    differs,
  },
  {
    name: "with C++'s separator",
    command: "symbols Door::open",
    files: { "b.ts": SHOP },
    stdout: "b.ts:7:3: method Door.open — open(): void\n",
    differs,
  },
  {
    name: "Serena's name and its path",
    command: "serena_find_symbol Door/open b.ts",
    files: { "b.ts": SHOP },
    stdout: "b.ts:7:3: method Door.open — open(): void\n",
    differs,
  },
  { name: "a part of a qualifier is none", command: "symbols oor.open", files: { "b.ts": SHOP }, exit: 1, differs },
  { name: "case counts", command: "symbols shop", files: { "b.ts": SHOP }, exit: 1, differs },
  { name: "-i", command: "symbols -i sHOP", files: { "b.ts": SHOP }, stdout: "b.ts:1:14: class Shop — class Shop\n", differs },
  { name: "-s", command: "symbols -s oo", files: { "b.ts": SHOP }, stdout: "b.ts:6:7: class Door — class Door\n", differs },
  { name: "-e after -s", command: "symbols -s -e oo", files: { "b.ts": SHOP }, exit: 1, differs },
  {
    name: "a regular expression is searched for in the name",
    command: "symbols '/^[DS]/'",
    files: { "b.ts": SHOP },
    stdout: "b.ts:1:14: class Shop — class Shop\nb.ts:6:7: class Door — class Door\n",
    differs,
  },
  {
    name: "and in the qualified name where it has a dot",
    command: "symbols '/^D.*\\.open$/'",
    files: { "b.ts": SHOP },
    stdout: "b.ts:7:3: method Door.open — open(): void\n",
    differs,
  },
  {
    name: "a regular expression of alternatives, in files that have one of them",
    command: "symbols '/^(Shop|top)$/'",
    files: { "a.py": "def top(): pass\n", "b.ts": SHOP, "c.py": "def stop(): pass\n" },
    stdout: "a.py:1:5: function top — def top()\nb.ts:1:14: class Shop — class Shop\n",
    differs,
  },
  {
    name: "a regular expression across the space in a name",
    command: "symbols '/two words/'",
    files: { "a.kt": "class A {\n  fun `two  words`() {}\n}\n" },
    stdout: "a.kt:2:7: method A.two words — fun `two words`()\n",
    differs,
  },
  {
    name: "a regular expression in capitals or not",
    command: "symbols -i '/^shop$/'",
    files: { "b.ts": SHOP },
    stdout: "b.ts:1:14: class Shop — class Shop\n",
    differs,
  },
  {
    name: "a regular expression that is none",
    command: "symbols '/(/'",
    refused: "BAD_VALUE",
  },
  {
    name: "uses: no definition, no comment, no text",
    command: "symbols --refs open",
    files: { "b.ts": SHOP, "c.ts": 'import { open } from "open";\nopen("open");\n' },
    stdout:
      'b.ts:3:10: reference open — this.open();\nc.ts:1:10: reference open — import { open } from "open";\nc.ts:2:1: reference open — open("open");\n',
    differs,
  },
  {
    name: "columns count bytes",
    command: "symbols --refs x",
    files: { "a.py": "y = 'é€' + x\n" },
    stdout: "a.py:1:15: reference x — y = 'é€' + x\n",
    differs,
  },
  {
    name: "--body takes what belongs to the definition",
    command: "symbols --body Shop.open Door",
    files: { Door: "#!/usr/bin/env node\nclass Shop {\n  open() {\r\n  }\r\n}\n" },
    stdout: "Door:3:3: method Shop.open — open()\n     3\t  open() {\n     4\t  }\n",
    differs,
  },
  {
    name: "--json",
    command: "symbols --json --body Door",
    files: { "b.ts": SHOP },
    stdout:
      '{"path":"b.ts","line":6,"column":7,"firstLine":6,"lastLine":8,"kind":"class","name":"Door","qualifiedName":"Door","signature":"class Door","body":"class Door {\\n  open(): void {} // open\\n}"}\n',
    differs,
  },
  {
    name: "-k",
    command: "symbols -k method,class -s o",
    files: { "b.ts": "const o = 1; class oo {}" },
    stdout: "b.ts:1:20: class oo — class oo\n",
    differs,
  },
  {
    name: "-k with an unknown kind",
    command: "symbols -k klass x",
    refused: "BAD_VALUE",
  },
  {
    name: "ignore files and hidden names count",
    command: "symbols x",
    files: { ".gitignore": "out/\n", "out/a.py": "x = 1\n", ".h/a.py": "x = 1\n", "src/a.py": "x = 1\n" },
    stdout: "src/a.py:1:1: variable x — x = 1\n",
    differs,
  },
  {
    name: "not for a path that is named",
    command: "symbols x out/a.py",
    files: { ".gitignore": "out/\n", "out/a.py": "x = 1\n" },
    stdout: "out/a.py:1:1: variable x — x = 1\n",
    differs,
  },
  {
    name: "a file that is not there, and one of another kind",
    command: "symbols x nope.py a.txt a.py",
    files: { "a.txt": "x", "a.py": "x = 1\n" },
    stdout: "a.py:1:1: variable x — x = 1\n",
    stderr: "symbols: nope.py: No such file or directory\nsymbols: a.txt: there is no grammar for this kind of file\n",
    exit: 2,
    differs,
  },
  {
    name: "a binary file is said so",
    command: "symbols x a.js",
    files: { "a.js": "var x;\0" },
    stderr: "symbols: a.js: binary file, not parsed\n",
    exit: 1,
    differs,
  },
  {
    name: "bytes that are no text stay what they are",
    command: "symbols f",
    files: { "a.js": "function f(a = '\udcff') {}\n" },
    stdout: "a.js:1:10: function f — function f(a = '\udcff')\n",
    differs,
  },
  {
    name: "code with errors is read as far as it goes",
    command: "symbols f",
    files: { "a.ts": "const = = (;\nfunction f(): void {}\n" },
    stdout: "a.ts:2:10: function f — function f(): void\n",
    differs,
  },
  {
    name: "an escape in the code stays one in JSON, and a byte that is no text does not",
    command: "symbols --json x",
    files: { "a.js": "let x = '\\ud800 \udcff'" },
    stdout:
      '{"path":"a.js","line":1,"column":5,"firstLine":1,"lastLine":1,"kind":"variable","name":"x","qualifiedName":"x","signature":"x = \'\\\\ud800 \ufffd\'"}\n',
    differs,
  },
  {
    name: "names of Object.prototype",
    command: "symbols __proto__",
    files: { "a.py": "def __proto__(): pass\n" },
    stdout: "a.py:1:5: function __proto__ — def __proto__()\n",
    differs,
  },
  { name: "nothing to look for", command: "symbols", refused: "USAGE" },
  {
    name: "--refs with --body",
    command: "symbols --refs --body x",
    refused: "BAD_VALUE",
  },
]);

/** Runs one line over one file. */
async function over(name: string, code: string, command: string): ReturnType<typeof runOurs> {
  const place = tree([`${name}: ${code}`]);
  try {
    return await runOurs({ command }, place.path);
  } finally {
    place.remove();
  }
}

describe("symbols, broken code: a name whose body is lost", () => {
  for (const [file, code, line] of [
    [
      "a.ts",
      "const x = {\n  if (y) return;\n};\nexport const z = { a: 1, b: [;\nexport function lost(a: string): number {\n  return 1;\n",
      "5:17: function lost — lost",
    ],
    ["a.py", "class await(await):\ndef lost(a, async=None):\n    if z is None:\n", "2:5: function lost — lost"],
    ["a.css", "}\n}\n.lost {\n.m-error {\n  event: 941px;\n", "3:2: class lost — lost"],
  ] as const) {
    test(file, async () => {
      expect((await over(file, code, "symbols lost")).stdout).toBe(`${file}:${line}\n`);
    });
  }
});

describe("symbols, hostile files", () => {
  test("a file past the limit is said so", async () => {
    const { stderr, exit } = await over("a.py", "x = 1\n".repeat(400_000), "symbols x");
    expect(stderr).toBe("symbols: a.py: longer than 2 MiB, not parsed\n");
    expect(exit).toBe(1);
  });
  test("10,000 nested brackets", async () => {
    const code = `var x = ${"[".repeat(10_000)}${"]".repeat(10_000)};\nfunction after() {}\n`;
    const { stdout } = await over("a.js", code, "symbols after");
    expect(stdout).toBe("a.js:2:10: function after — function after()\n");
  });
  test("a megabyte on one line", async () => {
    const many = Array.from({ length: 25_000 }, (_, index) => `function f${index}(a,b){return a+b*${index}}`).join("");
    const { stdout } = await over("a.js", `${many};after()`, "symbols --refs after");
    expect(stdout.startsWith(`a.js:1:${many.length + 2}: reference after — …`)).toBe(true);
    expect(stdout.length).toBeLessThan(300);
  }, 30_000);
  test("25,000 definitions and 50,000 uses on one line", async () => {
    const many = Array.from({ length: 25_000 }, (_, index) => `function f${index}(a,b){return a+b*${index}}`).join("");
    const last = many.lastIndexOf("f24999") + 1;
    expect((await over("a.js", many, "symbols -s f | tail -n 1")).stdout).toBe(`a.js:1:${last}: function f24999 — function f24999(a,b)\n`);
    expect((await over("a.js", many, "symbols --refs a | wc -l")).stdout).toBe("50000\n");
  }, 60_000);
  test("100,000 brackets that nothing closes", async () => {
    const { stderr, exit } = await over("a.ts", "[".repeat(100_000), "symbols /./");
    expect(stderr).toBe("symbols: a.ts: too entangled to parse, passed over\n");
    expect(exit).toBe(1);
  }, 30_000);
  test("10,000 functions in functions", async () => {
    const { stdout } = await over("a.js", `${"function f(){".repeat(10_000)}${"}".repeat(10_000)}`, "symbols f | wc -l");
    expect(stdout).toBe("10000\n");
  }, 60_000);
  test("what costs too many steps is passed over and said so", async () => {
    const { stderr } = await over("a.cpp", `after ${"<<((::{{}a<b<c<".repeat(30_000)}`, "symbols after");
    expect(stderr).toBe("symbols: a.cpp: too entangled to parse, passed over\n");
  }, 60_000);
  // The lexers of these are too large for V8's optimising compiler, which would hold the process for half a minute.
  for (const [name, code] of [
    ["a.ps1", 'function Get-It { Write-Host "x" }\n'],
    ["a.swift", "func it(x: Int) -> Int { return x }\n"],
  ] as const) {
    test(`${name}: parsed often, it is not optimised`, async () => {
      const before = process.cpuUsage();
      const { stdout } = await over(name, code.repeat(300), "symbols -i -s it | wc -l");
      expect(stdout).toBe("300\n");
      await setTimeout(500);
      const { user } = process.cpuUsage(before);
      expect(user).toBeLessThan(10_000_000);
    }, 30_000);
  }
  test("definitions in definitions, without end", async () => {
    const { stdout } = await over("a.js", `${"function f(){".repeat(3000)}${"}".repeat(3000)}`, "symbols -s f | wc -c");
    expect(Number(stdout)).toBeGreaterThan(0);
    expect(Number(stdout)).toBeLessThan(1_000_000);
  }, 30_000);
});
