/** Filters of changed paths in a commit-graph: what they say is what git itself wrote, and history limited to paths is git's. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, renameSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { mayHold, pathKeys } from "../../../builtins/git/objects/changed-paths.ts";
import { Shell } from "../../../src/session/shell.ts";
import { Maker } from "./git-feature-repositories.ts";
import { ENVIRONMENT, needsGit } from "./git-repositories.ts";

const LINES = [
  ...["a", "d", "d/", "d/e", "d/e/f.txt", "d/e/g.txt", "nope", "d/nope", "ünï", "a d/e/g.txt", "moved", "deep/er/x", "."].map(
    (paths) => `git log --oneline -- ${paths}`,
  ),
  "git log --oneline -- 'd/*.txt'",
  "git log --oneline -- d ':!d/e/g.txt'",
  "git log --oneline -- ':(icase)D/E'",
  "git log --oneline --full-history --parents -- d/e",
  "git log --oneline --graph -- a d",
  "git log --oneline --first-parent -- side",
  "git log --oneline -m -- side",
  "git -C d log --oneline -- e/f.txt",
  "git rev-list --count HEAD -- d/e",
  "git rev-list --boundary main~6..main -- d",
  "git log --oneline -3 --stat -- d",
  "git -c commitGraph.readChangedPaths=false log --oneline -- d/e",
];

/** 130 commits, one in seven of them merged, the graph with the filters of changed paths. */
function made(): Maker {
  const maker = new Maker();
  maker.git("init", "-q", "-b", "main");
  for (let number = 0; number < 130; number++) {
    if (number % 3 === 0) maker.write("a", `${number}\n`);
    if (number % 5 === 0) maker.write("d/e/f.txt", `${number}\n`);
    if (number % 16 === 1) maker.write("d/e/g.txt", `${number}\n`);
    if (number % 20 === 2) maker.write("ünï", `${number}\n`);
    if (number === 40) renameSync(`${maker.path}/d/e/g.txt`, `${maker.path}/moved`);
    if (number === 60) rmSync(`${maker.path}/d/e/f.txt`);
    maker.write(`deep/er/x`, `${number >> 3}\n`);
    maker.write("each", `${number}\n`);
    maker.commit(`change ${number}`);
    if (number % 7 === 3) {
      maker.git("checkout", "-q", "-b", `side-${number}`, "HEAD~1");
      maker.write(`side/${number}`, "x\n");
      maker.commit(`side ${number}`);
      maker.git("checkout", "-q", "main");
      maker.git("merge", "-q", "--no-ff", "-m", `merge ${number}`, `side-${number}`);
    }
  }
  maker.git("commit-graph", "write", "--reachable", "--changed-paths");
  return maker;
}

needsGit.describe("filters of changed paths", () => {
  test("what git writes of a commit holds its paths and their directories, and few others", () => {
    const maker = new Maker();
    const repository = maker.made();
    try {
      maker.git("init", "-q", "-b", "main");
      maker.write("d/e/file-of-eleven", "x\n");
      maker.commit("one");
      maker.git("commit-graph", "write", "--reachable", "--changed-paths");
      const bytes = readFileSync(`${repository.path}/.git/objects/info/commit-graph`);
      const at = (name: string): number => Number(bytes.readBigUInt64BE(bytes.indexOf(name) + 4));
      const from = at("BDAT") + 12;
      const filter = { bytes, from, to: from + bytes.readUInt32BE(at("BIDX")), hashes: bytes.readUInt32BE(at("BDAT") + 4) };
      const holds = (path: string): boolean => mayHold(filter, pathKeys(path) ?? []);
      expect(["d/e/file-of-eleven", "d/e", "d"].map(holds)).toEqual([true, true, true]);
      const others = Array.from({ length: 200 }, (_, number) => `other/${number}`);
      expect(others.filter(holds).length).toBeLessThan(20);
      expect(pathKeys("ünï")).toBeUndefined();
    } finally {
      repository.remove();
    }
  });

  test("history limited to paths is git's, whether the paths are asked of filters or not", { timeout: 300_000 }, async () => {
    const maker = made();
    const repository = maker.made();
    const shell = await Shell.open({ root: repository.path, isolation: "none" });
    try {
      for (const line of LINES) {
        const real = spawnSync("bash", ["-c", line], { cwd: repository.path, env: ENVIRONMENT, encoding: "utf8" });
        const { stdout, stderr } = await shell.newSession().run(line);
        expect({ line, stdout: stdout.toString(), stderr: stderr.toString() }).toEqual({ line, stdout: real.stdout, stderr: real.stderr });
      }
      expect(execFileSync("git", ["log", "--oneline", "--", "d/e"], { cwd: repository.path, env: ENVIRONMENT }).length).toBeGreaterThan(
        100,
      );
    } finally {
      await shell.close();
      repository.remove();
    }
  });
});
