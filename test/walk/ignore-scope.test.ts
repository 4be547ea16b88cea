/** Ignore files over trees. The expectations are what ripgrep 15.2 and fd 10.5 listed. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { toBytes, toText } from "../../src/io/text.ts";
import { compileByteGlob } from "../../src/glob/byte-glob.ts";
import { byteString } from "../../src/glob/byte-glob-parser.ts";
import type { IgnoreOptions } from "../../src/walk/ignore-scope.ts";
import { tree } from "../tree.ts";
import { filesKept, fuzzTree } from "./ignore-fuzz.ts";
import { needs, ORACLE, oracle } from "../needs.ts";

/** rg's flags, and the same for us. */
const VARIANTS: readonly { flags: readonly string[]; options: Partial<IgnoreOptions>; start: string; globs?: readonly string[] }[] = [
  { flags: [], options: {}, start: "." },
  { flags: ["--hidden"], options: { skipHidden: false }, start: "." },
  { flags: ["--no-require-git"], options: { requireGit: false }, start: "." },
  { flags: ["--hidden", "--no-require-git"], options: { skipHidden: false, requireGit: false }, start: "a" },
  { flags: ["--no-ignore-parent"], options: { parents: false }, start: "a" },
  { flags: ["--no-ignore-dot"], options: { dotIgnore: false, custom: undefined }, start: "." },
  { flags: ["--no-ignore-vcs"], options: { gitIgnore: false, gitExclude: false }, start: "./a" },
  { flags: ["--no-ignore-exclude", "--no-require-git"], options: { gitExclude: false, requireGit: false }, start: "." },
  { flags: ["-g", "!*.ts", "-g", "*a*"], options: {}, globs: ["!*.ts", "*a*"], start: "." },
  { flags: ["--ignore-file-case-insensitive"], options: { foldCase: true }, start: "." },
];

needs(ORACLE).describe("random trees", () => {
  const count = Number(process.env["SHELPA_FUZZ_RUNS"] ?? 150);
  const firstSeed = Number(process.env["SHELPA_FUZZ_SEED"] ?? 1) * 1_000_000;
  test(`${count} against rg --files and fd`, { timeout: 60_000 + count * 200 }, () => {
    const differences: unknown[] = [];
    const env = { PATH: oracle, HOME: "/nonexistent", LC_ALL: "C.UTF-8" };
    for (let seed = firstSeed; seed < firstSeed + count && differences.length < 5; seed++) {
      const { lines, place } = fuzzTree(seed);
      try {
        for (const { flags, options, start, globs = [] } of VARIANTS) {
          if (start !== "." && !lines.some((line) => line.startsWith("a/"))) continue;
          const args = ["--files", "--no-config", "--no-messages", "-0", ...flags, ...(start === "." ? [] : [start])];
          const real = spawnSync("rg", args, { cwd: place.path, env });
          const wanted = toText(real.stdout)
            .split("\0")
            .slice(0, -1)
            .map((path) => path.replace(/^\.\//, ""));
          const ours = filesKept(place.path, start, options, globs);
          if (byBytes(wanted) !== byBytes(ours))
            differences.push({ seed, tool: "rg", flags, start, lines, wanted: byBytes(wanted), ours: byBytes(ours) });
        }
        const real = spawnSync(`${oracle ?? ""}/fd`, ["-0", "-tf", "--strip-cwd-prefix", "--no-require-git"], { cwd: place.path, env });
        const wanted = toText(real.stdout).split("\0").slice(0, -1);
        const ours = filesKept(place.path, ".", { custom: ".fdignore", requireGit: false });
        if (wanted.join("\n") !== ours.join("\n")) differences.push({ seed, tool: "fd", lines, wanted, ours });
      } finally {
        place.remove();
      }
    }
    expect(differences).toEqual([]);
  });
});

const byBytes = (paths: readonly string[]): string => paths.map(toBytes).sort(Buffer.compare).map(toText).join("\n");

interface Row {
  readonly name: string;
  readonly tree: readonly string[];
  readonly kept: readonly string[];
  readonly start?: string;
}

const rows: readonly Row[] = [
  { name: ".gitignore counts in a repository alone", tree: [".gitignore: a\n", "a:", "b:"], kept: ["a", "b"] },
  { name: ".git as a file is a repository", tree: [".git:", ".gitignore: a\n", "a:", "b:"], kept: ["b"] },
  { name: ".jj is a repository", tree: [".jj/", ".gitignore: a\n", "a:", "b:"], kept: ["b"] },
  { name: ".ignore counts anywhere", tree: [".ignore: a\n", "a:", "b:"], kept: ["b"] },
  {
    name: ".rgignore wins over .ignore, and that over .gitignore",
    tree: [".git/", ".gitignore: a\nb\nc\n", ".ignore: !a\n!b\n", ".rgignore: b\n", "a:", "b:", "c:"],
    kept: ["a"],
  },
  { name: "the deeper file wins", tree: [".ignore: *.o\n", "d/.ignore: !x.o\n", "d/x.o:", "x.o:"], kept: ["d/x.o"] },
  { name: "what is in an ignored directory cannot be taken back", tree: [".ignore: d/\n", "d/.ignore: !x\n", "d/x:"], kept: [] },
  { name: "an inner repository ends the outer one's rules", tree: [".git/", ".gitignore: x\n", "in/.git/", "in/x:", "x:"], kept: ["in/x"] },
  { name: ".ignore does not end there", tree: [".ignore: x\n", "in/.git/", "in/x:"], kept: [] },
  { name: "files above the starting point count", tree: [".ignore: /d/x\ny\n", "d/x:", "d/y:", "d/z:"], kept: ["d/z"], start: "d" },
  { name: "an anchored rule", tree: [".ignore: /x\n", "x:", "d/x:"], kept: ["d/x"] },
  { name: "a slash inside ties too", tree: [".ignore: d/x\n", "d/x:", "e/d/x:"], kept: ["e/d/x"] },
  { name: "a slash at the end is for directories", tree: [".ignore: x/\n", "x:", "d/x/y:"], kept: ["x"] },
  { name: "dir/** leaves the directory itself", tree: [".ignore: d/**\n!d/y\n", "d/x:", "d/y:"], kept: ["d/y"] },
  { name: "** between", tree: [".ignore: a/**/b\n", "a/b:", "a/x/y/b:", "b:"], kept: ["b"] },
  { name: "a choice in braces, which git does not have", tree: [".ignore: *.{o,a}\n", "x.o:", "x.a:", "x.c:"], kept: ["x.c"] },
  { name: "a hidden file that is taken in", tree: [".ignore: !.x\n", ".x:", ".y:"], kept: [".x"] },
  { name: "escapes and spaces at the end", tree: [".ignore: \\#a\n\\!b\nc  \nd\\ \n# e\n", "#a:", "!b:", "c:", "d :", "e:"], kept: ["e"] },
  { name: "CRLF and a byte order mark", tree: [".ignore: \uFEFFa\r\nb\r\n", "a:", "b:", "c:"], kept: ["c"] },
  { name: "an unclosed bracket is itself", tree: [".ignore: [a\n", "[a:", "a:"], kept: ["a"] },
  { name: "a line that is no glob is passed over", tree: [".ignore: {\n[b-a]\nb\n", "a:", "b:", "{:"], kept: ["a", "{"] },
  { name: "reading ends at a line that is not UTF-8", tree: [".ignore: a\n\udcff\nb\n", "a:", "b:"], kept: ["b"] },
  { name: "? is one byte", tree: [".ignore: ?\n", "a:", "é:"], kept: ["é"] },
  { name: ".git/info/exclude", tree: [".git/info/exclude: /a\n", "a:", "d/a:"], kept: ["d/a"] },
  { name: "a directory called .gitignore", tree: [".git/", ".gitignore/a:", "a:"], kept: ["a"] },
  { name: "a link to an ignore file", tree: ["rules: a\n", ".ignore => rules", "a:"], kept: ["rules"] },
  { name: "names in bytes", tree: [".ignore: *\udcff\n", "a\udcff:", "a:"], kept: ["a", "a\udcff"] },
];

describe("rules", () => {
  for (const { name, tree: lines, kept, start = "." } of rows) {
    test(name, () => {
      const place = tree(lines);
      try {
        if (oracle === undefined) return expect(filesKept(place.path, start, {})).toEqual(kept);
        const real = spawnSync("rg", ["--files", "-0", "--no-config", "--sort=path", start], {
          cwd: place.path,
          env: { PATH: oracle, LC_ALL: "C.UTF-8" },
        });
        expect(
          toText(real.stdout)
            .split("\0")
            .slice(0, -1)
            .map((path) => path.replace(/^\.\//, "")),
        ).toEqual(kept);
      } finally {
        place.remove();
      }
    });
  }

  test("the record directory is passed over", () => {
    const place = tree([".shelpa/a:", "b:"]);
    expect(filesKept(place.path, ".", { skipHidden: false })).toEqual(["b"]);
    place.remove();
  });

  test("links out of the root give no rules", () => {
    const place = tree(["root/.ignore => ../rules", "root/a:", "rules: a\n"]);
    expect(filesKept(`${place.path}/root`, ".", {})).toEqual(["a"]);
    place.remove();
  });
});

test.each([
  { pattern: `${"*a".repeat(100)}b`, path: "a".repeat(5_000) },
  { pattern: `${"**/".repeat(100)}${"*?".repeat(50)}b`, path: "a/".repeat(2_500) },
  { pattern: "{a,".repeat(100) + "}".repeat(100), path: "a" },
  { pattern: "{*a,?}".repeat(100), path: "a".repeat(5_000) },
])("a star bomb ends soon: $pattern", ({ pattern, path }) => {
  const before = process.cpuUsage();
  compileByteGlob(pattern).matches(byteString(path));
  expect(process.cpuUsage(before).user / 1e6, "seconds of the processor").toBeLessThan(1);
});
