/** `git checkout -- FILE` and `git restore FILE` are refused with the way to take a change back. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Shell } from "../../../src/session/shell.ts";
import { tree, type Tree } from "../../tree.ts";

let place: Tree;
let shell: Shell;
beforeEach(async () => {
  place = tree(["f: old", "g: old", "sub/"]);
  shell = await Shell.open({ root: place.path, isolation: "none" });
});
afterEach(async () => {
  await shell.close();
  place.remove();
});

async function suggestion(line: string): Promise<string | undefined> {
  const { result } = await shell.defaultSession.run(line);
  return result.kind === "refused" ? result.violations[0].suggestion : `${result.kind}`;
}

test("a file with a record: undo; any other: its committed bytes", async () => {
  await shell.defaultSession.run("echo new | tee f sub/h");
  expect(await suggestion("git checkout -- f")).toBe("undo f");
  expect(await suggestion("git checkout f")).toBe("undo f");
  expect(await suggestion("git restore f")).toBe("undo f");
  expect(await suggestion("git checkout HEAD -- g")).toBe("git show HEAD:./g | tee g >/dev/null");
  expect(await suggestion("git restore --source=HEAD 'g'")).toBe("git show HEAD:./g | tee g >/dev/null");
  await shell.defaultSession.run("cd sub");
  expect(await suggestion("git restore h")).toBe("undo h");
});

test("a file of another commit: its bytes there", async () => {
  await shell.defaultSession.run("echo new | tee f");
  expect(await suggestion("git checkout HEAD~2 -- f")).toBe("git show 'HEAD~2:./f' | tee f >/dev/null");
  expect(await suggestion("git checkout v1.4.2 -- sub/h")).toBe("git show v1.4.2:./sub/h | tee sub/h >/dev/null");
  for (const source of ["--source=main~1", "--source main~1", "-s main~1", "-smain~1"])
    expect(await suggestion(`git restore ${source} f`)).toBe("git show 'main~1:./f' | tee f >/dev/null");
});

test("a side of a conflict: the bytes of its stage in the index", async () => {
  expect(await suggestion("git checkout --ours f")).toBe("git show :2:./f | tee f >/dev/null");
  expect(await suggestion("git checkout --theirs -- ./sub/h")).toBe("git show :3:./sub/h | tee ./sub/h >/dev/null");
  expect(await suggestion("git restore --theirs 'a b'")).toBe("git show ':3:./a b' | tee 'a b' >/dev/null");
  expect((await suggestion("git checkout --ours f g")) ?? "").not.toMatch(/tee/);
  expect((await suggestion("git checkout --ours .")) ?? "").not.toMatch(/tee/);
});

test("other uses of the two commands have the way out that they had", async () => {
  await shell.defaultSession.run("echo new | tee f");
  for (const line of [
    "git checkout main",
    "git checkout -b f",
    "git restore --staged f",
    "git checkout -- sub",
    "git checkout -- .",
    "git checkout HEAD~2 f -- g",
    "git -C sub restore f",
  ]) {
    expect((await suggestion(line)) ?? "", line).not.toMatch(/undo|tee/);
  }
});
