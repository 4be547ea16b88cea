/** The three files of docs/adding-a-builtin.md, made for a toy in a copy of the repository. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

const top = fileURLToPath(new URL("..", import.meta.url));
const copy = mkdtempSync(join(tmpdir(), "shelpa-toy-"));

/** Entries of node_modules that runs write. */
const CACHE = /^\.(?!bin$)/;

const DEFINITION = `/** toy: each operand on a line of its own. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";
import { toBytes } from "../../src/io/text.ts";

export const toy = defineBuiltin({
  name: "toy",
  summary: "Print each operand on a line of its own.",
  standard: "https://example.org/toy",
  reference: "nothing",
  operands: { kind: "values" },
  flags: { upper: { kind: "switch", short: "u", help: "print capitals" } },
  examples: [{ command: "toy -u a", stdout: "A\\n" }],
  async *run({ flags, operands }) {
    const { upper, ...others } = flags;
    allFlagsRead(others);
    for (const operand of operands) yield toBytes(\`\${upper ? operand.toUpperCase() : operand}\\n\`);
    return 0;
  },
});
`;
const TABLE = `/** Rows of toy. */
import { toy } from "../../../builtins/toy/toy.ts";
import { cases } from "../../cases.ts";

cases(toy, [
  { name: "operands as they are", command: "toy a b", stdout: "a\\nb\\n" },
  { name: "capitals", command: "toy -u a", stdout: "A\\n" },
  { name: "no such flag", command: "toy -x", refused: "UNKNOWN_FLAG" },
]);
`;
const LINE = '  { name: "toy", group: "coreutils", load: async () => (await import("./toy/toy.ts")).toy },\n';

function write(path: string, text: string): void {
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  writeFileSync(join(copy, path), text);
}

beforeAll(async () => {
  for (const name of [
    "src",
    "builtins",
    "test",
    "tools",
    "bench",
    "docs",
    "examples",
    "README.md",
    "package.json",
    "tsconfig.json",
    "vitest.config.ts",
  ])
    cpSync(join(top, name), join(copy, name), { recursive: true, filter: (path) => !path.includes("node_modules") });
  // A directory of its own: Vitest keeps its cache in it, and empties that where package-lock.json is another.
  mkdirSync(join(copy, "node_modules"));
  for (const name of readdirSync(join(top, "node_modules")))
    if (!CACHE.test(name)) symlinkSync(join(top, "node_modules", name), join(copy, "node_modules", name));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: copy, encoding: "utf8" });
  git("init", "-q");
  git("add", "-A", ".");
  git("commit", "-qm", "before");

  write("builtins/toy/toy.ts", DEFINITION);
  write("test/builtins/toy/toy.test.ts", TABLE);
  write("builtins/registry.ts", readFileSync(join(copy, "builtins/registry.ts"), "utf8").replace(/(?= {2}\{ name: "tr",)/, LINE));
  // `npm run docs`, without the rest of the build.
  const outfile = join(copy, "generate-docs.mjs");
  await build({
    entryPoints: [join(copy, "tools/docs/generate-docs.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    loader: { ".html": "text" },
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    logLevel: "silent",
    banner: { js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);' },
  });
  execFileSync(process.execPath, [outfile], { cwd: copy, stdio: "pipe" });
  rmSync(outfile);
}, 120_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test("three files by hand, and two that are written from them", () => {
  const changed = execFileSync("git", ["status", "--porcelain", "--untracked-files=all"], { cwd: copy, encoding: "utf8" });
  expect(
    changed
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.slice(3))
      .sort(),
  ).toEqual(["README.md", "builtins/registry.ts", "builtins/toy/toy.ts", "docs/builtins/toy.md", "test/builtins/toy/toy.test.ts"]);
});

test("its rows, the rules of import, the documents and the budget of tokens are content", () => {
  const files = [
    "test/builtins/toy",
    "test/boundaries.test.ts",
    "test/docs.test.ts",
    "test/mcp/tokens.test.ts",
    "test/builtin/registry.test.ts",
  ];
  const ran = spawnSync("npx", ["vitest", "run", ...files], { cwd: copy, encoding: "utf8", env: { ...process.env, CI: "1" } });
  expect(ran.stdout + ran.stderr).toMatch(/Test Files .*5 passed/);
  expect(ran.status).toBe(0);
}, 120_000);

/** A flag that nothing reads. */
const GHOSTS: readonly (readonly [what: string, flag: string])[] = [
  ["a switch", 'ghost: { kind: "switch", help: "do nothing" },'],
  ["of no value", 'ghost: { kind: "value", arg: "X", read: () => undefined, otherwise: undefined, help: "do nothing" },'],
  ["of any value", 'ghost: { kind: "value", arg: "X", read: (text) => JSON.parse(text), otherwise: undefined, help: "do nothing" },'],
];

test("a flag of the table that nothing reads does not compile", () => {
  GHOSTS.forEach(([, flag], at) => {
    write(`builtins/toy/toy-${at}.ts`, DEFINITION.replace("flags: {", `flags: { ${flag}`));
  });
  const files = GHOSTS.map((_, at) => `builtins/toy/toy-${at}.ts`);
  write("tsconfig.toy.json", JSON.stringify({ extends: "./tsconfig.json", files, include: [] }));
  const { status, stdout } = spawnSync("npx", ["tsc", "-p", "tsconfig.toy.json", "--pretty", "false"], { cwd: copy, encoding: "utf8" });
  for (const [at, [what]] of GHOSTS.entries()) {
    const complaints = stdout.split(/^(?=\S)/m).filter((line) => line.startsWith(`builtins/toy/toy-${at}.ts`));
    expect(complaints.filter((line) => line.includes("error TS2345") && line.includes("ghost")).length, `${what}:\n${stdout}`).toBe(1);
  }
  expect(status).not.toBe(0);
}, 120_000);
