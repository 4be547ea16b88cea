/** Lines over a repository with a submodule, a linked worktree and unusual names, through our git and the real one. */
import { afterAll, expect, test } from "vitest";
import { makeOddRepository } from "./git-odd-repository.ts";
import { besideReal, hasGit, needsGit } from "./git-repositories.ts";

/** Those of more shapes are counted by `npm run git-differential`. */
const LINES = [
  "log --oneline",
  "log --oneline -- src",
  "log --oneline -- documentation docs",
  "log --stat --format=%h",
  "log --raw --no-abbrev",
  "log --name-status -M --oneline",
  "log -S extra --oneline",
  "log --oneline v1.0.0..HEAD -- 'src/main.ts'",
  "log --oneline main...hotfix/x",
  "rev-list --count --all",
  "rev-list --all --no-merges -- vendor",
  "diff v1.0.0 HEAD",
  "diff v1.0.0 HEAD --raw",
  "diff hotfix/x --name-status -- src documentation",
  "diff --cached",
  "diff --cached --raw --no-abbrev",
  "diff HEAD -- src documentation",
  "diff HEAD~3 --stat -- documentation 'src/with\ttab.ts'",
  "diff v1.0.0 HEAD -- empty no-newline",
  "show --stat HEAD~1",
  "show side -- ':(top)no-newline'",
  "show --stat main main~1 -- src documentation",
  "show --format=%s v1.1.0 -- src",
  "show -m --format=%s --name-only main~1 -- side.txt",
  "show -s --format=%s --no-merges main~1 main",
  "show -n 1 -s --format=%s main~1 main",
  "show -s --oneline main~1^@",
  "log -m --format=%s --name-only -- side.txt",
  "branch",
  "branch -a",
  "branch -v --no-abbrev",
  "branch -vv",
  "branch --merged main",
  "-C trees/side branch -vv",
  "for-each-ref --format='%(refname) %(worktreepath)'",
  "worktree list --porcelain",
  "diff v1.1.0:side.txt hotfix/x:crlf.txt",
  "diff HEAD:nothing",
  "diff nothing:x HEAD",
  "diff --staged -p --stat -- src/main.py",
  "diff hotfix/x...HEAD --compact-summary",
  "-C src status --porcelain=v2 --branch",
  "-C src status --porcelain=v2 -z",
  "ls-files -s",
  "ls-files --others --exclude-standard",
  "ls-files -m -- src documentation",
  "ls-tree -r -t HEAD",
  "ls-tree -r -l HEAD vendor/ src/",
  "status -s -- src documentation",
  "status --porcelain --ignored -- src 'not tracked' x.tmp",
  "-C trees/side log --oneline -3",
  "-C trees/side status",
  "-C trees/side status -sb",
  "-C trees/side diff",
  "-C trees/side diff HEAD~2 --stat",
  "-C trees/side rev-parse --git-dir --show-toplevel",
  "-C trees/side branch --show-current",
  "-C vendor/lib log --stat",
  "-C vendor/lib status -s",
  "-C vendor/lib diff",
  "-C vendor/lib rev-parse --show-toplevel",
  "-C vendor ls-files -s",
  "-C documentation ls-files",
  "cat-file -p HEAD:documentation",
  "show 'HEAD:documentation/new\nline.md'",
].map((line) => `git ${line}`);

needsGit.describe("git, in a repository with a submodule and a worktree", () => {
  const made = hasGit ? makeOddRepository(7) : undefined;
  afterAll(() => made?.remove());
  test.each(LINES)("%s", async (line) => {
    const { ours, real } = await besideReal(line, made?.path ?? "");
    expect(ours).toEqual(real);
  });
});
