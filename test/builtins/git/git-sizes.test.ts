/** Sizes for people (count-objects -H): the places to which git rounds them. */
import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Shell } from "../../../src/session/shell.ts";
import { Maker } from "./git-feature-repositories.ts";
import { ENVIRONMENT, needsGit } from "./git-repositories.ts";

const KIBI = 1 << 10;
const MEBI = 1 << 20;
/** Around a half of a hundredth, where units begin, and between. */
const SIZES = [
  ...Array.from({ length: 24 }, (_, number) => 5 * KIBI + number),
  ...[MEBI - 10, MEBI - 1, MEBI, MEBI + 1, MEBI + 5_242, MEBI + 5_243, MEBI + 5_244, 3 * MEBI - 5_244, 3 * MEBI - 5_243],
];

needsGit.describe("sizes for people", () => {
  test("git count-objects -vH", async () => {
    const maker = new Maker();
    const repository = maker.made();
    const shell = await Shell.open({ root: repository.path, isolation: "none" });
    try {
      maker.git("init", "-q", "-b", "main");
      maker.write("a", "a\n");
      maker.commit("one");
      maker.git("repack", "-adq");
      const packs = join(repository.path, ".git/objects/pack");
      const [pack = "", index = ""] = readdirSync(packs).sort().reverse();
      expect([pack, index]).toEqual([expect.stringMatching(/\.pack$/), expect.stringMatching(/\.idx$/)]);
      chmodSync(join(packs, pack), 0o600);
      for (const size of SIZES) {
        truncateSync(join(packs, pack), size);
        const { stdout: real } = spawnSync("git", ["count-objects", "-vH"], { cwd: repository.path, env: ENVIRONMENT, encoding: "utf8" });
        const { stdout } = await shell.defaultSession.run("git count-objects -vH");
        expect([size, Buffer.from(stdout).toString()]).toEqual([size, real]);
      }
    } finally {
      await shell.close();
      repository.remove();
    }
  });
});
