/** docs/security.md names tests and sources as evidence: each must be there, and each promise of DESIGN §1 must have one. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const top = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const text = readFileSync(top("docs/security.md"), "utf8");
const named = [...text.matchAll(/`((?:src|test|docs|builtins|bench)\/[\w./-]+|package-lock\.json)`/g)].map(([, path]) => path as string);

test("every file that it names exists", () => {
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((path) => !existsSync(top(path)))).toEqual([]);
});

test("each promise has a test", () => {
  const rows = [...text.matchAll(/^\| (\d+)\. [^|]+\| ([^|]+) \|$/gm)];
  expect(rows.map(([, number]) => Number(number))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  for (const [, number, tests] of rows) expect(tests, number).toContain("`test/");
});

test("every command that it names is a script of ours", () => {
  const { scripts } = JSON.parse(readFileSync(top("package.json"), "utf8")) as { scripts: Record<string, string> };
  const commands = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name as string);
  expect(commands.filter((name) => scripts[name] === undefined)).toEqual([]);
});
