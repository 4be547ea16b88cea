/** git grep in files whose last line has no end, which is where the only hit may be. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { Shell } from "../../../src/session/shell.ts";
import { Maker } from "./git-feature-repositories.ts";
import { ENVIRONMENT, needsGit } from "./git-repositories.ts";

const FILES = {
  "f.js": "first line\nexport default foo",
  one: "a",
  xc: "c\n\nxc",
  empty: "",
  newline: "\n",
  whole: "export default foo\nlast\n",
  alone: "foo",
};
const PATTERNS = [
  "-w foo",
  "'fo*$'",
  "'o$'",
  ".",
  "-E 'c|q'",
  "'^a$'",
  "'^$'",
  "-i FOO",
  "-F foo",
  "-P 'fo+$'",
  "-v foo",
  "-e foo -e '^c'",
];
const PLACES = ["", "--cached", "--untracked", "--no-index"];
const LINES = PATTERNS.flatMap((pattern) => [
  ...PLACES.flatMap((place) => ["-n", "-l", "-c", "-L"].map((form) => `git grep ${place} ${form} ${pattern}`)),
  `git grep -h ${pattern} HEAD`,
]);

needsGit.describe("git grep", () => {
  test("finds what the last line has", { timeout: 120_000 }, async () => {
    const maker = new Maker();
    const repository = maker.made();
    const shell = await Shell.open({ root: repository.path, isolation: "none" });
    try {
      maker.git("init", "-q", "-b", "main");
      for (const [name, text] of Object.entries(FILES)) maker.write(name, text);
      maker.commit("files");
      for (const line of LINES) {
        const { stdout, stderr } = spawnSync("bash", ["-c", `${line}; echo $?`], {
          cwd: repository.path,
          env: ENVIRONMENT,
          encoding: "utf8",
        });
        const ours = await shell.defaultSession.run(`${line}; echo $?`);
        expect({ line, stdout: String(ours.stdout), stderr: String(ours.stderr) }).toEqual({ line, stdout, stderr });
      }
    } finally {
      await shell.close();
      repository.remove();
    }
  });
});
