/** git under `paths.deny_read`: bytes of a denied file come out of no object, index, stash or diff, and each such file is named. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../../src/config/policy.ts";
import { Shell } from "../../../src/session/shell.ts";
import { ENVIRONMENT, needsGit } from "./git-repositories.ts";

const POLICY_WORDS = "Permission denied: the policy of this server does not let it be read";
const DENY_READ = ["*.pem", "/sub/private/", "/main-only.txt", "/linked/linked-only.txt", "/inner/origin/secret/"];

let root: string;
const ids = new Map<string, string>();

/** SECRET1 to SECRET9 are in denied files alone, each version with one of its own. */
needsGit.describe("git keeps what the policy denies", () => {
  beforeAll(() => {
    root = realpathSync(mkdtempSync(`${tmpdir()}/shelpa-denied-`));
    const git = (directory: string, ...args: string[]): string =>
      execFileSync("/usr/bin/git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], {
        cwd: `${root}/${directory}`,
        env: { ...ENVIRONMENT, GIT_AUTHOR_DATE: "1700000000 +0000", GIT_COMMITTER_DATE: "1700000000 +0000" },
        stdio: ["ignore", "pipe", "ignore"],
      })
        .toString()
        .trim();
    const write = (path: string, text: string): void => writeFileSync(`${root}/${path}`, text);
    const lines = "a long line that stays\nanother one that stays\nand a third that stays\n";
    git("", "init", "-q", "-b", "main", ".");
    mkdirSync(`${root}/sub/private`, { recursive: true });
    write("my.pem", `SECRET1\n${lines}`);
    write("open.txt", `open one\n${lines}`);
    write("sub/private/k.txt", "SECRET1 below\n");
    write("sub/open.txt", "open below\n");
    write("main-only.txt", "SECRET1 of the main worktree\n");
    write("linked-only.txt", "open here, and denied in the linked worktree SECRET1\n");
    git("", "add", ".");
    git("", "commit", "-q", "-m", "first");
    write("my.pem", `SECRET2\n${lines}`);
    write("open.txt", `open two\n${lines}`);
    write("sub/private/k.txt", "SECRET2 below\n");
    git("", "commit", "-q", "-a", "-m", "second");
    git("", "tag", "-a", "v1", "-m", "a tag");
    git("", "tag", "secret-blob", git("", "rev-parse", "HEAD:my.pem"));
    // A rename out of what is denied, and one into it.
    git("", "checkout", "-q", "-b", "renamed");
    renameSync(`${root}/my.pem`, `${root}/moved.txt`);
    write("moved.txt", `open three\n${lines}`);
    git("", "add", "-A");
    git("", "commit", "-q", "-m", "renamed");
    git("", "checkout", "-q", "main");
    // Two sides that change the same denied file.
    git("", "checkout", "-q", "-b", "side", "HEAD~1");
    write("my.pem", `SECRET3\n${lines}`);
    write("open.txt", `open three\n${lines}`);
    git("", "commit", "-q", "-a", "-m", "side");
    git("", "checkout", "-q", "main");
    try {
      git("", "merge", "-q", "side");
    } catch {
      write("my.pem", `SECRET4\n${lines}`);
      write("open.txt", `open four\n${lines}`);
      git("", "commit", "-q", "-a", "-m", "merged");
    }
    write("my.pem", `SECRET5\n${lines}`);
    write("open.txt", `open five\n${lines}`);
    git("", "stash", "-q");
    git("", "worktree", "add", "-q", "--detach", "linked", "HEAD");
    write("my.pem", `SECRET6\n${lines}`);
    write("open.txt", `open six\n${lines}`);
    git("", "add", "my.pem", "open.txt");
    write("my.pem", `SECRET7\n${lines}`);
    write("open.txt", `open seven\n${lines}`);
    symlinkSync("sub", `${root}/link`);
    mkdirSync(`${root}/inner`);
    git("inner", "init", "-q", "origin");
    mkdirSync(`${root}/inner/origin/secret`);
    write("inner/origin/secret/k.txt", "SECRET8\n");
    git("inner/origin", "add", ".");
    git("inner/origin", "commit", "-q", "-m", "first");
    git("inner", "clone", "-q", "-s", "-n", "origin", "borrower");
    git("inner", "clone", "-q", "--bare", "..", "bare.git");
    const files = { blob: "HEAD:my.pem", old: "HEAD~1:my.pem", tree: "HEAD:sub/private", top: "HEAD^{tree}" };
    for (const [name, typed] of Object.entries(files)) ids.set(name, git("", "rev-parse", typed));
    for (const [name, id] of [...ids]) ids.set(`${name}.path`, `.git/objects/${id.slice(0, 2)}/${id.slice(2)}`);
  });
  afterAll(() => {
    chmodSync(root, 0o700);
    rmSync(root, { recursive: true, force: true });
  });

  async function run(
    line: string,
    denyRead: readonly string[] = DENY_READ,
  ): Promise<{ exit: number | string; stdout: string; stderr: string }> {
    const shell = await Shell.open({ root, isolation: "none", policy: { ...DEFAULT_POLICY, paths: { denyRead, denyWrite: [], own: [] } } });
    try {
      const typed = line.replace(/<(\w+(?:\.path)?)>/g, (_, name: string) => ids.get(name) ?? "?");
      const { result, stdout, stderr } = await shell.defaultSession.run(typed);
      const exit =
        result.kind === "completed"
          ? result.exit
          : result.kind === "faulted"
            ? result.message
            : result.kind === "refused"
              ? result.violations[0].detail
              : result.kind;
      return { exit, stdout: stdout.toString("latin1"), stderr: stderr.toString("latin1") };
    } finally {
      await shell.close();
    }
  }

  /** Each prints bytes of a denied file where there is no policy. */
  test.each([
    "git show HEAD:my.pem",
    "git show :my.pem",
    "git show :0:my.pem",
    "git show HEAD:./my.pem",
    "cd sub && git cat-file -p HEAD:../my.pem",
    "cd sub && git show HEAD:private/k.txt || git show HEAD:./private/k.txt",
    "cd link && git show HEAD:sub/private/k.txt",
    "git show v1:my.pem v1~0:my.pem",
    "git show HEAD^{tree}:my.pem",
    "git show <blob>",
    "git show secret-blob",
    "git show HEAD:sub/private/k.txt",
    "git show <tree>:k.txt",
    "git show <top>:my.pem",
    "git show HEAD~1",
    "git show -p --stat -m HEAD",
    "git show HEAD -- my.pem",
    "git show --cc HEAD",
    "git show -c HEAD",
    "git show --word-diff HEAD~1",
    "git show -U9 v1",
    "git show renamed",
    "git show -R --no-renames renamed",
    "git -C sub show HEAD:my.pem",
    "cd linked && git show HEAD:main-only.txt",
    "git show HEAD:linked-only.txt",
    "cd linked && git show HEAD:linked-only.txt",
    "git -C inner/origin show HEAD:secret/k.txt",
    "git -C inner/borrower show HEAD:secret/k.txt",
    "git diff",
    "git diff HEAD",
    "git diff --cached",
    "git diff --staged -- my.pem",
    "git diff HEAD~1 HEAD",
    "git diff HEAD~1..HEAD -- my.pem",
    "git diff HEAD~1...side",
    "git diff <old> <blob>",
    "git diff HEAD~1:my.pem HEAD:my.pem",
    "git diff HEAD:my.pem open.txt",
    "git diff HEAD:open.txt HEAD:my.pem",
    "git diff HEAD~1:sub/private HEAD:sub/private",
    "git diff HEAD~2 <tree>",
    "git diff --color-words HEAD~1 HEAD || git diff --word-diff=plain HEAD~1 HEAD",
    "git diff --check HEAD~1 HEAD",
    "git diff HEAD HEAD~1 side",
    "git log -p",
    "git log -p -- my.pem",
    "git log -p --all --full-history -m",
    "git log -p --follow renamed -- moved.txt",
    "git log -p --graph --all",
    "git log -p -S SECRET1",
    "git log -p -G 'SECRET.'",
    "git log -L1,2:my.pem",
    "git log -L :SECRET:my.pem",
    "git whatchanged -p",
    "git reflog -p",
    "git stash show -p",
    "git stash list -p",
    "git show stash@{0}",
    "git show stash@{0}:my.pem stash@{0}^2:my.pem",
    "git grep SECRET",
    "git grep SECRET HEAD",
    "git grep --cached SECRET",
    "git grep -h SECRET HEAD~1 side",
    "git grep SECRET HEAD:sub",
    "git grep SECRET <tree>",
    "git grep SECRET <blob>",
    "git grep SECRET HEAD:my.pem",
    "git grep --untracked SECRET",
    "git grep --no-index SECRET",
    "git grep --untracked --no-exclude-standard SECRET -- . ':!nope'",
    "cd sub && git grep --no-index SECRET ..",
    "git describe --always HEAD:my.pem | grep SECRET || git ls-files --eol --with-tree=side",
    "git grep -c . HEAD -- my.pem | grep -o SECRET || git grep -n -C9 third HEAD",
    "git cat-file -p HEAD:my.pem",
    "git cat-file blob HEAD:my.pem",
    "git cat-file -p <blob>",
    "git cat-file blob secret-blob",
    "echo HEAD:my.pem | git cat-file --batch",
    "echo <blob> | git cat-file --batch",
    "printf 'contents HEAD:my.pem\\n' | git cat-file --batch-command",
    "git cat-file --batch --batch-all-objects",
    "git blame my.pem",
    "git blame HEAD~1 -- my.pem",
    "git annotate my.pem",
    "git diff --no-index my.pem open.txt",
    "git diff --no-index /dev/null my.pem",
    "git diff --no-index --stat . sub",
    "git blame -M1 -C1 -C -C HEAD -- open.txt",
    "git blame --reverse -C HEAD~1 -- my.pem",
    "git blame -L1,1 HEAD -- sub/private/k.txt",
    "git diff-tree -p HEAD~1 HEAD",
    "git diff-tree -p --root -m HEAD",
    "git diff-tree -p -c HEAD",
    "git diff-tree -p <tree> HEAD:sub || git diff-tree -p HEAD~1:sub/private HEAD:sub/private",
    "git diff-index -p HEAD",
    "git diff-index --cached -p HEAD~1",
    "git diff-files -p",
    "git for-each-ref --format='%(contents)%(raw)' refs/tags/secret-blob",
    // Nobody knows where a working tree of it is.
    "git --git-dir=inner/bare.git show HEAD:sub/private/k.txt",
    "git --git-dir=inner/bare.git --work-tree=sub show HEAD:main-only.txt",
    "git -C inner/bare.git show HEAD:main-only.txt",
    "cd inner/bare.git && git cat-file -p HEAD:main-only.txt",
    "GIT_DIR=inner/bare.git git log -p -- main-only.txt",
    "cd inner && git --git-dir=bare.git grep SECRET HEAD -- main-only.txt",
    // The working tree is the one beside it, whatever a line says.
    "git --git-dir=.git --work-tree=inner show HEAD:main-only.txt",
    "cd inner && git --git-dir=../.git show HEAD:main-only.txt",
    "git --work-tree=inner show HEAD:sub/private/k.txt",
    "git -C .git show HEAD:main-only.txt",
    "cat .git/objects/*/* | strings",
    "zcat <blob.path> || gzip -dc <blob.path> || xxd -p <blob.path> | grep .",
    "base64 <blob.path>",
    "cd .git && cat objects/*/*",
    "cp <blob.path> x || od -c <blob.path>",
    "find .git/objects -type f -exec base64 {} \\;",
    "rg -uuu --hidden -c . .git/objects",
  ])("%s", async (line) => {
    const { exit, stdout, stderr } = await run(line);
    expect(stdout + stderr).not.toContain("SECRET");
    expect(stdout).not.toMatch(/^[0-9A-Za-z+/]{60,}=*$/m);
    expect(String(exit)).not.toContain("    at ");
    if (!line.includes("||") && !line.includes("raw"))
      expect(`${stderr}${stdout}${exit}`).toMatch(/the policy of this server|^rg: .*Permission denied/);
    if (typeof exit === "number" && !/[|]|^find/.test(line)) expect(exit).not.toBe(0);
  });

  test.each([
    ["git show HEAD:open.txt", "open four"],
    ["git show HEAD:sub/open.txt", "open below"],
    ["git show HEAD^{tree}:sub/open.txt v1:open.txt", "open below"],
    ["git show :open.txt", "open six"],
    ["git diff -- open.txt", "+open seven"],
    ["git diff --cached -- . ':!*.pem'", "+open six"],
    ["git grep 'open f' HEAD -- open.txt", "HEAD:open.txt"],
    ["git log -p --format=%s -1 HEAD~1 -- open.txt", "+open two"],
    ["git blame -s open.txt", "open seven"],
    ["git cat-file -p HEAD:open.txt", "open four"],
    ["git cat-file -s HEAD:my.pem", "77"],
    ["git cat-file -t <blob>", "blob"],
    ["git cat-file -p <tree>", "k.txt"],
    ["git ls-tree -r HEAD", "my.pem"],
    ["git ls-tree -l HEAD my.pem", " 77\tmy.pem"],
    ["git ls-files", "my.pem"],
    ["git log --oneline --name-only", "my.pem"],
    ["git diff --name-status", "M\tmy.pem"],
    ["git status --short -uno", "MM my.pem"],
    ["git cat-file -p v1", "tag v1"],
    ["cat .git/HEAD", "ref: refs/heads/main"],
    ["cat .git/config", "[core]"],
    ["ls .git/objects", "pack"],
  ])("what is not denied is shown: %s", async (line, part) => {
    const { stdout, stderr, exit } = await run(line);
    expect({ stderr, exit }).toEqual({ stderr: "", exit: 0 });
    expect(stdout).toContain(part);
  });

  test("a diff names the file, says that it is not shown, and goes on", async () => {
    const { exit, stdout, stderr } = await run("git diff HEAD~1^ HEAD~1");
    expect(stdout).toMatch(
      new RegExp(`^diff --git a/my.pem b/my.pem\\nindex \\w+\\.\\.\\w+ 100644\\nNot shown: ${POLICY_WORDS}\\ndiff --git a/open`, "m"),
    );
    expect(stdout).toContain("+open two");
    expect(stderr).toBe(`error: my.pem: ${POLICY_WORDS}\nerror: sub/private/k.txt: ${POLICY_WORDS}\n`);
    expect(exit).toBe(128);
  });

  test("counts of lines are not told either", async () => {
    const { stdout, exit } = await run(
      "git diff --stat HEAD~1^ HEAD~1; git diff --numstat HEAD~1^ HEAD~1; git diff --dirstat=lines,0 HEAD~1^ HEAD~1",
    );
    expect(stdout).toBe(
      " my.pem            | Not shown\n open.txt          | 2 +-\n sub/private/k.txt | Not shown\n 3 files changed, 1 insertion(+), 1 deletion(-)\n" +
        "?\t?\tmy.pem\n1\t1\topen.txt\n?\t?\tsub/private/k.txt\n",
    );
    expect(exit).toBe(128);
  });

  test("a denied directory is no untracked one, and is named", async () => {
    const { exit, stdout, stderr } = await run("git status --short");
    expect(stdout).toBe("MM my.pem\nMM open.txt\n?? inner/\n?? link\n?? linked/\n");
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: `warning: could not open directory 'sub/private/': ${POLICY_WORDS}\n` });
  });

  test("a rename that may be one is not told from the bytes", async () => {
    const { exit, stdout, stderr } = await run("git show --format= --name-status renamed");
    expect({ exit, stdout, stderr }).toEqual({
      exit: 128,
      stdout: "A\tmoved.txt\nD\tmy.pem\n",
      stderr: `error: my.pem: ${POLICY_WORDS}\n`,
    });
  });

  test("a search says which file it did not search", async () => {
    const { exit, stdout, stderr } = await run("git grep -c third HEAD~1 -- my.pem open.txt");
    expect({ exit, stdout, stderr }).toEqual({ exit: 128, stdout: "HEAD~1:open.txt:1\n", stderr: `error: my.pem: ${POLICY_WORDS}\n` });
  });

  test("without a rule all is shown", async () => {
    expect((await run("git show HEAD:my.pem", [])).stdout).toContain("SECRET4");
    expect((await run("git cat-file -p <blob>", [])).stdout).toContain("SECRET4");
    expect((await run("base64 <blob.path> | wc -l", [])).exit).toBe(0);
    expect((await run("git diff --stat HEAD~1^ HEAD~1", [])).stdout).toContain("my.pem            | 2 +-");
  });
});
