/** Descriptors that git holds open, let go of however a line ends: where nobody wants the rest, and where a repository is not in order. */
import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Shell } from "../../../src/session/shell.ts";
import { Maker } from "./git-feature-repositories.ts";
import { needsGit } from "./git-repositories.ts";

/** Each prints more than the first line, of which `head` takes no more. */
const LINES = [
  ...["log", "log -p", "log --oneline", "log --graph --oneline", "show HEAD", "blame big", "diff HEAD~3", "diff --binary HEAD~3"],
  ...["ls-files", "ls-files -m -c", "ls-tree -r HEAD", "rev-list HEAD", "rev-list --objects HEAD", "grep -n line", "grep -n line HEAD"],
  ...["cat-file --batch-check --batch-all-objects", "status", "format-patch --stdout HEAD~3", "archive HEAD"],
].map((words) => `git ${words} | head -1`);

const openFiles = (): number => readdirSync("/proc/self/fd").length;

needsGit.describe("descriptors", () => {
  test("of a line whose end nobody wants", { timeout: 120_000 }, async () => {
    const maker = new Maker();
    const repository = maker.made();
    const shell = await Shell.open({ root: repository.path, isolation: "none" });
    try {
      maker.git("init", "-q", "-b", "main");
      for (let number = 0; number < 12; number++) {
        maker.write("big", Array.from({ length: 4000 }, (_, line) => `line ${line} of ${number * line}\n`).join(""));
        for (let file = 0; file < 60; file++) maker.write(`d${file % 7}/f${file}`, `line ${file} ${number}\n`);
        maker.commit(`change ${number}`);
      }
      maker.git("repack", "-adq");
      for (const line of LINES) {
        await shell.defaultSession.run(line);
        const before = openFiles();
        for (let time = 0; time < 5; time++) expect(String((await shell.defaultSession.run(line)).stdout), line).not.toBe("");
        expect(openFiles() - before, line).toBeLessThan(5);
      }
    } finally {
      await shell.close();
      repository.remove();
    }
  });

  test("of a repository in which a search ends with an error", async () => {
    const maker = new Maker();
    const repository = maker.made();
    const shell = await Shell.open({ root: repository.path, isolation: "none" });
    try {
      maker.git("init", "-q", "-b", "main");
      const deep = Array.from({ length: 20 }, (_, depth) => `d${depth}`).join("/");
      maker.write(`${deep}/f`, "x\n");
      maker.commit("deep");
      writeFileSync(`${repository.path}/${deep}/.gitignore`, "");
      truncateSync(`${repository.path}/${deep}/.gitignore`, 300 << 20);
      mkdirSync(`${repository.path}/sub`);
      maker.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`);
      symlinkSync("/", `${repository.path}/sub/.git`);
      for (const line of ["git status", "git status --short", "git diff --submodule=diff"]) {
        await shell.defaultSession.run(line);
        const before = openFiles();
        for (let time = 0; time < 5; time++) await shell.defaultSession.run(line);
        expect(openFiles() - before, line).toBeLessThan(5);
      }
    } finally {
      await shell.close();
      repository.remove();
    }
  });
});
