/** A directory that git would take for a repository is not written, and none is made: by every order, spelling and door. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { gitDirectoryOf } from "../../src/audit/git-directory.ts";
import { createRecorder } from "../../src/audit/recorder.ts";
import { planRestore, restore } from "../../src/audit/restore.ts";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { Shell } from "../../src/session/shell.ts";
import { FileError } from "../../src/workspace/file-error.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { tree, type Tree } from "../tree.ts";
import { skipWithout } from "../needs.ts";

const BARE = [
  "x.git/HEAD: ref: refs/heads/main\n",
  "x.git/objects/",
  "x.git/refs/",
  "x.git/config: [core]\n",
  "x.git/worktrees/w/gitdir: /w\n",
];

/** Git's own word: exit status 128 where it finds none. */
function isRepository(path: string): boolean {
  skipWithout("git");
  const { status } = spawnSync("git", ["-C", path, "rev-parse", "--git-dir"]);
  expect([0, 128]).toContain(status);
  return status === 0;
}

let place: Tree | undefined;
beforeEach(() => {
  place = undefined;
});
afterEach(() => place?.remove());

async function run(lines: readonly string[], files: readonly string[]): Promise<readonly (string | number)[]> {
  place = tree(files);
  // Approval is no way around it.
  const approval = { ...DEFAULT_POLICY.approval, preApproved: ["*"] };
  const shell = await Shell.open({ root: place.path, isolation: "none", policy: { ...DEFAULT_POLICY, approval } });
  try {
    const found: (string | number)[] = [];
    for (const line of lines) {
      const { result } = await shell.defaultSession.run(line);
      found.push(result.kind === "completed" ? result.exit : result.kind === "refused" ? result.violations[0].reason : result.kind);
    }
    return found;
  } finally {
    await shell.close();
  }
}

const REFUSED = "PROTECTED_PATH";

describe("the line that writes in one, or makes one, is refused", () => {
  const rows: readonly (readonly [line: string, files?: readonly string[]])[] = [
    ["echo x | tee x.git/config", BARE],
    ["echo x | tee x.git/hooks/post-checkout", BARE],
    ["echo x | tee -a x.git/info/attributes", BARE],
    ["echo x | tee x.git/objects/ab/cd", BARE],
    ["echo x | tee x.git/worktrees/w/config.worktree", BARE],
    ["echo x | tee x.git/new/deep/f", BARE],
    ["cd x.git/hooks && echo x | tee pre-commit", [...BARE, "x.git/hooks/a: x\n"]],
    ["echo x | tee link/config", [...BARE, "link => x.git"]],
    ["echo x | tee -- ./x.git//refs/../config", BARE],
    ["echo x | xargs -I% true; printf x.git/config | xargs tee", BARE],
    ["for f in config; do echo x | tee x.git/$f; done", BARE],
    ["echo x | tee config", ["HEAD: ref: refs/heads/main\n", "objects/", "refs/"]],
    ["echo x | tee w/config", ["w/HEAD: ref: refs/heads/main\n", "w/commondir: ../other\n"]],
    ["echo x | tee d/HEAD", ["d/objects/", "d/refs/"]],
    ["echo x | tee d/head", ["d/OBJECTS/", "d/Refs/"]],
    ["echo x | tee d/ＨＥＡＤ", ["d/objects/", "d/refs/"]],
    ["echo x | tee d/HEAD", ["d/objects => ../o", "d/refs: a file\n", "o/"]],
    ["echo x | tee d/objects/pack/a", ["d/HEAD: ref: refs/heads/main\n", "d/refs/"]],
    ["echo x | tee d/refs/heads/main", ["d/HEAD: ref: refs/heads/main\n", "d/objects/"]],
    ["echo x | tee d/refs", ["d/HEAD: ref: refs/heads/main\n", "d/objects/"]],
    ["echo x | tee d/commondir", ["d/HEAD: ref: refs/heads/main\n"]],
    ["echo x | tee d/HEAD", ["d/commondir: x\n"]],
    ["echo x | tee d/HEAD d/objects/x d/refs/y"],
    ["echo x | tee d/refs/y d/objects/x d/HEAD"],
    ["echo x | tee a/b/HEAD a/b/commondir"],
    ["echo x | tee HEAD objects/x refs/y"],
    ["echo x | tee d/HEAD D/x d/Objects/x d/refs/y", ["D/"]],
  ];
  test.each(rows.map(([line, files]) => ({ line, files })))("$line in $files", async ({ line, files = ["z: x\n"] }) => {
    const [found] = await run([line], files);
    expect(found).toBe(REFUSED);
    expect(existsSync(`${place?.path}/.shelpa`)).toBe(false);
  });
});

describe("step by step, the last is refused", () => {
  test.each([
    [["echo x | tee d/config d/hooks/post-checkout", "echo x | tee d/objects/x d/refs/y", "echo x | tee d/HEAD"]],
    [["echo ref: refs/x | tee d/HEAD", "echo x | tee d/objects/x", "echo x | tee d/refs/y"]],
    [["echo ref: refs/x | tee d/HEAD d/refs/y", "echo x | tee -a d/HEAD", "echo x | tee d/objects/a/b"]],
    [["echo ref: refs/x | tee d/HEAD", "echo x | tee d/objects", "echo x | tee d/commondir"]],
    [["echo x | tee d/HEAD", "echo x | tee d/objects/x d/refs/y", "echo ref: refs/x | tee d/HEAD"]],
  ])("%j", async (lines) => {
    expect(await run(lines, [])).toEqual([0, 0, REFUSED]);
    expect(isRepository(`${place?.path}/d`)).toBe(false);
  });

  test("in one line", async () => {
    expect(await run(["echo x | tee d/objects/x d/refs/y; echo ref: refs/heads/main | tee d/HEAD"], [])).toEqual([REFUSED]);
    expect(existsSync(`${place?.path}/d/HEAD`)).toBe(false);
  });

  test.each([
    "{ echo x | tee d/objects/a d/refs/b; echo ref: refs/heads/main; } | tee d/HEAD",
    "{ echo ref: refs/x | tee d/HEAD; echo x; } | tee d/objects/a d/refs/b",
    "echo $(echo x | tee d/refs/b d/objects/a) | tee d/HEAD",
  ])("in one line, where the write that began first ends last: %s", async (line) => {
    expect(await run([line], [])).toEqual([REFUSED]);
    expect(isRepository(`${place?.path}/d`)).toBe(false);
  });
});

test.each([
  ["echo x | tee docs/config", ["docs/a: x\n"]],
  ["echo x | tee src/HEAD", ["src/a: x\n"]],
  ["echo x | tee src/objects/a.ts src/refs/b.ts", ["src/a: x\n"]],
  ["echo x | tee HEAD", ["objects/"]],
  ["echo x | tee d/refs", ["d/HEAD: x\n"]],
  ["echo x | tee d/sub/objects/a", ["d/HEAD: x\n", "d/refs/"]],
  ["echo x | tee d/x d/y/HEAD d/z/objects/a d/z/refs/b", ["d/"]],
  ["echo x | tee d/commondir", ["d/"]],
  ["echo x | tee hooks/pre-commit", ["a: x\n"]],
  ["echo x | tee beside/config", [...BARE, "beside/"]],
  ["echo x | tee f/HEAD", ["f/objects: x\n"]],
  ["echo x | tee src/commondir", ["src/HEAD: x\n"]],
  ["echo x | tee m/objects/a m/refs/b m/config", ["m/HEAD: plain text\n", "m/objects/", "m/refs/"]],
])("ordinary: %s", async (line, files) => {
  expect(await run([line], files)).toEqual([0]);
});

describe("the HEAD of a repository is one that git takes for it", () => {
  const HEX = "0123456789abcdef0123456789ABCDEF01234567";
  test.each<{ files: readonly string[]; isOne: boolean; modes?: Readonly<Record<string, number>> }>([
    { files: ["d/HEAD: ref: refs/heads/main\n"], isOne: true },
    { files: ["d/HEAD: ref:\t \n refs/"], isOne: true },
    { files: ["d/HEAD: ref:refs/x"], isOne: true },
    { files: [`d/HEAD: ${HEX}\n`], isOne: true },
    { files: [`d/HEAD: ${HEX}${HEX.slice(0, 24)}\n`], isOne: true },
    { files: ["d/HEAD => refs/heads/none"], isOne: true },
    { files: ["d/HEAD: "], isOne: false },
    { files: ["d/HEAD: plain text\n"], isOne: false },
    { files: ["d/HEAD: ref: heads/main\n"], isOne: false },
    { files: [`d/HEAD: ${HEX.slice(1)}\n`], isOne: false },
    { files: ["d/HEAD => ../HEAD", "HEAD: ref: refs/heads/main\n"], isOne: false },
    { files: ["d/HEAD/"], isOne: false },
  ])("$files: $isOne", async ({ files, isOne }) => {
    expect(await run(["echo x | tee d/config"], [...files, "d/objects/", "d/refs/"])).toEqual([isOne ? REFUSED : 0]);
    rmSync(`${place?.path}/d/config`, { force: true });
    expect(isRepository(`${place?.path}/d`)).toBe(isOne);
    if (!isOne) expect(await run(["echo x | tee d/HEAD"], ["d/objects/", "d/refs/"])).toEqual([REFUSED]);
  });

  test.each([
    { files: ["d/objects: x\n", "d/refs/"], isOne: false },
    { files: ["d/objects/", "d/refs: x\n"], isOne: false },
    { files: ["d/objects => ../o", "d/refs/", "o/"], isOne: true },
  ])("its parts are directories: $files: $isOne", async ({ files, isOne }) => {
    expect(await run(["echo x | tee d/config"], ["d/HEAD: ref: refs/x\n", ...files])).toEqual([isOne ? REFUSED : 0]);
  });
});

test("a path in .git is told once", async () => {
  place = tree([".git/HEAD: ref: refs/heads/main\n", ".git/objects/", ".git/refs/"]);
  const shell = await Shell.open({ root: place.path, isolation: "none", policy: DEFAULT_POLICY });
  try {
    const { result } = await shell.defaultSession.run("echo x | tee .git/config");
    expect(result.kind === "refused" && result.violations.map(({ reason }) => reason)).toEqual([REFUSED]);
  } finally {
    await shell.close();
  }
});

test("of a copy into a directory the file is named that git would look for", async () => {
  place = tree(["d/HEAD: ref: refs/heads/main\n", "d/objects/", "s/refs/x: 1\n"]);
  const shell = await Shell.open({ root: place.path, isolation: "none", policy: DEFAULT_POLICY });
  try {
    const { result } = await shell.defaultSession.run("cp -r s/refs d/");
    expect(result.kind === "refused" && result.violations.map(({ detail }) => detail)).toEqual([
      "'d/refs': Protected path: with it, git would take 'd' for a repository, whose settings and hooks run commands.",
    ]);
  } finally {
    await shell.close();
  }
});

test("the mirrors of files that are gone make no git directory", async () => {
  const lines = [": | tee -a a/objects/k a/refs/k", "echo '[core]' | tee -a a/config"];
  expect(await run(lines, [])).toEqual([0, 0]);
  const root = place?.path ?? "";
  rmSync(`${root}/a`, { recursive: true });
  const shell = await Shell.open({ root, isolation: "none", policy: DEFAULT_POLICY });
  try {
    const { result } = await shell.defaultSession.run("echo ref: refs/heads/main | tee -a a/HEAD");
    expect(result).toMatchObject({ kind: "completed", exit: 0 });
    expect(existsSync(`${root}/.shelpa/a/HEAD`)).toBe(false);
    expect(readdirSync(`${root}/.shelpa/@/aside`)).toHaveLength(1);
    expect(readFileSync(`${root}/a/HEAD`, "utf8")).toBe("ref: refs/heads/main\n");
    expect(isRepository(`${root}/.shelpa/a`)).toBe(false);
  } finally {
    await shell.close();
  }
});

test("the recorder itself refuses, whoever calls it, and says why", () => {
  place = tree(BARE);
  const workspace = Workspace.open(place.path);
  try {
    const recorder = createRecorder(workspace, { session: "s", client: "c", line: "l", confirmOversize: false });
    const refusal = (...targets: string[]): string => {
      try {
        recorder.begin(targets, "overwrite", "").abort();
        return "begun";
      } catch (thrown) {
        return thrown instanceof FileError ? `${thrown.code} ${thrown.path}: ${thrown.message}` : String(thrown);
      }
    };
    expect(refusal("x.git/config")).toBe(
      "PROTECTED_PATH x.git/config: Protected path: git takes 'x.git' for a repository, whose settings and hooks run commands",
    );
    expect(refusal("a", "d/HEAD", "d/objects/x", "d/refs/y")).toBe(
      "PROTECTED_PATH d/HEAD: Protected path: with it, git would take 'd' for a repository, whose settings and hooks run commands",
    );
    expect(refusal("a", "b")).toBe("begun");
    expect(gitDirectoryOf(workspace.writer(), "x.git/a/b")).toEqual({ path: "x.git", how: "inside" });
  } finally {
    workspace.close();
  }
});

test("a restore neither changes a file in one nor makes one", async () => {
  place = tree([]);
  const workspace = Workspace.open(place.path);
  try {
    const recorder = createRecorder(workspace, { session: "s", client: "c", line: "l", confirmOversize: false });
    const write = (path: string, text: string): string => {
      const transaction = recorder.begin([path], "overwrite", "");
      transaction.write(Buffer.from(text));
      return transaction.commit()[0]?.recordId ?? "";
    };
    const config = write("d/config", "evil\n");
    write("d/config", "harmless\n");
    const head = write("d/HEAD", "ref: refs/heads/main\n");
    const created = planRestore(workspace, head, { undo: true });
    restore(workspace, created, { session: "s", client: "c", line: "l" });
    execFileSync("mkdir", [`${place.path}/d/objects`, `${place.path}/d/refs`]);
    const again = planRestore(workspace, head, { undo: false });
    expect(() => restore(workspace, again, { session: "s", client: "c", line: "l" })).toThrow("git would take 'd' for a repository");
    skipWithout("git");
    execFileSync("git", ["init", "-q", "--bare", `${place.path}/d`], { stdio: "ignore" });
    const back = planRestore(workspace, config, { undo: false });
    expect(() => restore(workspace, back, { session: "s", client: "c", line: "l" })).toThrow("git takes 'd' for a repository");
    expect(readFileSync(`${place.path}/d/config`, "utf8")).not.toContain("evil");
  } finally {
    workspace.close();
  }
});
