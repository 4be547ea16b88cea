/** Sizes of what is stored (count-objects, rev-list --disk-usage), and the places to which git rounds them. */
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

const LINES = [
  ...["", "--objects", "--count", "--count --objects", "--quiet --objects", "--reverse", "--oneline", "-1", "--boundary"].map(
    (flags) => `git rev-list --disk-usage ${flags} HEAD~2..HEAD`,
  ),
  "git rev-list --disk-usage=human --disk-usage --objects --all",
  "git rev-list --disk-usage=kibi HEAD",
  "git rev-list --left-right --count --disk-usage HEAD~3...HEAD~1",
  "git rev-list --disk-usage --objects HEAD -- d",
  "git rev-list --disk-usage --objects --filter=blob:none HEAD",
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

  test.each(["loose", "packed"])("git rev-list --disk-usage of %s objects", async (form) => {
    const maker = new Maker();
    const repository = maker.made();
    const shell = await Shell.open({ root: repository.path, isolation: "none" });
    try {
      maker.git("init", "-q", "-b", "main");
      for (let number = 0; number < 5; number++) {
        maker.write("a", `${"line\n".repeat(200)}${number}\n`);
        maker.write("d/b", `${number}\n`);
        maker.commit(`change ${number}`);
      }
      if (form === "packed") maker.git("repack", "-adq");
      for (const line of LINES) {
        const told = `${line}; echo $?`;
        const { stdout, stderr } = spawnSync("bash", ["-c", told], { cwd: repository.path, env: ENVIRONMENT, encoding: "utf8" });
        const ours = await shell.defaultSession.run(told);
        expect({ line, stdout: String(ours.stdout), stderr: String(ours.stderr) }).toEqual({ line, stdout, stderr });
      }
    } finally {
      await shell.close();
      repository.remove();
    }
  });
});
