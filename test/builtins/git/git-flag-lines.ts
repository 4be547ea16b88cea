/** Lines about flags that were once accepted and ignored, and the repository they are asked in. */
import { appendFileSync, unlinkSync } from "node:fs";
import { Maker } from "./git-feature-repositories.ts";
import type { Made } from "./git-repositories.ts";

/** A branch beside its upstream; renamed, empty and intended files; a stash; a reflog; settings. */
export function makeFlagRepository(): Made {
  const maker = new Maker();
  maker.git("init", "-q", "-b", "main");
  maker.write("README.md", "# Title\n\nText.\n");
  maker.write("src/a.ts", Array.from({ length: 30 }, (_, line) => `  step(${line});\n`).join(""));
  maker.write("src/gone.ts", "gone\n");
  maker.write("empty.txt", "");
  maker.commit("one (first)");
  maker.git("checkout", "-q", "-b", "upstream");
  maker.write("theirs.txt", "theirs\n");
  maker.commit("theirs");
  maker.git("checkout", "-q", "main");
  maker.git("mv", "README.md", "READ.md");
  maker.commit("two: rename");
  appendFileSync(`${maker.path}/src/a.ts`, "more\n");
  maker.commit("three");
  maker.git("update-ref", "refs/remotes/origin/main", "upstream");
  maker.git("config", "remote.origin.url", "https://example.org/x.git");
  maker.git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
  maker.git("config", "branch.main.remote", "origin");
  maker.git("config", "branch.main.merge", "refs/heads/main");
  maker.git("config", "user.name", "Local");
  appendFileSync(`${maker.path}/READ.md`, "stashed\n");
  maker.git("stash", "-q");
  maker.git("mv", "READ.md", "renamed.md");
  maker.git("mv", "empty.txt", "src/empty.txt");
  maker.write("intended.txt", "intended\n");
  maker.write("intended-empty.txt", "");
  maker.git("add", "-N", "intended.txt", "intended-empty.txt");
  appendFileSync(`${maker.path}/src/a.ts`, "changed\n");
  unlinkSync(`${maker.path}/src/gone.ts`);
  maker.write("untracked step.txt", "step(1)\n");
  return maker.made();
}

export const FLAG_LINES: readonly string[] = [
  "status -sb",
  "status -sb --no-ahead-behind",
  "status -sb --no-ahead-behind --ahead-behind",
  "status --no-ahead-behind",
  "status --ahead-behind",
  "status --porcelain -b --no-ahead-behind",
  "status --porcelain=v2 -b --no-ahead-behind",
  "status --porcelain=v2 -b --ahead-behind",
  "-c status.aheadBehind=false status",
  "-c status.aheadBehind=false status -sb",
  "-c status.aheadBehind=false status -sb --ahead-behind",
  "-c status.aheadBehind=false status --porcelain -b",
  "-c status.aheadBehind=false status --porcelain=v2 -b",
  "-c status.renames=false status -s",
  "-c status.renames=false status -s --renames",
  "-c status.renames=false status -s -M",
  "-c status.renames=false status --find-renames=80%",
  "-c diff.renames=false status -s",
  "-c diff.renames=false -c status.renames=true status -s",
  "status -s --no-renames",
  "status -s --no-renames --renames",
  "status -s --renames --no-renames",
  "status -s -M --no-renames",
  "status -s --no-renames -M90%",
  "status --porcelain=v2 --find-renames",
  "log -g --oneline",
  "log -g --oneline --grep-reflog=checkout",
  "log -g --oneline --grep-reflog=commit --grep-reflog=reset",
  "log -g --oneline --grep-reflog=COMMIT -i",
  "log -g --format=%gs --grep-reflog='t[wh]' -2",
  "reflog --grep-reflog=checkout",
  "log --oneline --grep-reflog=X",
  "rev-list HEAD --grep-reflog=X",
  "stash list --grep-reflog=WIP",
  "stash list --grep-reflog=nope",
  "stash list --author=nobody",
  "stash list -p",
  "stash list --oneline",
  "stash list --format=%gd",
  "stash show",
  "stash show -M",
  "stash show -w",
  "stash show --abbrev=9",
  "stash show --stat",
  "stash show --include-untracked",
  "stash show --include-untracked -U1",
  "stash show -m",
  "log --oneline -E --basic-regexp --grep='(first|two)'",
  "log --oneline --basic-regexp -E --grep='(first|two)'",
  "log --oneline -P -F --grep='(first)'",
  "log --oneline -F -P --grep='(first|two)'",
  "-c grep.patternType=extended log --oneline --grep='(first|two)'",
  "-c grep.patternType=fixed log --oneline --grep='(first)'",
  "-c grep.patternType=perl log --oneline --grep='t\\w{2}\\b'",
  "-c grep.extendedRegexp=true log --oneline --grep='(first|two)'",
  "-c grep.patternType=extended log --oneline --grep='(first|two)' --basic-regexp",
  "rev-list --count --sparse HEAD -- src",
  "rev-list --count --sparse --dense HEAD -- src",
  "log --oneline --dense --sparse -- src",
  "shortlog --full-diff HEAD -- src",
  "diff --cached -M --no-rename-empty --stat",
  "diff --cached -M --no-rename-empty --rename-empty --stat",
  "diff --cached --no-rename-empty --name-status",
  "diff-index --cached -M --no-rename-empty HEAD",
  "log -1 --no-rename-empty --name-status HEAD~1",
  "diff --cached --stat",
  "diff --cached --stat --ita-visible-in-index",
  "diff --cached --stat --ita-visible-in-index --ita-invisible-in-index",
  "diff --cached --name-status --ita-visible-in-index",
  "diff --raw",
  "diff --raw --ita-visible-in-index",
  "diff --ita-visible-in-index",
  "diff HEAD --raw --ita-visible-in-index",
  "diff-index --cached HEAD",
  "diff-index --cached HEAD --ita-invisible-in-index",
  "diff-files --ita-visible-in-index",
  "diff-files --ita-invisible-in-index",
  "show --ita-visible-in-index --stat",
  "-C src diff --relative --stat",
  "-C src diff --relative --no-relative --stat",
  "-C src diff --no-relative --relative --stat",
  "-C src -c diff.relative=true diff --stat",
  "-C src -c diff.relative=true diff --no-relative --stat",
  "-C src -c diff.relative=true show --stat HEAD~1",
  "-c diff.indentHeuristic=false diff --indent-heuristic",
  "diff --no-indent-heuristic --indent-heuristic",
  "diff -m",
  "diff -m HEAD --name-status",
  "diff-files -m --name-status",
  "diff-tree --merge-base main upstream",
  "diff-tree --merge-base --name-status main upstream",
  "diff-tree --merge-base main",
  "diff-tree --merge-base main..upstream",
  "ls-files -m -c",
  "ls-files -m -c --deduplicate",
  "ls-files -d -m --deduplicate",
  "ls-files -t -m -c --deduplicate",
  "ls-files -t -m -d -c",
  "ls-files -s -m --deduplicate",
  "ls-files --deduplicate",
  "ls-files -o -c --deduplicate",
  "config --local --get user.name",
  "-c user.name=typed config --local --get user.name",
  "-c user.name=typed config --get user.name",
  "-c x.y=typed config --local --get x.y",
  "-c x.y=typed config --local --list",
  "config --no-includes --get user.name",
  "grep --no-untracked step",
  "grep --untracked --no-untracked -l step",
  "grep --no-untracked --untracked -l step",
  "grep --exclude-standard step",
  "grep --untracked --exclude-standard -l step",
  "-C src grep -c --full-name step",
  "-C src grep -c --full-name --no-full-name step",
  "-C src -c grep.fullName=true grep -c step",
  "-C src -c grep.fullName=true grep -c --no-full-name step",
  "grep --threads=2 -c step",
  "grep --no-textconv -c step",
  "cat-file --allow-unknown-type -t HEAD",
  "cat-file --allow-unknown-type -s HEAD",
  "cat-file --allow-unknown-type -p HEAD",
  "cat-file --no-use-mailmap -p HEAD~2",
  "worktree list -v",
  "worktree list -v --porcelain",
  "worktree list -z",
  "rev-parse --show-superproject-working-tree",
  "rev-parse --show-superproject-working-tree --show-prefix",
  "log --oneline --no-show-signature -1",
  "log -p -1 --no-ext-diff --no-textconv --no-color --no-color-moved",
  "branch -r -a",
  "branch -a -r",
  "stash show -u",
  "stash show --exit-code",
  "stash show --quiet",
  "stash show --line-prefix='>>'",
  "diff-index --line-prefix='>>' HEAD",
  "diff-files --line-prefix='>>'",
  "diff --no-abbrev",
  "diff --no-abbrev --raw HEAD",
  "diff --no-abbrev --abbrev=9 --raw HEAD",
  "diff --abbrev=9 HEAD -- src",
  "diff --merge-base",
  "log --no-abbrev -p -1",
  "log --no-abbrev-commit --oneline",
  "log --oneline --no-abbrev-commit",
  "log --oneline --pretty=medium -1",
  "log --no-walk -p -3",
  "log -3 --no-walk --oneline",
  "log --ancestry-path --oneline",
  "log --ancestry-path --oneline HEAD~1..HEAD",
  "rev-list --ancestry-path HEAD",
  "rev-list --children --oneline --all",
  "rev-list --parents --children --oneline --all",
  "rev-list --abbrev=9 --oneline --all",
  "show --quiet HEAD",
  "show --quiet --stat HEAD~1",
  "show --graph HEAD",
  "describe --exact-match --always",
  "describe --broken=x --always",
  "describe --dirty=x --always",
  "show-ref --verify",
  "shortlog --committer HEAD",
  "shortlog -s --committer -n HEAD",
  "blame --progress renamed.md",
  "blame --no-progress --encoding=UTF-8 src/a.ts -L1,2",
];

export const CONFLICT_FLAG_LINES: readonly string[] = ["", "-0", "-1", "-2", "-3", "--base", "--ours", "--theirs"]
  .flatMap((stage) => ["", " -p", " --name-status", " --numstat"].map((form) => `diff-files ${stage}${form}`))
  .concat(
    "diff-files -c",
    "diff-files --cc",
    "diff-files -m -p",
    "diff -m",
    "ls-files -u --deduplicate",
    "ls-files --deduplicate",
    "ls-files",
  );

/** Flags that git knows and that are refused by name. */
export const REFUSED_LINES: readonly string[] = [
  "log --remove-empty -- src",
  "log --color --oneline",
  "diff-index -m HEAD",
  "show -g HEAD",
  "show --follow HEAD -- src/a.ts",
  "rev-list -g HEAD",
  "rev-list --follow HEAD -- src/a.ts",
  "shortlog -g HEAD",
  "shortlog --follow HEAD -- src/a.ts",
  "stash show --oneline",
  "show --all HEAD",
  "show --left-right HEAD",
  "show --source HEAD",
  "diff-index --cc HEAD",
  "diff-tree -t HEAD",
  "config --includes --get user.name",
  "cat-file --use-mailmap -p HEAD",
  "worktree list --expire=now",
  "blame --encoding=latin1 src/a.ts",
];
