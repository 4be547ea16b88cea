/**
 * A repository for what `git log` follows and matches: a file that a branch changed before it was renamed, one that came from a
 * directory with others, a change that was picked, and a committer and an author whose names a mailmap changes.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { ENVIRONMENT, type Made } from "./git-repositories.ts";

const numbers = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, at) => `${from + at}\n`).join("");

/** The commits are always the same: tests name some of them by their messages. */
export function makeFollowedRepository(): Made {
  const path = realpathSync(mkdtempSync(`${tmpdir()}/shelpa-git-`));
  let clock = 1_700_000_000;
  const git = (...args: string[]): void => {
    clock += 1000;
    const isOfBob = clock % 3000 === 0;
    execFileSync("/usr/bin/git", args, {
      cwd: path,
      stdio: "ignore",
      env: {
        ...ENVIRONMENT,
        GIT_AUTHOR_NAME: isOfBob ? "bob" : "Old",
        GIT_AUTHOR_EMAIL: isOfBob ? "bob@z" : "x@y",
        GIT_COMMITTER_NAME: "Old",
        GIT_COMMITTER_EMAIL: "x@y",
        GIT_AUTHOR_DATE: `${clock} +0200`,
        GIT_COMMITTER_DATE: `${clock} +0000`,
      },
    });
  };
  const write = (name: string, text: string): void => writeFileSync(`${path}/${name}`, text);
  const commit = (message: string): void => {
    git("add", "-A");
    git("commit", "-qm", message);
  };
  git("init", "-q", "-b", "main");
  mkdirSync(`${path}/s`);
  write("s/a.txt", numbers(1, 20));
  write("s/b.txt", numbers(30, 50));
  write("README.md", "read\n");
  write(".mailmap", "New Name <x@y>\n");
  commit("one");
  git("tag", "v1");
  git("checkout", "-q", "-b", "t");
  write("s/a.txt", `${numbers(1, 20)}t1\n`);
  commit("t1 back");
  write("u.md", "u\n");
  commit("t2");
  git("checkout", "-q", "main");
  write("o", "other\n");
  commit("other");
  git("cherry-pick", "t");
  git("merge", "-q", "--no-ff", "-m", "merge t", "t~1");
  git("mv", "s/a.txt", "s/c.txt");
  commit("rename");
  git("tag", "-a", "-m", "v2", "v2");
  write("s/c.txt", `${numbers(1, 20)}t1\nz\n`);
  commit("z");
  write("README.md", "read\ny\n");
  commit("y");
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
