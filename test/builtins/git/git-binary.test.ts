/** Binary patches beside the real git's, in repositories of binary files; and what of them is loaded, refused and kept from view. */
import { writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { deltaOf } from "../../../builtins/git/diff/delta.ts";
import { deflated } from "../../../builtins/git/diff/zlib-deflate.ts";
import { DEFAULT_POLICY } from "../../../src/config/policy.ts";
import { runOurs } from "../../cases.ts";
import { testBesideReal, type LineSet } from "./beside-real.ts";
import { BINARY_LINES, SHA256_BINARY_LINES } from "./binary-lines.ts";
import { makeBinaryRepository, noise } from "./binary-repository.ts";
import { Maker } from "./git-feature-repositories.ts";
import { hasGit, needsGit } from "./git-repositories.ts";

const SETS: readonly LineSet[] = [
  ["binary files", makeBinaryRepository, BINARY_LINES],
  ["binary files, sha256", () => makeBinaryRepository("sha256"), SHA256_BINARY_LINES],
];

testBesideReal("git, binary patches", SETS);

needsGit.describe("bounds of a binary patch", () => {
  const maker = hasGit ? new Maker() : undefined;
  const path = maker?.path ?? "";
  afterAll(() => maker?.made().remove());
  if (maker !== undefined) {
    maker.git("init", "-q", "-b", "main", ".");
    maker.write("secret.bin", "\0one");
    maker.write("large.bin", "");
    maker.commit("one");
    writeFileSync(`${path}/large.bin`, noise(1, 200_000));
    maker.write("secret.bin", "\0two");
  }
  test("both sides together may be half of what a stage holds", async () => {
    expect(await runOurs({ command: "git diff --binary large.bin" }, path, { heldBytes: 399_999 })).toEqual({
      stdout: "",
      stderr: "fatal: large.bin is binary, and larger than the 199999 bytes of which a patch is made here\n",
      exit: 128,
      refused: undefined,
    });
    const { stdout, exit } = await runOurs({ command: "git diff --binary large.bin" }, path, { heldBytes: 400_000 });
    expect([stdout.includes("\nGIT binary patch\nliteral 200000\n"), exit]).toEqual([true, 0]);
  });
  test("a patch of megabytes is made in many steps, between which a line can be stopped", async () => {
    const [old, now] = [noise(2, 3 << 20), noise(3, 3 << 20)];
    const steps = (made: Generator<void, unknown>): number => {
      let count = 0;
      while (made.next().done !== true) count++;
      return count;
    };
    expect(steps(deflated(now, 1))).toBe(47);
    expect(steps(deltaOf(old, now, now.length * 2))).toBeGreaterThan(12);
  });
  test("bytes that the policy does not let be read are not shown", async () => {
    const policy = { paths: { ...DEFAULT_POLICY.paths, denyRead: ["secret.bin"] } };
    const { stdout, exit } = await runOurs({ command: "git diff --binary secret.bin" }, path, {}, policy);
    expect([stdout.includes("GIT binary patch"), stdout.includes("Not shown: "), exit]).toEqual([false, true, 128]);
  });
});
