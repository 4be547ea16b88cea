/** Directories that the owner mounts beside the root: what is read and written in them, what is not, and how they come and go. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkMounts, mountOf, type MountOption } from "../../src/config/mounts.ts";
import { DEFAULT_POLICY, type Policy } from "../../src/config/policy.ts";
import type { Session } from "../../src/session/session.ts";
import { Shell } from "../../src/session/shell.ts";
import { needs } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";

let host: Tree;
let shell: Shell | undefined;
beforeEach(() => {
  host = tree([
    "root/f: the root's\n",
    "root/to-lib => ../lib/l.h",
    "docs/x.md: TODO one\n",
    "docs/sub/y.md: TODO two\n",
    "docs/to-x => x.md",
    "docs/to-root => ../root/f",
    "docs/secret/key: SECRET\n",
    "docs/.envrc: SECRET\n",
    "lib/l.h: lib\n",
    "data/a: one\n",
    "data/.git/HEAD: ref: refs/heads/main\n",
    "elsewhere/x.md: ELSEWHERE\n",
  ]);
});
afterEach(async () => {
  await shell?.close();
  shell = undefined;
  host.remove();
});

const at = (name: string): string => `${host.path}/${name}`;
const MOUNTS = (): readonly MountOption[] => [
  { name: "/docs", directory: at("docs") },
  { name: at("lib"), directory: at("lib") },
  { name: "/data", directory: at("data"), access: "write" },
];

interface Opening {
  readonly mounts?: readonly MountOption[];
  readonly policy?: Partial<Policy>;
  readonly isolation?: "none" | "process";
}

async function opened({ mounts = MOUNTS(), policy = {}, isolation = "none" }: Opening = {}): Promise<Session> {
  shell = await Shell.open({ root: at("root"), mounts, policy: { ...DEFAULT_POLICY, ...policy }, isolation });
  return shell.defaultSession;
}

/** Standard output, standard error and the exit status; the reason of a refusal. */
async function said(session: Session, line: string): Promise<string> {
  const { result, stdout, stderr } = await session.run(line.replaceAll("HOST", host.path));
  const text = `${stdout}${stderr}`.replaceAll(host.path, "HOST");
  if (result.kind === "refused") return `${text}${result.violations[0].reason}`;
  return `${text}${result.kind === "completed" ? result.exit : JSON.stringify(result)}`;
}

describe.each(["none", "process"] as const)("isolation %s", (isolation) => {
  test.each([
    ["cat /docs/x.md /docs/to-x HOST/lib/l.h", "TODO one\nTODO one\nlib\n0"],
    ["cd /docs/sub && pwd && cat y.md ../x.md", "/docs/sub\nTODO two\nTODO one\n0"],
    ["rg -n TODO /docs | sort", "/docs/sub/y.md:1:TODO two\n/docs/x.md:1:TODO one\n0"],
    ["grep -rl TODO /docs | sort; find /docs -name '*.md' | sort", "/docs/sub/y.md\n/docs/x.md\n/docs/sub/y.md\n/docs/x.md\n0"],
    ["echo /docs/*.md; wc -l < /docs/x.md; diff -q f /docs/x.md", "/docs/x.md\n1\nFiles f and /docs/x.md differ\n1"],
    ["awk '{ print $2 }' /docs/x.md; sed -n 1p /docs/x.md; head -1 /docs/x.md | jq -R .", 'one\nTODO one\n"TODO one"\n0'],
    // No walk of the root comes upon a mount, and none of a mount upon the root.
    ["rg -l TODO . ; find . -name '*.md'; ls /docs/..", "ls: cannot access '/docs/..': Path is outside the workspace\n2"],
    ["cat /docs/to-root", "cat: /docs/to-root: Symbolic link leaves the workspace\n1"],
    ["cat to-lib", "cat: to-lib: Symbolic link leaves the workspace\n1"],
    ["cat /docs/../root/f; cat HOST/docs/x.md", /is outside|PATH_ESCAPE|outside the workspace/],
    ["echo x | tee /docs/new", "READ_ONLY"],
    ["rm /docs/x.md", "READ_ONLY"],
    ["cd /docs && touch x.md", "READ_ONLY"],
    ["cd /docs && cat x.md | tee | tee /dev/null", "TODO one\n0"],
    ["for f in /docs/x.md; do rm $f; done", /READ_ONLY|mounted for reading only/],
    ["find /docs -name x.md -exec rm {} ';'", /READ_ONLY|mounted for reading only/],
    ["find /docs -name x.md | xargs rm", /READ_ONLY|mounted for reading only/],
    ["cp f /data/ && rm f", "CONFLICT"],
    ["d=/data; cp f $d/ && rm f", /CONFLICT|one tree/],
    ["printf '%s\\n' f /data/a | xargs touch", /one tree/],
    ["echo x | tee /data/.git/config", "PROTECTED_PATH"],
    ["echo x | tee /data/.shelpa/x", "PROTECTED_PATH"],
    ["echo x | tee /data/.envrc", "NEEDS_APPROVAL"],
  ])("%s", async (line, expected) => {
    const session = await opened({ isolation });
    const answer = await said(session, line);
    if (typeof expected === "string") expect(answer).toBe(expected);
    else expect(answer).toMatch(expected);
    expect(existsSync(at("docs/new"))).toBe(false);
    expect(readFileSync(at("docs/x.md"), "utf8")).toBe("TODO one\n");
    expect(readFileSync(at("root/f"), "utf8")).toBe("the root's\n");
    expect(existsSync(at("docs/.shelpa"))).toBe(false);
  });

  test("git reads the repository of a mount that is named, which has no work tree from elsewhere", async () => {
    mkdirSync(at("data/.git/objects"));
    mkdirSync(at("data/.git/refs"));
    const session = await opened();
    for (const line of ["git -C /data branch --show-current", "git --git-dir=/data/.git branch --show-current"])
      expect(await said(session, line)).toBe("main\n0");
    expect(await said(session, "GIT_DIR=/data/.git git branch --show-current")).toBe("main\n0");
    expect(await said(session, "git --git-dir=/data/.git status -s")).toBe("fatal: this operation must be run in a work tree\n128");
    expect(await said(session, "git --git-dir=/data/.git --work-tree=/data status -s")).toBe("?? a\n0");
    expect(await said(session, "git --git-dir=HOST/elsewhere/.git log")).toBe("PATH_ESCAPE");
    expect(await said(session, "GIT_DIR=HOST/elsewhere/.git git log")).toContain("outside the workspace");
  });

  test.each(["/data", "/docs", "~/sub", "~"])("undo takes back what was written in a mount and in the root from %s", async (directory) => {
    const session = await opened();
    await session.run("mkdir -p sub && echo new | tee f >/dev/null");
    await session.run("mkdir -p /data/d && echo two | tee /data/a /data/d/n >/dev/null");
    await session.run(`cd ${directory}`);
    expect(await said(session, "undo")).toMatch(/0$/);
    expect(await said(session, "undo")).toMatch(/0$/);
    expect([readFileSync(at("data/a"), "utf8"), existsSync(at("data/d")), readFileSync(at("root/f"), "utf8")]).toEqual([
      "one\n",
      false,
      "the root's\n",
    ]);
  });

  test("what is written in a mount is recorded there, and undo takes it back", async () => {
    const session = await opened({ isolation });
    const { result } = await session.run("sed -i s/one/ONE/ /data/a");
    expect(result).toMatchObject({ kind: "completed", exit: 0, receipts: [{ path: "/data/a", mirror: "/data/.shelpa/a" }] });
    expect(await said(session, "cd /data && echo two | tee b d/c")).toBe("two\n0");
    expect(existsSync(at("root/.shelpa"))).toBe(false);
    expect(existsSync(at("data/.shelpa/b"))).toBe(true);
    expect(await said(session, "cd; echo x | tee r")).toBe("x\n0");
    expect(await said(session, "history | cut -f3-5")).toMatch(
      /^overwritten\t4\t\/data\/a\nmade\t0\t\/data\/d\ncreated\t4\t\/data\/b\ncreated\t4\t\/data\/d\/c\ncreated\t2\tr\n/,
    );
    expect(await said(session, "history /data/b | cut -f5; history /docs")).toMatch(/^\/data\/b\n/);
    for (const removed of ["removed r\n0", "removed /data/d\nremoved /data/b\nremoved /data/d/c\n0", "restored /data/a\n0"])
      expect(await said(session, "undo")).toBe(removed);
    expect(await said(session, "undo")).toMatch(/^undo: all changes of this session are taken back/);
    expect(readFileSync(at("data/a"), "utf8")).toBe("one\n");
    expect(existsSync(at("data/b"))).toBe(false);
    expect(await said(session, "undo /data/a")).toMatch(/^undo: all recorded changes to \/data\/a are taken back/);
  });

  test("a path outside is told what there is, and the file of a mount that was meant", async () => {
    const session = await opened({ isolation });
    const { result, stderr } = await session.run(`cat ${at("docs/sub/y.md")}`);
    const [violation] = result.kind === "refused" ? result.violations : [];
    const notes = result.kind === "completed" ? (result.notes ?? []).join("\n") : "";
    expect(`${violation?.detail}${stderr}${notes}`).toContain(`nothing outside it, /docs, ${at("lib")} and /data exists here`);
    expect(`${violation?.suggestion}${notes}`).toContain("/docs/sub/y.md");
  });

  test("copies between the trees", async () => {
    const session = await opened({ isolation });
    expect(await said(session, "cp -r /docs/sub . && cat sub/y.md")).toBe("TODO two\n0");
    expect(await said(session, "cp f /data/f && cat /data/f")).toBe("the root's\n0");
    expect(await said(session, "mv /data/f g")).toBe("CONFLICT");
  });

  test("a mount that goes, comes back, and becomes a link", async () => {
    const session = await opened({ isolation });
    expect(await said(session, "cat /docs/x.md")).toBe("TODO one\n0");
    renameSync(at("docs"), at("moved"));
    expect(await said(session, "cat /docs/x.md; cat f")).toBe("the root's\ncat: /docs/x.md: The mounted directory is no longer there\n0");
    symlinkSync(at("elsewhere"), at("docs"));
    expect(await said(session, "cat /docs/x.md; ls /docs")).not.toContain("ELSEWHERE");
    rmSync(at("docs"));
    mkdirSync(at("docs"));
    writeFileSync(at("docs/x.md"), "anew\n");
    expect(await said(session, "cat /docs/x.md")).toBe("anew\n0");
    rmSync(at("docs"), { recursive: true });
    expect(await said(session, "cat /docs/x.md; ls /docs; cd /docs; git -C /docs log; history; undo; cat f")).toMatch(/the root's\n/);
    expect(await said(session, "cat /docs/x.md")).toMatch(/no longer there/);
  });

  test("a mount that is gone while the session's directory is in it", async () => {
    const session = await opened({ isolation });
    await said(session, "cd /docs/sub");
    renameSync(at("docs"), at("moved"));
    expect(await said(session, "ls")).toMatch(/no longer there/);
    expect(await said(session, "cd; cat f")).toBe("the root's\n0");
  });

  test("what may not be read is not, under any name", async () => {
    const rules = { denyRead: ["secret/", ".envrc", "/lib-only"], denyWrite: ["/data/keep"], own: [] };
    const mounts = [...MOUNTS(), { name: "/key", directory: at("docs/secret") }];
    const session = await opened({ isolation, mounts, policy: { paths: rules } });
    for (const line of [
      "cat /docs/secret/key",
      "cat /key/key",
      "rg -uu SECRET /docs /key",
      "grep -r SECRET /docs /key",
      "cp /key/key k; cat k",
    ])
      expect(await said(session, line), line).not.toContain("SECRET\n");
    expect(await said(session, "cat /docs/.envrc")).toMatch(/Permission denied/);
    expect(await said(session, "echo x | tee /data/keep")).toBe("PROTECTED_PATH");
    expect(await said(session, "echo x | tee keep")).toBe("x\n0");
  });

  test("a rule for one mount, by its name", async () => {
    const paths = { denyRead: ["/docs/x.md"], denyWrite: [], own: [] };
    const approval = { ...DEFAULT_POLICY.approval, preApproved: ["/data/.envrc"] };
    const session = await opened({ isolation, policy: { paths, approval } });
    expect(await said(session, "cat /docs/x.md")).toMatch(/Permission denied/);
    expect(await said(session, "cat /docs/sub/y.md; echo x | tee /data/.envrc")).toBe("TODO two\nx\n0");
    expect(await said(session, "echo x | tee .envrc")).toBe("NEEDS_APPROVAL");
  });

  test("under --read-only nothing of a mount is written", async () => {
    const session = await opened({ isolation, policy: { readOnly: true } });
    expect(await said(session, "echo x | tee /data/n")).toBe("READ_ONLY");
    expect(await said(session, "cat /data/a")).toBe("one\n0");
  });

  test("the server's own files are not written through a mount", async () => {
    const mounts = [{ name: "/data", directory: at("data"), access: "write", own: ["conf.toml"], denyRead: ["/conf.toml"] }] as const;
    const session = await opened({ isolation, mounts: [], policy: { mounts } });
    expect(await said(session, "echo x | tee /data/conf.toml")).toBe("PROTECTED_PATH");
  });

  needs("git").test("git reads a repository of a mount", {}, async () => {
    const git = (...words: string[]) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: at("docs") });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "first");
    const session = await opened({ isolation });
    expect(await said(session, "git -C /docs log --format=%s; git -C /docs/sub status --short; cd /docs; git ls-files '*.md'")).toBe(
      "first\nsub/y.md\nx.md\n0",
    );
    expect(await said(session, "git show HEAD:x.md; git rev-parse --show-toplevel; git -C HOST/root status")).toMatch(
      /^TODO one\n\/docs\nfatal: not a git repository/,
    );
    await shell?.close();
    const denying = await opened({ isolation, policy: { paths: { denyRead: ["/docs/x.md"], denyWrite: [], own: [] } } });
    expect(await said(denying, "git -C /docs show HEAD:x.md")).toMatch(/Permission denied/);
  });
});

test("the name of the scratch is its own", () => {
  expect(() => checkMounts([mountOf(`/tmp=${at("docs")}`, "/")], "/usr", [])).toThrow(/own \/tmp/);
});

test("mounts in each other", async () => {
  const session = await opened({
    mounts: [
      { name: "/docs", directory: at("docs") },
      { name: "/sub", directory: at("docs/sub"), access: "write" },
      { name: at("docs"), directory: at("docs") },
      { name: at("docs/sub"), directory: at("docs/sub") },
    ],
  });
  expect(await said(session, "cat /docs/sub/y.md /sub/y.md HOST/docs/sub/y.md; cat /sub/../x.md")).toMatch(/^(TODO two\n){3}.*outside/s);
  expect(await said(session, "echo x | tee /docs/sub/y.md")).toBe("READ_ONLY");
  expect(await said(session, "echo x | tee HOST/docs/sub/y.md")).toBe("READ_ONLY");
  expect(await said(session, "echo x | tee /sub/y.md; cat /docs/sub/y.md")).toBe("x\nx\n0");
});

/** Trees in each other: what is denied of a place is so by each of its names, in both directions. */
describe.each(["none", "process"] as const)("rules for trees in each other, isolation %s", (isolation) => {
  beforeEach(() => rmSync(at("docs/.envrc")));
  const mount = (text: string): MountOption => mountOf(text.replaceAll("HOST", host.path), host.path);
  const session = (mounts: readonly string[], paths: Partial<Policy["paths"]>, preApproved: readonly string[] = []): Promise<Session> =>
    opened({
      isolation,
      mounts: mounts.map(mount),
      policy: {
        paths: { denyRead: [], denyWrite: [], own: [], ...paths },
        approval: { ...DEFAULT_POLICY.approval, preApproved },
      },
    });
  const OUTER = "/x=HOST/docs";
  const INNER = "/in=HOST/docs/secret";
  const DENIED = /Permission denied/;

  test.each<[string, readonly string[], string, readonly string[]]>([
    ["the inner name", ["/in/key"], "", ["/x/secret/key", "/in/key"]],
    ["the outer name", ["/x/secret/key"], "", ["/x/secret/key", "/in/key"]],
    ["a directory of the outer name", ["/x/secret/"], "", ["/x/secret/key", "/in/key"]],
    ["a rule from the outer top", ["/secret/key"], "", ["/x/secret/key", "/in/key"]],
    ["the whole inner mount", ["/in"], "", ["/x/secret/key", "/in/key"]],
    ["the whole inner mount as a directory", ["/in/"], "", ["/x/secret/key", "/in/key"]],
    ["all in the inner mount", ["/in/*"], "", ["/x/secret/key", "/in/key"]],
    ["the whole outer mount", ["/x"], "", ["/x/secret/key", "/in/key", "/x/x.md"]],
    ["a pattern for names of mounts", ["/?n/key"], "", ["/x/secret/key", "/in/key"]],
    ["a rule that another takes back by the other name", ["key", "!/in/key"], "", ["/x/secret/key", "/in/key"]],
    ["the mirror", ["/in/key"], "mkdir -p docs/.shelpa/secret", ["/x/.shelpa/secret/key"]],
  ])("deny_read by %s", async (_, denyRead, before, paths) => {
    if (before !== "") {
      mkdirSync(at("docs/.shelpa/secret"), { recursive: true });
      writeFileSync(at("docs/.shelpa/secret/key"), "SECRET\n");
    }
    const opening = await session([OUTER, INNER], { denyRead });
    for (const path of paths) {
      expect(await said(opening, `cat ${path}`), path).toMatch(DENIED);
      expect(await said(opening, `cp ${path} k; grep -h . ${path}; rg -uu . ${path}; head -1 < ${path}`), path).not.toMatch(/SECRET|TODO/);
    }
    expect(await said(opening, "rg -uu SECRET /x /in; grep -r SECRET /x /in; cp -r /x/secret s; cat s/key")).not.toMatch(/SECRET$/m);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ["a rule that names no tree", ["/y/secret/key"], ["cat /x/secret/key /in/key"]],
    ["a name without a slash in front is one from each top", ["in/key"], ["cat /x/secret/key /in/key"]],
    ["a name that begins as the mount's", ["/i/", "/in2/key"], ["cat /x/secret/key /in/key"]],
  ])("%s", async (_, denyRead, lines) => {
    const opening = await session([OUTER, INNER], { denyRead });
    for (const line of lines) expect(await said(opening, line)).toBe("SECRET\nSECRET\n0");
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ["the inner name", ["/in/key"], ["/x/secret/key"]],
    ["the whole inner mount", ["/in"], ["/x/secret/key", "/x/secret/new"]],
    ["the whole inner mount as a directory", ["/in/"], ["/x/secret/key", "/x/secret/new"]],
    ["the whole outer mount", ["/x/"], ["/x/secret/key", "/x/x.md"]],
  ])("deny_write by %s, where the outer may be written", async (_, denyWrite, paths) => {
    const opening = await session([`${OUTER}:rw`, INNER], { denyWrite });
    for (const path of paths) expect(await said(opening, `echo x | tee ${path}`), path).toBe("PROTECTED_PATH");
    expect(await said(opening, `cd /x/secret; echo x | tee key`)).toBe("PROTECTED_PATH");
    for (const line of ["mv /x/secret /x/other", "rm -r /x/secret", "d=/x/secret; rm $d/key", "find /x/secret -name key -delete"])
      expect(await said(opening, line), line).toMatch(/PROTECTED_PATH|Protected path/);
    expect(readFileSync(at("docs/secret/key"), "utf8")).toBe("SECRET\n");
  });

  test.each<[string, readonly string[]]>([
    ["a directory from the top of the outer", ["secret/"]],
    ["a directory by the outer name", ["/x/secret/"]],
    ["the file by the outer name", ["/x/secret/key"]],
    ["the whole inner mount", ["/in"]],
  ])("deny_write by %s, where the inner may be written", async (_, denyWrite) => {
    const opening = await session([OUTER, `${INNER}:rw`], { denyWrite });
    expect(await said(opening, "echo x | tee /in/key")).toBe("PROTECTED_PATH");
    expect(await said(opening, "cd /in; f=key; echo x | tee $f")).toMatch(/PROTECTED_PATH|Protected path/);
    expect(readFileSync(at("docs/secret/key"), "utf8")).toBe("SECRET\n");
  });

  test("what is allowed beforehand is so only where every tree that protects it allows it", async () => {
    mkdirSync(at("docs/secret/.github/workflows"), { recursive: true });
    const write = "echo x | tee /in/.github/workflows/ci.yml";
    const opening = await session([OUTER, `${INNER}:rw`], {}, ["/in/.github/"]);
    expect(await said(opening, write)).toBe("NEEDS_APPROVAL");
    await shell?.close();
    expect(await said(await session([OUTER, `${INNER}:rw`], {}, ["/in/.github/", "/x/secret/.github/"]), write)).toBe("x\n0");
    await shell?.close();
    const alone = await session([`${INNER}:rw`], {}, ["/in/.github/"]);
    expect(await said(alone, write)).toBe("x\n0");
  });

  test("a rule by the name of a mount that is gone holds for its place", async () => {
    const opening = await session([OUTER, INNER], { denyRead: ["/in/key"] });
    renameSync(at("docs/secret"), at("docs/moved"));
    expect(await said(opening, "cat /in/key")).toMatch(/no longer there/);
    mkdirSync(at("docs/none"));
    renameSync(at("docs/moved"), at("docs/secret"));
    expect(await said(opening, "cat /x/secret/key")).toMatch(DENIED);
  });

  test("protected files are so by their place on the host", async () => {
    for (const name of ["data/.github/workflows", "data/.config/fish", "data/sub"]) mkdirSync(at(name), { recursive: true });
    const opening = await session(["/gh=HOST/data/.github:rw", "/conf=HOST/data/.config:rw", "/sub=HOST/data/sub:rw"], {});
    expect(await said(opening, "echo x | tee /gh/workflows/ci.yml")).toBe("NEEDS_APPROVAL");
    expect(await said(opening, "echo x | tee /conf/fish/config.fish")).toBe("NEEDS_APPROVAL");
    expect(await said(opening, "echo x | tee /conf/shelpa/config.toml")).toBe("PROTECTED_PATH");
    expect(await said(opening, "cd /gh; d=workflows; echo x | tee $d/ci.yml")).toMatch(/NEEDS_APPROVAL|Protected path/);
    expect(await said(opening, "echo x | tee /gh/x /gh/prompts.md > /dev/null; echo x | tee /gh/prompts/x")).toBe("NEEDS_APPROVAL");
  });

  test("protected files are so by their place on the host in the root, too", async () => {
    mkdirSync(at("up/.github/workflows"), { recursive: true });
    mkdirSync(at("up/.claude/tree"), { recursive: true });
    const open = async (root: string): Promise<Session> => (shell = await Shell.open({ root: at(root), isolation })).defaultSession;
    expect(await said(await open("up/.github"), "echo x | tee workflows/ci.yml")).toBe("NEEDS_APPROVAL");
    await shell?.close();
    // The owner has chosen it as the root: then a path in it says all.
    expect(await said(await open("up/.claude/tree"), "echo x | tee a")).toBe("x\n0");
  });

  needs("git").test("a submodule's repository, an object store and a linked worktree in mounts of their own", {}, async () => {
    const git = (cwd: string, ...words: string[]) =>
      execFileSync("git", ["-c", "protocol.file.allow=always", "-c", "user.name=a", "-c", "user.email=a@b", ...words], {
        cwd,
        stdio: "pipe",
      });
    git(at("docs/secret"), "init", "-q", at("module"));
    writeFileSync(at("module/key"), "SECRET\n");
    for (const words of [
      ["add", "."],
      ["commit", "-qm", "one"],
    ])
      git(at("module"), ...words);
    git(at("elsewhere"), "init", "-q");
    git(at("elsewhere"), "submodule", "--quiet", "add", at("module"), "sm");
    git(at("module"), "worktree", "add", "-q", "--detach", at("linked"));
    const trees: readonly [readonly string[], readonly string[], readonly string[]][] = [
      [["/sm=HOST/elsewhere/sm", "/g=HOST/elsewhere/.git/modules/sm"], ["/sm/key"], ["git --git-dir=/g show HEAD:key"]],
      [
        ["/all=HOST/elsewhere"],
        ["/all/sm/key"],
        ["git --git-dir=/all/.git/modules/sm show HEAD:key", "git -C /all/.git/modules/sm log -p"],
      ],
      [["/m=HOST/module", "/wt=HOST/linked"], ["/wt/key"], ["git -C /m show HEAD:key", "git --git-dir=/m/.git log -p"]],
      [["/o=HOST/module/.git/objects"], ["/any"], ["cat /o/*/*", "cd /o; find . -type f -exec base64 {} ';'"]],
    ];
    for (const [mounts, denyRead, lines] of isolation === "none" ? trees : trees.slice(0, 1)) {
      const opening = await session(mounts, { denyRead });
      for (const line of lines) {
        const answer = await said(opening, line);
        expect(answer, line).toMatch(/Permission denied/);
        expect(answer, line).not.toMatch(/SECRET$|^x|^eA/m);
      }
      await shell?.close();
      shell = undefined;
    }
  });

  needs("git").test("git shows nothing of what is denied through a mount of the repository alone", {}, async () => {
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: at("docs"), stdio: "pipe" });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "first");
    git("clone", "-q", "--bare", ".", at("bare"));
    git("clone", "-q", "--separate-git-dir", at("apart"), ".", at("tree"));
    const place = "/g";
    const lines = [
      `git --git-dir=${place} show HEAD:secret/key`,
      `git --git-dir=${place} --work-tree=${place} show HEAD:secret/key`,
      `git -C ${place} show HEAD:secret/key`,
      `cd ${place} && git cat-file -p HEAD:secret/key; cd`,
      `GIT_DIR=${place} git log -p`,
      `git --git-dir=${place} grep SECRET HEAD`,
      `git --git-dir=${place} diff-tree -p --root HEAD --`,
      `git --git-dir=${place} cat-file blob $(git --git-dir=${place} rev-parse HEAD:secret/key)`,
      `echo HEAD:secret/key | git --git-dir=${place} cat-file --batch`,
    ];
    const trees: readonly [readonly string[], readonly string[]][] = [
      [["/docs=HOST/docs", "/g=HOST/docs/.git"], ["/docs/secret/"]],
      [["/sub=HOST/docs/secret", "/g=HOST/docs/.git"], ["/sub/key"]],
      [["/host=HOST/docs", "/g=HOST/docs/.git"], ["/host"]],
      [["/docs=HOST/docs", "/g=HOST/bare"], ["/docs/secret/"]],
      [["/docs=HOST/docs", "/g=HOST/bare"], ["/secret/"]],
      [["/tree=HOST/tree", "/g=HOST/apart"], ["/tree/secret/key"]],
    ];
    for (const [mounts, denyRead] of isolation === "none" ? trees : trees.slice(0, 1)) {
      const opening = await session(mounts, { denyRead });
      for (const line of lines) {
        const answer = await said(opening, line);
        expect(answer, `${denyRead} ${line}`).not.toMatch(/SECRET$/m);
        expect(answer, `${denyRead} ${line}`).toMatch(/Permission denied/);
      }
      expect(await said(opening, "cat /g/objects/*/*; cp -r /g/objects k; find /g/objects -type f -exec xxd -p {} ';'")).not.toMatch(
        /^[0-9a-f]{60}$/m,
      );
      if (denyRead[0] !== "/host") expect(await said(opening, `git --git-dir=${place} show HEAD:x.md`)).toBe("TODO one\n0");
      await shell?.close();
      shell = undefined;
    }
  });
});

describe("a mount for writing whose files are protected for what lies above it", () => {
  test.each<[string, RegExp]>([
    [
      "w/.github/workflows",
      /agents on this host run or obey .* for reading \(\/w=HOST\/w\/.github\/workflows\), or mount HOST\/w\/.github for/,
    ],
    ["w/.github/workflows/sub", /run or obey/],
    ["w/.vscode", /or mount HOST\/w for writing/],
    ["w/.git", /run or obey/],
    ["w/.git/hooks", /or mount HOST\/w for writing/],
    ["w/.husky/_", /run or obey/],
    ["w/.shelpa", /this server's own/],
    ["w/.config/shelpa/x", /this server's own/],
    ["w/agents.md/x", /run or obey/],
    ["bare.git", /git takes it for a repository/],
    ["bare.git/hooks", /git takes it for a repository/],
    ["bare.git/hooks/link", /git takes it for a repository/],
  ])("%s", (directory, expected) => {
    mkdirSync(at(directory), { recursive: true });
    for (const name of ["bare.git/objects", "bare.git/refs"]) mkdirSync(at(name), { recursive: true });
    writeFileSync(at("bare.git/HEAD"), "ref: refs/heads/main\n");
    const check = (access: "rw" | "ro") => {
      try {
        checkMounts([mountOf(`/w=${at(directory)}:${access}`, "/")], at("root"), []);
      } catch (thrown) {
        throw new Error(String(thrown).replaceAll(host.path, "HOST"));
      }
    };
    expect(() => check("rw")).toThrow(expected);
    check("ro");
    symlinkSync(at(directory), at("to-it"));
    expect(() => checkMounts([mountOf(`/w=${at("to-it")}:rw`, "/")], at("root"), [])).toThrow(/cannot be mounted for writing/);
  });
});

test("a mount that is given by a link is at what that led to", async () => {
  symlinkSync(at("docs"), at("link"));
  const session = await opened({ mounts: [{ name: "/docs", directory: at("link") }] });
  rmSync(at("link"));
  symlinkSync(at("elsewhere"), at("link"));
  expect(await said(session, "cat /docs/x.md")).toBe("TODO one\n0");
});

describe("what may not stand beside the root", () => {
  test.each<[string, readonly string[], RegExp]>([
    ["the root", ["/m=HOST/root"], /lie in each other/],
    ["what is in the root", ["/m=HOST/root/sub"], /lie in each other/],
    ["what the root is in", ["/m=HOST"], /lie in each other/],
    ["a link to the root", ["/m=HOST/to-root"], /lie in each other/],
    ["the machine", ["/m=/"], /lie in each other/],
    ["a name in the root", ["HOST/root/m=HOST/docs"], /a path there would be one of the root/],
    ["a name above the root", ["HOST=HOST/docs"], /a path there would be one of the root/],
    ["a name of an alias", ["/workspace/m=HOST/docs"], /a path there would be one of the root/],
    ["devices", ["/dev/null=HOST/docs"], /meaning of its own/],
    ["descriptors", ["/dev/fd/3=HOST/docs"], /meaning of its own/],
    ["two of a name", ["/m=HOST/docs", "/m/=HOST/lib"], /given twice/],
    ["one that hides a part of another", ["/m=HOST/docs", "/m/sub=HOST/lib"], /would hide sub of \/m/],
    ["two that are written", ["/m=HOST/docs:rw", "/n=HOST/docs/sub:rw"], /both may be written/],
    ["nothing there", ["/m=HOST/none"], /No such file or directory/],
    ["a file", ["/m=HOST/docs/x.md"], /Not a directory/],
    ["no name", ["HOST/docs"], /a mount is \/NAME=DIR/],
    ["a relative name", ["m=HOST/docs"], /a mount is \/NAME=DIR/],
    ["a name with dots", ["/a/../m=HOST/docs"], /no absolute path|is none/],
    ["the root of all", ["/=HOST/docs"], /is none/],
  ])("%s", (_, given, expected) => {
    mkdirSync(at("root/sub"));
    symlinkSync(at("root"), at("to-root"));
    const mounts = () => given.map((text) => mountOf(text.replaceAll("HOST", host.path), host.path));
    expect(() => checkMounts(mounts(), at("root"), ["/workspace"])).toThrow(expected);
  });
});
