/** A repository whose submodules went on, back and apart, came and went, are dirty in each way, lack a commit, and became a file. */
import { rmSync } from "node:fs";
import { Maker } from "./git-feature-repositories.ts";
import type { Made } from "./git-repositories.ts";

export function makeSubmoduleHistoryRepository(): Made {
  const source = new Maker();
  source.git("init", "-q", "-b", "main");
  for (const number of [1, 2, 3, 4, 5]) {
    source.write(`f${number}`, `${number}\n`);
    source.write("w", `a b c\nline ${number}\n`);
    source.commit(`c${number} subject\nin two lines\n\nBody.`);
  }
  source.git("checkout", "-q", "-b", "side", "HEAD~2");
  source.write("s", "s\n");
  source.commit("side one");
  source.git("checkout", "-q", "main");
  source.git("merge", "-q", "-m", "merge side", "side");
  const maker = new Maker();
  const checkOut = (commit: string, ...names: readonly string[]): void => {
    for (const name of names) maker.below(`d/${name}`, "checkout", "-q", commit);
  };
  maker.git("init", "-q", "-b", "main");
  maker.write("top", "top\n");
  maker.commit("top");
  for (const name of ["forward", "back", "apart", "dirty", "untracked", "both", "deleted", "inner", "gone", "file", "lost"])
    maker.git("submodule", "add", "-q", source.path, `d/${name}`);
  checkOut("main~2", "forward", "dirty", "untracked", "both", "deleted", "inner", "file");
  checkOut("origin/side", "apart");
  maker.commit("submodules");
  checkOut("main", "forward");
  checkOut("main~3", "back");
  checkOut("main~1", "apart");
  maker.commit("moved");
  maker.git("update-index", "--cacheinfo", "160000,1234567890123456789012345678901234567890,d/lost");
  maker.git("commit", "-q", "-m", "lost");
  maker.git("rm", "-qf", "d/gone");
  maker.git("commit", "-q", "-m", "removed gone");
  maker.git("submodule", "add", "-q", source.path, "d/again");
  maker.git("commit", "-q", "-m", "again");
  maker.git("rm", "-q", "--cached", "d/file");
  rmSync(`${maker.path}/d/file`, { recursive: true });
  maker.write("d/file", "file\n");
  maker.git("add", "d/file");
  maker.git("commit", "-q", "-m", "a file");
  checkOut("main~1", "forward", "both", "lost");
  maker.write("d/dirty/w", "dirty\n");
  maker.write("d/untracked/u", "u\n");
  maker.write("d/both/w", "a b c\nline 5\ndirty\n");
  maker.write("d/both/added", "added\n");
  maker.below("d/both", "add", "added");
  maker.write("d/both/u", "u\n");
  rmSync(`${maker.path}/d/deleted`, { recursive: true });
  // A submodule of a submodule.
  maker.write("d/inner/deep/1", "1\n");
  maker.below("d/inner/deep", "init", "-q", "-b", "main");
  for (const text of ["1", "2"]) {
    maker.write("d/inner/deep/1", `${text}\n`);
    maker.below("d/inner/deep", "add", ".");
    maker.below("d/inner/deep", "commit", "-q", "-m", text);
    if (text === "1") {
      maker.below("d/inner", "add", "deep");
      maker.below("d/inner", "commit", "-q", "-m", "with deep");
    }
  }
  maker.below("d/again", "config", "diff.context", "0");
  source.made().remove();
  return maker.made();
}
