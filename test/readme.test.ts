/**
 * Examples of the README and docs, run as shown: every `$ LINE` of a console block runs in a copy of fixtures/ and must
 * print the lines below it; every js block runs against the built library.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const top = fileURLToPath(new URL("..", import.meta.url));
const pages = ["README.md", ...readdirSync(join(top, "docs")).map((name) => `docs/${name}`)].filter((name) => name.endsWith(".md"));

for (const page of pages) {
  const text = readFileSync(join(top, page), "utf8");
  const consoles = [...text.matchAll(/^```console\n([^]*?)^```$/gm)].map(([, block = ""]) => block);
  const programs = [...text.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, block = ""]) => block);
  if (consoles.length + programs.length === 0) continue;
  describe(page, () => {
    for (const block of consoles) {
      for (const { line, printed } of shown(block)) test(line, () => expect(run(line)).toBe(printed));
    }
    for (const program of programs) {
      test(program.split("\n")[0] ?? "", () => expect(() => runProgram(program)).not.toThrow());
    }
  });
}

function shown(block: string): { line: string; printed: string }[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => ({ line: part.slice(0, part.indexOf("\n")), printed: part.slice(part.indexOf("\n") + 1) }));
}

/** Standard output, then standard error, as a terminal shows them. */
function run(line: string): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "shelpa-readme-")));
  cpSync(join(top, "fixtures"), root, { recursive: true });
  const ran = spawnSync(process.execPath, [join(top, "dist/shelpa.js"), "--root", root, "-c", line], { encoding: "utf8" });
  rmSync(root, { recursive: true });
  return ran.stdout + ran.stderr;
}

function runProgram(program: string): void {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "shelpa-library-")));
  mkdirSync(join(place, "node_modules"));
  symlinkSync(top, join(place, "node_modules/shelpa-mcp"));
  mkdirSync(join(place, "src"));
  writeFileSync(join(place, "program.mjs"), program);
  execFileSync(process.execPath, ["program.mjs"], { cwd: place, stdio: "pipe" });
  rmSync(place, { recursive: true });
}
