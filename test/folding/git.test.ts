/** git on a volume that folds names: what is tracked is known in the spelling that the volume lists, as git itself has it. */
import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { afterAll, beforeAll, expect } from "vitest";
import { needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";
import { FoldingServer, VOLUME } from "./folding-server.ts";

const { describe, test } = needs(VOLUME, "git");

let place: Tree;
let server: FoldingServer;
const git = (...args: readonly string[]): string =>
  execFileSync("git", ["-C", place.path, "-c", "user.name=t", "-c", "user.email=t@t", "-c", "core.quotepath=off", ...args], {
    encoding: "utf8",
  });

describe("files and directories whose case was changed in the working tree", () => {
  beforeAll(() => {
    place = tree(["Foo.txt: a\n", "Src/Deep/Bar.c: b\n", "Src/other: c\n", "gone: d\n"]);
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "all");
    for (const [from, to] of [["Foo.txt", "foo.TXT"] as const, ["Src", "SRC"] as const, ["SRC/Deep", "SRC/deep"] as const]) {
      renameSync(`${place.path}/${from}`, `${place.path}/step`);
      renameSync(`${place.path}/step`, `${place.path}/${to}`);
    }
    server = new FoldingServer(place.path);
  });
  afterAll(async () => {
    await server.close();
    place.remove();
  });

  for (const [name, change] of [
    ["as they are", ""],
    ["with one written to, and new ones beside", "echo new | tee SRC/OTHER Src/New sub/x >/dev/null"],
    ["with one removed", "rm GONE"],
  ] as const) {
    test(name, {}, async () => {
      expect(git("config", "core.ignorecase")).toBe("true\n");
      if (change !== "") await server.run(change);
      for (const args of ["status --short", "status --short -uall", "ls-files -o", "ls-files -m", "diff --stat", "clean -n"]) {
        const real = git(...args.split(" "))
          .split("\n")
          .filter((line) => !line.includes(".shelpa"));
        const { text } = await server.run(`git ${args}`);
        const ours = text.replace(/\(no output, exit 0\)$/, "");
        expect(ours.trimEnd().split("\n"), args).toEqual(real.join("\n").trimEnd().split("\n"));
      }
    });
  }
});

describe("names that are listed decomposed", () => {
  beforeAll(() => {
    place = tree(["ä.txt: a\n", "dé/ö: b\n"]);
    git("init", "-q");
    git("config", "core.precomposeunicode", "true");
    // As git on a Mac puts them into the index, however they are listed.
    for (const path of ["ä.txt", "dé/ö"])
      git("update-index", "--add", "--cacheinfo", "100644", git("hash-object", "-w", path).trim(), path);
    git("update-index", "--refresh");
    git("commit", "-qm", "all");
    server = new FoldingServer(place.path);
  });
  afterAll(async () => {
    await server.close();
    place.remove();
  });

  for (const [line, expected] of [
    ["git status --short", "(no output, exit 0)"],
    ["git ls-files -o --exclude=.shelpa", "(no output, exit 0)"],
    ["echo x | tee é >/dev/null; git -c core.quotepath=off status --short", "?? é"],
  ] as const) {
    test(line, {}, async () => expect((await server.run(line)).text.split("\n\n[shelpa]")[0]?.trimEnd()).toBe(expected));
  }
});
