/** Patterns against names. The expectations are what fnmatch(3) of glibc 2.36 answered in C.UTF-8. */
import { expect, test } from "vitest";
import { compileGlob } from "../../src/glob/glob-match.ts";
import type { GlobOptions } from "../../src/glob/glob-pattern.ts";

const period = { period: true },
  pathname = { pathname: true },
  caseFold = { caseFold: true };

test.each<{ pattern: string; options?: GlobOptions; yes?: readonly string[]; no?: readonly string[] }>([
  { pattern: "", yes: [""], no: ["a"] },
  { pattern: "a*b", yes: ["ab", "axb", "abb", "a\nb", "a/b"], no: ["a", "abc"] },
  { pattern: "*", yes: ["", ".a", "a/b"] },
  { pattern: "*.ts", yes: [".ts", "a.ts", "a.b.ts"], no: ["a.tsx"] },
  { pattern: "*a*", yes: ["a", "bab"], no: ["b"] },
  { pattern: "?", yes: ["a", "é", "\u{1F600}"], no: ["", "ab"] },
  { pattern: "[a-c]", yes: ["a", "b"], no: ["B", "-", "d"] },
  { pattern: "[!a-c]", yes: ["d", "-"], no: ["a", ""] },
  { pattern: "[]a]", yes: ["]", "a"], no: ["b"] },
  { pattern: "[a-]", yes: ["a", "-"], no: ["b"] },
  { pattern: "[z-a]", no: ["z", "a", "m"] },
  { pattern: "[a", yes: ["[a"], no: ["a"] },
  { pattern: "[[:upper:]]", yes: ["A", "É"], no: ["a", "é", "1"] },
  { pattern: "[[:nope:]a]", no: ["a", "n"] },
  { pattern: "[[.a.]-c]", yes: ["a", "b", "c"], no: ["d"] },
  { pattern: "[[=a=]]", yes: ["a"], no: ["b", "="] },
  { pattern: "[a\\]b]", yes: ["]", "a"], no: ["\\"] },
  { pattern: "\\*", yes: ["*"], no: ["a", "\\*"] },
  { pattern: "a\\", no: ["a", "a\\"] },
  { pattern: "*", options: period, yes: ["a", ""], no: [".a"] },
  { pattern: ".*", options: period, yes: [".a"] },
  { pattern: "?a", options: period, no: [".a"] },
  { pattern: "[.]a", options: period, no: [".a"] },
  { pattern: "[!x]a", options: period, no: [".a"] },
  { pattern: "a*", options: period, yes: ["a.b", "a/.b"] },
  { pattern: "*", options: pathname, yes: ["a"], no: ["a/b"] },
  { pattern: "*/*", options: pathname, yes: ["a/b"], no: ["a/b/c", "ab"] },
  { pattern: "a?b", options: pathname, no: ["a/b"] },
  { pattern: "a[!x]b", options: pathname, yes: ["a.b"], no: ["a/b"] },
  { pattern: "*/*", options: { ...pathname, ...period }, yes: ["a/b"], no: ["a/.b"] },
  { pattern: "aB*", options: caseFold, yes: ["Ab", "ABC"] },
  { pattern: "[a-c]", options: caseFold, yes: ["B"] },
  { pattern: "É", options: caseFold, yes: ["é"] },
  { pattern: "*.TS", options: caseFold, yes: ["a.ts"] },
])("$pattern $options", ({ pattern, options = {}, yes = [], no = [] }) => {
  const glob = compileGlob(pattern, options);
  expect({ yes: yes.filter((name) => !glob.matches(name)), no: no.filter((name) => glob.matches(name)) }).toEqual({ yes: [], no: [] });
});

test.each([
  { pattern: "a*".repeat(100) + "b", name: "a".repeat(10_000) },
  { pattern: "*?".repeat(200) + "b", name: "a".repeat(10_000) },
  { pattern: "[".repeat(60_000), name: "a" },
  { pattern: "[[:a".repeat(15_000), name: "a" },
])("a star bomb ends soon", ({ pattern, name }) => {
  const before = process.cpuUsage();
  expect(compileGlob(pattern).matches(name)).toBe(false);
  expect(process.cpuUsage(before).user / 1e6, "seconds of the processor").toBeLessThan(1);
});
