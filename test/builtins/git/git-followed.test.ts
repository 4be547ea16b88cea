/** Every line of git-followed-lines.ts through ours and the real git: bytes and exit status must be the same. */
import { afterAll, expect, test } from "vitest";
import { testBesideReal } from "./beside-real.ts";
import { FOLLOWED_LINES } from "./git-followed-lines.ts";
import { makeFollowedRepository } from "./git-followed-repository.ts";
import { besideReal, hasGit, needsGit } from "./git-repositories.ts";

testBesideReal("git log, with paths that are followed", [["followed", makeFollowedRepository, FOLLOWED_LINES.followed]]);

needsGit.describe("what git follows no path with is refused", () => {
  const made = hasGit ? makeFollowedRepository() : undefined;
  afterAll(() => made?.remove());
  test.each([
    ["git log --follow -- ':(icase)S/C.txt'", /^fatal: --follow is not done with the pathspec magic 'icase'/],
    ["git log --follow -- ':(glob)s/*.txt'", /^fatal: --follow is not done with the pathspec magic 'glob'/],
    ["git log --follow -C -C -- s/c.txt", /^fatal: --follow is not done here with -C -C/],
    ["git log --follow --find-object=v2:s/c.txt -- s/c.txt", /^fatal: --follow is not done here with --find-object/],
    ["git log --find-object=v2:s", /^fatal: --find-object looks for files and submodules alone here/],
  ])("%s", async (line, stderr) => {
    const { ours } = await besideReal(line, made?.path ?? "");
    expect(ours).toMatchObject({ stdout: "", stderr: expect.stringMatching(stderr), exit: 128 });
  });
});
