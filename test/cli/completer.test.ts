/** Words that Tab offers at the prompt of `shelpa`, with the part of the line that they replace. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { spawnSync } from "node:child_process";
import { Completer } from "../../src/cli/completer.ts";
import { Shell } from "../../src/session/shell.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let shell: Shell;
let workspace: Workspace;
let completer: Completer;

beforeAll(async () => {
  place = tree([
    "src/",
    "src/main.ts: x\n",
    "src/map.ts: x\n",
    "a b.txt: x\n",
    "it's: x\n",
    ".hidden: x\n",
    "sub dir/",
    "sub dir/x: x\n",
    "zz'q;rm a: x\n",
    "zz$(rm a): x\n",
    "ww'a b: x\n",
    "ww'a c: x\n",
  ]);
  shell = await Shell.open({ root: place.path, isolation: "none" });
  workspace = Workspace.open(place.path);
  completer = new Completer(workspace, shell.defaultSession);
});
afterAll(async () => {
  workspace.close();
  await shell.close();
  place.remove();
});

test.each([
  ["gre", ["grep "], "gre"],
  ["ls | un", ["unalias", "uname", "undo", "unexpand", "uniq", "unset", "unzip"], "un"],
  ["if gre", ["grep "], "gre"],
  ["LC_ALL=C sor", ["sort "], "sor"],
  ["echo $(toucha", [], "toucha"],
  ["cat sr", ["src/"], "sr"],
  ["cat src/", ["src/main.ts", "src/map.ts"], "src/"],
  ["cat ~/src/mai", ["~/src/main.ts "], "~/src/mai"],
  ["cat src/m", ["src/main.ts", "src/map.ts"], "src/m"],
  ["cat a", ["a\\ b.txt "], "a"],
  ["cat a\\ ", ["a\\ b.txt "], "a\\ "],
  ["cat 'a ", ["'a b.txt' "], "'a "],
  ['cat "a ', ['"a b.txt" '], '"a '],
  ["cat it", ["it\\'s "], "it"],
  ["cat 'su", ["'sub dir/"], "'su"],
  ["cat sub\\ dir/", ["sub\\ dir/x "], "sub\\ dir/"],
  ["cat .h", [".hidden "], ".h"],
  ["cat z", ["zz"], "z"],
  ["cat zz", ["zz$(rm a)", "zz'q;rm a"], "zz"],
  ['cat "zz', ['"zz\\$(rm a)', `"zz'q;rm a`], '"zz'],
  ["cat 'zz", ["'zz$(rm a)", "'zz'\\''q;rm a"], "'zz"],
  ["cat ww", ["ww\\'a\\ b", "ww\\'a\\ c"], "ww"],
  ["cat nothing", [], "nothing"],
  ["cat < src/mai", ["src/main.ts "], "src/mai"],
  ["cd s", ["src/", "sub\\ dir/"], "s"],
  ["cd a", [], "a"],
  ["grep --context", ["--context="], "--context"],
  ["grep --line-n", ["--line-number "], "--line-n"],
  ["grep --file=src/mai", ["--file=src/main.ts "], "--file=src/mai"],
  ["help gre", ["grep "], "gre"],
  ["cat $HO", ["$HOME"], "$HO"],
  ['total=1; echo "$to', ["$total"], "$to"],
  ["for item in a b; do echo x$it", ["$item"], "$it"],
  ["cat '$HO", [], "'$HO"],
])("%s", async (text, offered, replaced) => {
  expect(await completer.complete(text)).toEqual([offered, replaced]);
});

test("records of the audit, the newest first", async () => {
  for (const content of ["one", "two"]) await shell.defaultSession.run("tee kept", { stdin: content });
  const { stdout } = await shell.defaultSession.run("history kept | cut -f2");
  const records = stdout.toString().trim().split("\n").reverse();
  expect(records).toHaveLength(2);
  const [offered] = await completer.complete("undo 1");
  expect(offered).toEqual(records);
});

needs("git").describe("in a repository", () => {
  beforeAll(() => {
    const git = (...args: string[]): void => {
      spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: place.path });
    };
    git("init", "-q", "-b", "trunk");
    git("commit", "-q", "--allow-empty", "-m", "x");
    git("branch", "topic");
    git("tag", "tested");
  });
  describe("the names that it has", () => {
    test.each([
      ["git sho", ["shortlog", "show", "show-branch", "show-ref"], "sho"],
      ["git log t", ["tested", "topic", "trunk"], "t"],
      ["git diff trunk..top", ["trunk..topic "], "trunk..top"],
      ["git log HE", ["HEAD "], "HE"],
      ["git log -- t", [], "t"],
      ["git show s", ["src/", "sub\\ dir/"], "s"],
      ["git log --one", ["--oneline "], "--one"],
      ["git log --max-c", ["--max-count="], "--max-c"],
    ])("%s", async (text, offered, replaced) => {
      const [words, part] = await completer.complete(text);
      expect([[...words].sort(), part]).toEqual([offered, replaced]);
    });
  });
});
