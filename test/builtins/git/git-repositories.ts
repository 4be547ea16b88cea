/**
 * Repositories to compare git with: made by the real git in a temporary directory, the same each time (fixed dates and
 * names). With merges, renames, annotated and light tags, packed and loose objects, unusual names, a submodule entry, a
 * stash, and a working tree that differs from the index.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { isDeepStrictEqual } from "node:util";
import { toText } from "../../../src/io/text.ts";
import { type Outcome, runOurs } from "../../cases.ts";
import { has, type Need, needs } from "../../needs.ts";

/** Environment of real git in these tests: nothing of the host's configuration. */
export const ENVIRONMENT = {
  PATH: "/usr/bin:/bin",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_PAGER: "cat",
  TZ: "UTC",
  LC_ALL: "C.UTF-8",
};

/** What these tests compare with, and what runs their lines through it. */
const GIT: readonly Need[] = ["/usr/bin/git", "bash"];
export const hasGit = GIT.every(has);
export const needsGit = needs(...GIT);

export interface Made {
  readonly path: string;
  remove(): void;
}

function runReal(line: string, path: string): Outcome {
  const real = spawnSync("bash", ["-c", line], { cwd: path, env: ENVIRONMENT, maxBuffer: 1 << 28, input: "" });
  return { stdout: toText(real.stdout), stderr: toText(real.stderr), exit: real.status ?? -1, refused: undefined };
}

/** Output of `line` from us and from real git: both anew while a second passes between them, because blame prints the time. */
export async function besideReal(line: string, path: string): Promise<{ readonly ours: Outcome; readonly real: Outcome }> {
  for (let tries = 1; ; tries++) {
    const real = runReal(line, path);
    const ours = await runOurs({ command: line }, path);
    if (tries === 4 || isDeepStrictEqual(ours, real) || isDeepStrictEqual(runReal(line, path), real)) return { ours, real };
  }
}

/** `history`: a small project of some forty commits. */
export function makeRepository(seed: number): Made {
  const path = realpathSync(mkdtempSync(`${tmpdir()}/shelpa-git-`));
  let clock = 1_700_000_000 + seed * 1000;
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const git = (...args: string[]): void => {
    clock += 60 + random(5000);
    const who = random(3);
    execFileSync("/usr/bin/git", ["-c", "protocol.file.allow=always", ...args], {
      cwd: path,
      stdio: "ignore",
      env: {
        ...ENVIRONMENT,
        GIT_AUTHOR_NAME: ["Ada Lovelace", "Zoë Ünicode", "Bob"][who],
        GIT_AUTHOR_EMAIL: ["ada@example.org", "zoe@example.org", "bob@example.org"][who],
        GIT_COMMITTER_NAME: "Committer",
        GIT_COMMITTER_EMAIL: "c@example.org",
        GIT_AUTHOR_DATE: `${clock} ${["+0000", "+0200", "-0730"][who]}`,
        GIT_COMMITTER_DATE: `${clock} +0000`,
      },
    });
  };
  const write = (name: string, text: string): void => {
    mkdirSync(`${path}/${name}`.replace(/\/[^/]*$/, ""), { recursive: true });
    writeFileSync(`${path}/${name}`, text);
  };
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, index) =>
      index % 9 === 0 ? `function f${index}() {` : index % 9 === 8 ? "}" : index % 9 === 7 ? "" : `  step(${random(20)});`,
    ).join("\n");
  const texts = new Map<string, string[]>();
  const edit = (name: string): void => {
    const text = texts.get(name) ?? lines(60).split("\n");
    for (let times = 1 + random(4); times > 0; times--) {
      const at = random(text.length);
      const what = random(4);
      if (what === 0) text.splice(at, 1 + random(5));
      else if (what === 1) text.splice(at, 0, ...lines(1 + random(12)).split("\n"));
      else text[at] = `  changed(${random(1000)});`;
    }
    texts.set(name, text);
    write(name, `${text.join("\n")}${random(8) === 0 ? "" : "\n"}`);
  };
  const commit = (message: string): void => {
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", message);
  };
  git("init", "-q", "-b", "main");
  write(".gitignore", "*.log\nbuild/\n!keep.log\n/only-top\n");
  write("README.md", "# Title\n\nText.\n");
  edit("src/a.ts");
  edit("src/b.ts");
  commit("first: the beginning");
  write("unusual/with space.txt", "a\n");
  write("unusual/tab\tname", "b\n");
  write("unusual/ü.txt", "c\n");
  write('unusual/quo"te\\', "d\n");
  write("bin/data.bin", "\0\x01binary");
  symlinkSync("README.md", `${path}/link`);
  commit("add unusual names\n\nA body of\n  several lines.\n\n\tWith a tab.\n\nSigned-off-by: Ada <ada@example.org>");
  git("tag", "v0.1");
  for (let number = 0; number < 8; number++) {
    edit(["src/a.ts", "src/b.ts", "lib/deep/er/c.ts"][random(3)] as string);
    if (number === 3) chmodSync(`${path}/README.md`, 0o755);
    commit(`change ${number}: ${["fix the thing", "add a feature", "refactor Ünïcode"][random(3)]}`);
  }
  git("tag", "-a", "v1.0", "-m", "release one\n\nwith notes");
  git("gc", "-q");
  git("checkout", "-q", "-b", "feature");
  write("feature.txt", lines(30));
  commit("feature: begin");
  git("mv", "src/b.ts", "lib/renamed.ts");
  texts.set("lib/renamed.ts", texts.get("src/b.ts") ?? []);
  texts.delete("src/b.ts");
  edit("lib/renamed.ts");
  commit("rename b with changes");
  git("checkout", "-q", "main");
  edit("src/a.ts");
  commit("main goes on");
  git("mv", "bin/data.bin", "bin/moved.bin");
  write("bin/moved.bin", "\0\x01binary and more");
  write("second.bin", "\0\x02");
  commit("binary moves");
  git("merge", "-q", "--no-ff", "-m", "Merge branch 'feature'", "feature");
  write("package.json", '{\n  "name": "x"\n}\n');
  unlinkSync(`${path}/feature.txt`);
  commit("remove the feature file");
  git("checkout", "-q", "-b", "topic/one", "HEAD~2");
  write("topic.txt", "t\n");
  commit("topic work");
  git("checkout", "-q", "main");
  git("update-index", "--add", "--cacheinfo", "160000,1234567890123456789012345678901234567890,sub/module");
  git("commit", "-q", "-m", "add a submodule entry");
  git("config", "remote.origin.url", "https://example.org/x.git");
  git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
  git("config", "branch.main.remote", "origin");
  git("config", "branch.main.merge", "refs/heads/main");
  git("update-ref", "refs/remotes/origin/main", "HEAD~2");
  git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
  appendFileSync(`${path}/README.md`, "stashed\n");
  git("stash", "-q");
  edit("src/a.ts");
  commit("last commit");
  git("tag", "light");
  // The working tree.
  edit("src/a.ts");
  write("staged.txt", "staged\n");
  git("add", "staged.txt");
  appendFileSync(`${path}/staged.txt`, "and more\n");
  git("mv", "package.json", "moved.json");
  unlinkSync(`${path}/lib/renamed.ts`);
  write("untracked dir/x", "x\n");
  write("untracked.txt", "u\n");
  write("build/out", "ignored\n");
  write("some.log", "ignored\n");
  write("keep.log", "kept\n");
  write("src/new/deep/n.ts", "n\n");
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
