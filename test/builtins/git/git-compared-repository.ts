/** Repository whose shapes a user found answered otherwise by git: nested tags, mixed trailers, ISO-8859-1, names that are quoted. */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { ENVIRONMENT, type Made } from "./git-repositories.ts";

const MIXED = "Subj\n\nbody\n\nSigned-off-by: A <a@b>\nnot a trailer\n[note: x]\nAcked-by: B <b@b>\n  goes on\n";

export function makeComparedRepository(): Made {
  const path = realpathSync(mkdtempSync(`${tmpdir()}/shelpa-git-compared-`));
  let clock = 1_790_000_000;
  const git = (args: readonly string[], input: string | Buffer = ""): void => {
    clock += 5000;
    void execFileSync("/usr/bin/git", args, {
      cwd: path,
      input,
      stdio: ["pipe", "ignore", "ignore"],
      env: {
        ...ENVIRONMENT,
        GIT_AUTHOR_NAME: "A",
        GIT_AUTHOR_EMAIL: "a@x",
        GIT_COMMITTER_NAME: "C",
        GIT_COMMITTER_EMAIL: "c@x",
        GIT_AUTHOR_DATE: `${clock} -0300`,
        GIT_COMMITTER_DATE: `${clock} +0100`,
      },
    });
  };
  const write = (name: string, text: string): void => writeFileSync(`${path}/${name}`, text);
  const commit = (message: string): void => {
    git(["add", "-A"]);
    git(["commit", "-q", "--allow-empty", "-F", "-"], message);
  };
  git(["init", "-q", "-b", "main"]);
  mkdirSync(`${path}/src/deep`, { recursive: true });
  mkdirSync(`${path}/dir s`);
  write("dir s/ä b", "1\n");
  write("sp ace", "1\n");
  write("src/x", "1\n");
  write("src/deep/y", "1\n");
  write("f", "a\nb\n");
  write("gone", "g\n");
  commit("one");
  git(["tag", "-a", "-m", "rel", "v1"]);
  git(["tag", "-a", "-m", "nested", "v1n", "v1"]);
  git(["tag", "light"]);
  for (const number of [2, 3, 4]) {
    appendFileSync(`${path}/f`, `${number}\n`);
    if (number === 3) rmSync(`${path}/gone`);
    commit(`c ${number}`);
  }
  git(["branch", "b1", "HEAD~2"]);
  write("s", "s\n");
  commit(MIXED);
  git(["tag", "-a", "-m", MIXED, "v2"]);
  const asked = (args: readonly string[], input?: Buffer): string =>
    execFileSync("/usr/bin/git", args, { cwd: path, env: ENVIRONMENT, encoding: "utf8", ...(input === undefined ? {} : { input }) }).trim();
  // Words of a program are UTF-8, and so the commit is made of its bytes.
  const who = (name: string): string => `${name} <z@x> ${clock + 5000} -0300`;
  const [tree, parent] = [asked(["rev-parse", "HEAD^{tree}"]), asked(["rev-parse", "HEAD"])];
  const latin = `tree ${tree}\nparent ${parent}\nauthor ${who("Zo\xeb")}\ncommitter ${who("C")}\nencoding ISO-8859-1\n\ncaf\xe9\n\nd\xe9j\xe0\n`;
  git(["reset", "-q", asked(["hash-object", "-t", "commit", "-w", "--stdin"], Buffer.from(latin, "latin1"))]);
  // What a person reads of a date of these days says less of it.
  let recent: readonly string[] = [];
  for (const hours of [9000, 700, 130, 90, 70, 50, 26, 3, -30]) {
    for (const zone of ["-0730", "+0000"]) {
      const date = `${Math.floor(Date.now() / 1000) - hours * 3600} ${zone}`;
      const env = { ...ENVIRONMENT, GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@x", GIT_COMMITTER_NAME: "C", GIT_COMMITTER_EMAIL: "c@x" };
      const made = execFileSync("/usr/bin/git", ["commit-tree", ...recent.flatMap((id) => ["-p", id]), "-m", date, tree], {
        cwd: path,
        env: { ...env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
        encoding: "utf8",
      });
      recent = [made.trim()];
    }
  }
  git(["update-ref", "refs/heads/recent", ...recent]);
  appendFileSync(`${path}/f`, "stashed\n");
  git(["stash", "-q"]);
  appendFileSync(`${path}/dir s/ä b`, "x \n");
  appendFileSync(`${path}/sp ace`, "y \n");
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Files that are alike, some of them moved and copied, a file in conflict, and a linked worktree. */
export function makeAlikeRepository(): Made {
  const path = realpathSync(mkdtempSync(`${tmpdir()}/shelpa-git-alike-`));
  const git = (...args: string[]): void => {
    const who = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@x", GIT_COMMITTER_NAME: "C", GIT_COMMITTER_EMAIL: "c@x" };
    const env = { ...ENVIRONMENT, ...who, GIT_AUTHOR_DATE: "1790000000 +0000", GIT_COMMITTER_DATE: "1790000000 +0000" };
    void spawnSync("/usr/bin/git", args, { cwd: path, stdio: "ignore", env });
  };
  const page = (number: number, own: number): string =>
    Array.from({ length: 20 }, (_, line) => (line < own ? `page ${number} says ${line}\n` : `all of them say ${line}\n`)).join("");
  const write = (name: string, text: string): void => writeFileSync(`${path}/${name}`, text);
  git("init", "-q", "-b", "main");
  mkdirSync(`${path}/d`);
  for (let number = 10; number < 24; number++) write(`d/p${number}`, page(number, 2 + (number % 4)));
  git("add", "-A");
  git("commit", "-q", "-m", "one");
  git("checkout", "-q", "-b", "side");
  write("d/p10", page(99, 9));
  git("commit", "-qam", "side");
  git("checkout", "-q", "main");
  git("mv", "d/p15", "d/q15");
  rmSync(`${path}/d/p20`);
  for (const number of [30, 31, 32]) write(`d/c${number}`, page(number, number - 28));
  for (const number of [11, 18]) write(`d/p${number}`, page(number, 6));
  git("add", "-A");
  git("commit", "-q", "-m", "two");
  git("rm", "-q", "d/p10");
  git("commit", "-q", "-m", "three");
  git("worktree", "add", "-q", "linked");
  git("merge", "-q", "side");
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
