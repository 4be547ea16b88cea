/** Every line of git-lines.ts through our git and the real one: bytes and exit status must be the same. */
import { spawnSync } from "node:child_process";
import { lstatSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { toBytes } from "../../../src/io/text.ts";
import { runOurs } from "../../cases.ts";
import { LINES } from "./git-lines.ts";
import { besideReal, ENVIRONMENT, hasGit, needsGit, makeRepository } from "./git-repositories.ts";
import { needs } from "../../needs.ts";

/** Lines whose output differs, with the reason: removed as they are mended. */
const DIFFERS: ReadonlyMap<string, string> = new Map<string, string>([]);

const report = process.env["SHELPA_GIT_REPORT"];

needsGit.describe("git, against the real one", () => {
  for (const seed of [1, 2]) {
    const made = hasGit ? makeRepository(seed) : undefined;
    afterAll(() => made?.remove());
    for (const line of LINES) {
      test(`${seed}: ${line}`, async () => {
        const { ours, real } = await besideReal(line, made?.path ?? "");
        if (report === undefined && DIFFERS.has(line)) return expect(ours).not.toEqual(real);
        expect(ours).toEqual(real);
      });
    }
  }
});

/** Lines over this project's own history: long diffs, and many of them. */
const OWN = [
  "log --oneline -20",
  "log --stat -10",
  "log -p -5",
  "log --numstat --format=%h -40",
  "log --oneline -- src/io",
  "diff HEAD~5 --stat",
  "diff HEAD~30 HEAD",
  "diff HEAD~60 HEAD --name-status",
  "show --stat HEAD~7",
  "ls-files -s",
  "ls-tree -r HEAD",
  "rev-list --count HEAD",
];
const top = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
/** The .git of a worktree leads outside of it. */
const isWhole =
  hasGit &&
  lstatSync(`${top}/.git`, { throwIfNoEntry: false })?.isDirectory() === true &&
  spawnSync("/usr/bin/git", ["rev-parse", "--verify", "-q", "HEAD~60"], { cwd: top, env: ENVIRONMENT }).status === 0;

needs({ name: "a git checkout with some history", isHere: isWhole }).describe("git, in this project", () => {
  for (const line of OWN) {
    test(line, async () => {
      const real = spawnSync("bash", ["-c", `git ${line}`], { cwd: top, env: ENVIRONMENT, maxBuffer: 1 << 28 });
      const ours = await runOurs({ command: `git ${line}` }, top, { outputBytes: 1 << 26 });
      expect(ours.exit).toBe(real.status);
      expect(toBytes(ours.stdout).equals(real.stdout)).toBe(true);
    });
  }
});
