/** Every line of git-lines.ts through our git and the real one: bytes and exit status must be the same. */
import { spawnSync } from "node:child_process";
import { afterAll, describe, expect, test } from "vitest";
import { toBytes, toText } from "../../src/io/text.ts";
import { runOurs } from "../cases.ts";
import { LINES } from "./git-lines.ts";
import { ENVIRONMENT, hasGit, makeRepository } from "./git-repositories.ts";

/** What differs, and why: taken out as it is mended. */
const DIFFERS: ReadonlyMap<string, string> = new Map<string, string>([
  ["git rev-parse :/x", "commits by their words are not available yet"],
  ["git show :/", "commits by their words are not available yet"],
  ["git log -z --name-only --oneline -2", "not available yet"],
]);

const report = process.env["SHELPA_GIT_REPORT"];

describe.skipIf(!hasGit)("git, against the real one", () => {
  for (const seed of [1, 2]) {
    const made = hasGit ? makeRepository(seed) : undefined;
    afterAll(() => made?.remove());
    for (const line of LINES) {
      test(`${seed}: ${line}`, async () => {
        const path = made?.path ?? "";
        const real = spawnSync("bash", ["-c", line], { cwd: path, env: ENVIRONMENT, maxBuffer: 1 << 28 });
        const ours = await runOurs({ command: line }, path);
        const wanted = { stdout: toText(real.stdout), stderr: toText(real.stderr), exit: real.status, refused: undefined };
        if (report === undefined && DIFFERS.has(line)) return expect(ours).not.toEqual(wanted);
        expect(ours).toEqual(wanted);
        expect(toBytes(ours.stdout).equals(real.stdout)).toBe(true);
      });
    }
  }
});
