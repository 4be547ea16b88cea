/** The policy where it is enforced: the whole way from a line to a file. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_POLICY, type Policy } from "../../src/config/policy.ts";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
beforeEach(() => {
  place = tree([
    "secrets/key.pem: SECRET",
    "secrets/deep/other: SECRET",
    "public/a.txt: open\n",
    "link => secrets/key.pem",
    "links => secrets",
    ".shelpa/secrets/key.pem: SECRET",
    ".shelpa/@/aside/0123: SECRET",
    "@/k.txt: SECRET",
    "@@/k.txt: SECRET",
    ".shelpa/@@/k.txt: SECRET",
    ".shelpa/@@@/k.txt: SECRET",
    "inner/private/k.txt: SECRET",
    "inner/.shelpa/private/k.txt: SECRET",
    "inner/.shelpa/@/aside/0123: SECRET",
    "secrets.git/objects/12/34567890123456789012345678901234567890: SECRET",
    "bare/objects/pack/pack-1234.pack: SECRET",
    ".git/lfs/objects/12/34/1234: SECRET",
    ".git/rr-cache/1234/preimage: SECRET",
    ".git/rebase-apply/0001: SECRET",
    ".hg/store/data/a.i: SECRET",
    "sub/.svn/pristine/12/1234.svn-base: SECRET",
    "public/.shelpa-old-0123456789abcdef: SECRET",
    "objects/12/model.bin: open\n",
  ]);
});
afterEach(() => place.remove());

async function run(line: string, policy: Partial<Policy>): Promise<{ exit: number | string; stdout: string; stderr: string }> {
  const shell = await Shell.open({ root: place.path, isolation: "none", policy: { ...DEFAULT_POLICY, ...policy } });
  try {
    const { result, stdout, stderr } = await shell.defaultSession.run(line);
    const exit = result.kind === "completed" ? result.exit : result.kind === "refused" ? result.violations[0].reason : result.kind;
    return { exit, stdout: stdout.toString(), stderr: stderr.toString() };
  } finally {
    await shell.close();
  }
}

describe("paths.deny_read, by whatever name and door", () => {
  const paths = { denyRead: ["secrets/", "*.pem", "/@/", "/@@/k.txt", "/inner/private/"], denyWrite: [], own: [] };
  test.each([
    "cat .shelpa/@@/k.txt",
    "cat .shelpa/@@@/k.txt",
    "cat inner/.shelpa/private/k.txt inner/.shelpa/@/aside/0123",
    "cd .shelpa/@@ && cat k.txt",
    "cat secrets.git/objects/*/*",
    "cd secrets.git/objects/12 && cat *",
    "tail -c 100 bare/objects/pack/pack-1234.pack",
    "cat .git/lfs/objects/12/34/1234 .git/rr-cache/1234/preimage .git/rebase-apply/0001",
    "cat .hg/store/data/a.i sub/.svn/pristine/12/1234.svn-base",
    "cat public/.shelpa-old-0123456789abcdef",
    "grep -ra SECRET bare inner sub .hg .git",
    "rg -uuu --hidden SECRET bare inner sub .hg .git",
    "jq -R . secrets/key.pem; jq -n --rawfile a secrets/key.pem '$a'; jq -n --slurpfile a link '$a'",
    "awk '{print}' secrets/key.pem; awk 'BEGIN { while ((getline l < \"link\") > 0) print l }'",
    "diff -r secrets public; diff secrets/key.pem public/a.txt; cmp -l link public/a.txt",
    "diff -r .shelpa/secrets public; comm secrets/key.pem public/a.txt",
    "outline secrets/key.pem; symbols SECRET .; strings link; file -k secrets/key.pem; xxd link",
    "sort -m secrets/key.pem public/a.txt; paste link public/a.txt; join link link; fold link; nl link; od -c link; tac link",
    "while read -r l; do echo $l; done < secrets/key.pem; mapfile -t a < link; echo ${a[@]}; echo $(< link)",
    "find -L . -name key.pem -exec cat {} \\; ; fd key.pem -x cat; find . -name other -exec grep . {} +",
    "tail --since start secrets/key.pem; head -n 1 links/key.pem; sed -n 'R link' public/a.txt; sha256sum link",
    "xargs -a secrets/key.pem echo; bat secrets/key.pem; less link; cut -c1- link; wc -w link; history secrets/key.pem",
    "cat secrets/key.pem",
    "cat link",
    "cat links/key.pem",
    "cd secrets && cat key.pem",
    "cat secrets/*",
    "grep -r SECRET .",
    "grep -rR SECRET .",
    "rg SECRET .",
    "rg -uuu --follow SECRET .",
    "find . -type f | xargs cat",
    "find . -type f -exec cat {} +",
    "head -c 99 secrets/deep/other",
    "sed -n p secrets/key.pem",
    "sort link",
    "wc -c < link || cat link",
    "cat .shelpa/secrets/key.pem .shelpa/@/aside/0123",
    "grep -r SECRET .shelpa",
    "cat public/../secrets/key.pem",
    "grep -f secrets/key.pem public/a.txt; grep -o . -f link public/a.txt",
    "sed 'r secrets/key.pem' public/a.txt",
    "ls secrets/deep | grep other",
  ])("%s", async (line) => {
    const { stdout, stderr } = await run(line, { paths });
    expect(stdout + stderr).not.toMatch(/SECRET$|^SECRET|^other/m);
  });
  test("what only looks like a store is read, and without a rule all is", async () => {
    expect((await run("cat objects/12/model.bin", { paths })).stdout).toBe("open\n");
    expect((await run("cat .shelpa/@@/k.txt bare/objects/pack/pack-1234.pack", {})).stdout).toBe("SECRETSECRET");
    expect((await run("cat .shelpa/@@/k.txt", { paths: { denyRead: ["/@/"], denyWrite: [], own: [] } })).stdout).toBe("");
    expect((await run("cat .shelpa/@@/k.txt", { paths: { denyRead: ["/@@/"], denyWrite: [], own: [] } })).stdout).toBe("SECRET");
  });
  test("says why, in the tool's own form", async () => {
    expect(await run("cat secrets/key.pem public/a.txt", { paths })).toEqual({
      exit: 1,
      stdout: "open\n",
      stderr: "cat: secrets/key.pem: Permission denied: the policy of this server does not let it be read\n",
    });
  });
  test("the rest is as before", async () => {
    expect(await run("cat public/a.txt", { paths })).toMatchObject({ exit: 0, stdout: "open\n" });
    expect(await run("cat secrets/key.pem", {})).toMatchObject({ exit: 0, stdout: "SECRET" });
  });
});

describe("paths.deny_write", () => {
  const paths = { denyRead: [], denyWrite: ["/public/"], own: [] };
  test.each([
    ["echo x | tee public/b", "PROTECTED_PATH"],
    ["cd public && echo x | tee b", "PROTECTED_PATH"],
    ["echo x | tee secrets/../public/b", "PROTECTED_PATH"],
    ["echo x | tee other/public/b", 0],
  ])("%s", async (line, exit) => expect((await run(line, { paths })).exit).toBe(exit));
  test("through a link to the directory, which only the recorder sees", async () => {
    const linked = tree(["public/", "to => public"]);
    const shell = await Shell.open({ root: linked.path, isolation: "none", policy: { ...DEFAULT_POLICY, paths } });
    const { result } = await shell.defaultSession.run("echo x | tee to/b");
    expect(result).toMatchObject({ kind: "refused", violations: [{ reason: "PROTECTED_PATH" }] });
    await shell.close();
    linked.remove();
  });
});

describe("commands", () => {
  test.each<[string, Partial<Policy["commands"]>, string | number]>([
    ["ls", { deny: ["xargs"] }, 0],
    ["ls | xargs cat", { deny: ["xargs"] }, "DISALLOWED_CMD"],
    ["find . -exec cat {} +", { deny: ["cat"] }, "RUNS_A_COMMAND"],
    ["ls | xargs cat", { deny: ["cat"] }, "RUNS_A_COMMAND"],
    ["[ -e public ]", { deny: ["test"] }, "DISALLOWED_CMD"],
    ["egrep x public/a.txt", { only: ["ls", "cat"] }, "DISALLOWED_CMD"],
    ["ls | cat", { only: ["ls", "cat"] }, 0],
  ])("%s with %j", async (line, commands, exit) => {
    expect((await run(line, { commands: { only: undefined, deny: [], ...commands } })).exit).toBe(exit);
  });
  test("what is left out is not in help", async () => {
    const { stdout } = await run("help", { commands: { only: undefined, deny: ["xargs"] } });
    expect(stdout).not.toContain("xargs");
    const limits = { ...DEFAULT_POLICY.limits, scratchBytes: 0 };
    expect((await run("help", { readOnly: true, limits })).stdout).not.toMatch(/^ {2}writing .*\btee\b/m);
    // It writes in /tmp.
    expect((await run("help", { readOnly: true })).stdout).toMatch(/^ {2}writing .*\btee\b/m);
  });
});

describe("approval", () => {
  const pre = { ...DEFAULT_POLICY.approval, preApproved: [".github/workflows/"] };
  test.each<[string, Partial<Policy>, string | number]>([
    ["echo x | tee .github/workflows/ci.yml", {}, "NEEDS_APPROVAL"],
    ["echo x | tee .github/workflows/ci.yml", { approval: pre }, 0],
    ["cd public; echo x | tee ../.github/workflows/ci.yml", { approval: pre }, 0],
    ["echo x | tee .envrc", { approval: pre }, "NEEDS_APPROVAL"],
    ["echo x | tee .git/config", { approval: { ...pre, preApproved: [".git/"] } }, "PROTECTED_PATH"],
    ["echo x | tee .shelpa.toml", { approval: { ...pre, preApproved: ["*"] } }, "PROTECTED_PATH"],
  ])("%s", async (line, policy, exit) => expect((await run(line, policy)).exit).toBe(exit));
});
