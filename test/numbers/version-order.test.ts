import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareVersions } from "../../src/numbers/version-order.ts";
import { needs, ORACLE, oracle } from "../needs.ts";

function sorted(names: readonly string[]): string[] {
  const keys = names.map((name) => Buffer.from(name));
  keys.sort((a, b) => compareVersions(a, 0, a.length, b, 0, b.length) || Buffer.compare(a, b));
  return keys.map(String);
}

test.each([
  ["digits by value", ["file10", "file9", "file1", "file01"], ["file01", "file1", "file9", "file10"]],
  ["suffixes last", ["a-1.13.tar.gz", "a-1.2.tar.gz", "a-1.2.tar.bz2"], ["a-1.2.tar.bz2", "a-1.2.tar.gz", "a-1.13.tar.gz"]],
  ["dots first", ["a", "..", ".b", ".", ""], ["", ".", "..", ".b", "a"]],
  ["a tilde before the end", ["a", "a~", "a0", "aa", "a-"], ["a~", "a", "a0", "aa", "a-"]],
  ["dot names that are all suffix", ["...", ".-", ".0", ".a", ".A10", ".~a1", ".~1"], [".~1", ".~a1", ".A10", ".a", ".0", ".-", "..."]],
  ["suffixes compare in a second pass", ["a.1", "a.b", "a.~1", "a.~", "a"], ["a", "a.~", "a.~1", "a.b", "a.1"]],
])("%s", (_, given, expected) => expect(sorted(given)).toEqual(expected));

test("a key inside a line", () => {
  const line = Buffer.from("xx file10 file9 yy");
  expect(compareVersions(line, 3, 9, line, 10, 15)).toBeGreaterThan(0);
});

needs(ORACLE).test("random names against sort -V", {}, () => {
  const piece = fc.constantFrom("a", "b", "0", "1", "9", "00", ".", "~", "-", "_", ".c", ".tar", ".gz", "é", "10", "A", "Z", " ", "..");
  const names = fc.sample(
    fc.array(piece, { minLength: 1, maxLength: 7 }).map((parts) => parts.join("")),
    5_000,
  );
  const env = { PATH: `${oracle}:/usr/bin:/bin`, LC_ALL: "C.UTF-8" };
  const real = execFileSync("sort", ["-V"], { input: `${names.join("\n")}\n`, encoding: "utf8", env });
  expect(sorted(names)).toEqual(real.split("\n").slice(0, -1));
});
