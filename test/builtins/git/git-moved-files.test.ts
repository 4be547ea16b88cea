/** Files of one size and one time that are put in each other's place: what stat(2) says besides tells that they are others. */
import { spawnSync } from "node:child_process";
import { renameSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { Shell } from "../../../src/session/shell.ts";
import { Maker } from "./git-feature-repositories.ts";
import { ENVIRONMENT, needsGit } from "./git-repositories.ts";

const LINES = [
  "status --short",
  "diff --stat",
  "diff HEAD --name-only",
  "ls-files -m",
  "diff-files",
  "diff-index HEAD",
  "describe --always --dirty",
];
/** A time that is past whatever the index was written at. */
const THEN = 1_700_000_000;

needsGit.describe("files that changed places", () => {
  test.each([
    ["swap", 70],
    ["swap", 3],
    ["move", 70],
    ["move", 3],
    ["nothing", 70],
  ])("%s, of %i", async (what, count) => {
    const maker = new Maker();
    const repository = maker.made();
    const at = (name: string): string => `${repository.path}/${name}`;
    const shell = await Shell.open({ root: repository.path, isolation: "none" });
    try {
      maker.git("init", "-q", "-b", "main");
      const names = Array.from({ length: count }, (_, number) => `a/f${number}`);
      names.forEach((name, number) => maker.write(name, `content ${number + 1000}\n`));
      for (const name of names) utimesSync(at(name), THEN, THEN);
      maker.commit("files");
      maker.git("update-index", "--refresh");
      for (const time of [1, 2]) {
        if (time === 2 && what !== "nothing") {
          renameSync(at("a/f1"), at("moved"));
          if (what === "swap") renameSync(at("a/f2"), at("a/f1"));
          renameSync(at("moved"), at("a/f2"));
        }
        for (const line of LINES.map((words) => `git ${words}`)) {
          const { stdout } = spawnSync("bash", ["-c", `GIT_OPTIONAL_LOCKS=0 ${line}`], {
            cwd: repository.path,
            env: ENVIRONMENT,
            encoding: "utf8",
          });
          expect({ line, time, stdout: String((await shell.defaultSession.run(line)).stdout) }).toEqual({ line, time, stdout });
        }
      }
    } finally {
      await shell.close();
      repository.remove();
    }
  });
});
