/** The commands of git: those that are here, those that others come nearest to, and those that write, fetch or run. */
import type { Command } from "./command.ts";
import { annotate, blame } from "./blame-command.ts";
import { forEachRef } from "./for-each-ref-command.ts";
import { grep } from "./grep-command.ts";
import { describe } from "./describe-command.ts";
import { diff } from "./diff-command.ts";
import { lsTree } from "./ls-tree-command.ts";
import { lsFiles } from "./ls-files-command.ts";
import { branch, showRef, tag } from "./ref-commands.ts";
import { reflog, stashList, stashShow } from "./reflog-commands.ts";
import { config } from "./setting-commands.ts";
import { lsRemote, remote } from "./remote-commands.ts";
import { checkMailmap } from "./check-mailmap-command.ts";
import { interpretTrailers, stripspace } from "./message-commands.ts";
import { patchId } from "./patch-id-command.ts";
import { getTarCommitId } from "./tar-commit-command.ts";
import { verifyPack } from "./verify-pack-command.ts";
import { verifyCommit, verifyTag } from "./verify-commands.ts";
import { column } from "./column-command.ts";
import { rangeDiff } from "./range-diff-command.ts";
import { showBranch } from "./show-branch-command.ts";
import { variable } from "./var-command.ts";
import { submodule } from "./submodule-command.ts";
import { submoduleSummary } from "./submodule-summary-command.ts";
import { countObjects, hashObject } from "./object-commands.ts";
import { formatPatch } from "./format-patch-command.ts";
import { clean } from "./clean-command.ts";
import { archive } from "./archive-command.ts";
import { bisect, bisectView } from "./bisect-command.ts";
import { checkRefFormat } from "./check-ref-format-command.ts";
import { NOT_DONE } from "./not-done.ts";
import { notes } from "./notes-command.ts";
import { log } from "./log-command.ts";
import { revList } from "./rev-list-command.ts";
import { checkIgnore, mergeBase } from "./question-commands.ts";
import { revParse } from "./rev-parse-command.ts";
import { shortlog } from "./shortlog-command.ts";
import { checkAttr, cherry, nameRev, symbolicRef, worktree } from "./name-commands.ts";
import { diffFiles, diffIndex, diffTree, whatchanged } from "./tree-diff-commands.ts";
import { catFile } from "./cat-file-command.ts";
import { show } from "./show-command.ts";
import { status } from "./status-command.ts";

const DONE: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["log", log],
  ["status", status],
  ["diff", diff],
  ["show", show],
  ["branch", branch],
  ["rev-parse", revParse],
  ["ls-files", lsFiles],
  ["ls-tree", lsTree],
  ["cat-file", catFile],
  ["tag", tag],
  ["remote", remote],
  ["config", config],
  ["merge-base", mergeBase],
  ["rev-list", revList],
  ["show-ref", showRef],
  ["shortlog", shortlog],
  ["stash list", stashList],
  ["stash show", stashShow],
  ["reflog", reflog],
  ["check-ignore", checkIgnore],
  ["describe", describe],
  ["blame", blame],
  ["grep", grep],
  ["diff-tree", diffTree],
  ["diff-index", diffIndex],
  ["diff-files", diffFiles],
  ["whatchanged", whatchanged],
  ["symbolic-ref", symbolicRef],
  ["name-rev", nameRev],
  ["worktree", worktree],
  ["cherry", cherry],
  ["check-attr", checkAttr],
  ["for-each-ref", forEachRef],
  ["annotate", annotate],
  ["submodule", submodule],
  ["submodule summary", submoduleSummary],
  ["count-objects", countObjects],
  ["hash-object", hashObject],
  ["notes", notes],
  ["bisect", bisect],
  ["bisect view", bisectView],
  ["bisect visualize", bisectView],
  ["check-ref-format", checkRefFormat],
  ["archive", archive],
  ["clean", clean],
  ["ls-remote", lsRemote],
  ["format-patch", formatPatch],
  ["var", variable],
  ["show-branch", showBranch],
  ["range-diff", rangeDiff],
  ["column", column],
  ["patch-id", patchId],
  ["stripspace", stripspace],
  ["interpret-trailers", interpretTrailers],
  ["check-mailmap", checkMailmap],
  ["verify-commit", verifyCommit],
  ["verify-tag", verifyTag],
  ["get-tar-commit-id", getTarCommitId],
  ["verify-pack", verifyPack],
]);

export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  [...DONE].map(([name, each]) => [name, { ...each, flags: { ...NOT_DONE[name], ...each.flags } }]),
);

/** Commands of git that are not done here, with the nearest that is. */
export const NEAREST: ReadonlyMap<string, string> = new Map([
  ["help", "git --help"],
  ["pickaxe", "git blame FILE"],
]);

/** Commands refused here, with the reason and a replacement. */
export const REFUSED: ReadonlyMap<string, readonly [reason: string, suggestion: string]> = new Map([
  ...words(
    "rm mv",
    "it changes the index, and the repository is only read here; the commands rm and mv change the files alone",
    "git status --short",
  ),
  ...words(
    "add commit reset restore merge rebase cherry-pick revert am init update-index update-ref write-tree commit-tree read-tree mktag mktree pack-refs prune prune-packed repack gc replace rerere filter-branch checkout-index commit-graph fast-import index-pack init-db merge-index merge-octopus merge-one-file merge-ours merge-recursive merge-recursive-ours merge-recursive-theirs merge-resolve merge-subtree multi-pack-index quiltimport sparse-checkout stage subtree unpack-objects update-server-info",
    "it writes the repository or the working tree; here it is only read",
    "git status --short",
  ),
  ...words(
    "checkout switch",
    "it writes the working tree; a file of another commit is read with git show, and a change made here is taken back with undo",
    "git show HEAD:PATH",
  ),
  ...words(
    "push pull fetch clone send-email bundle fetch-pack send-pack receive-pack upload-pack upload-archive http-backend http-fetch http-push imap-send remote-ext remote-fd remote-ftp remote-ftps remote-http remote-https shell",
    "there is no network here, and the repository is only read",
    "git log --oneline -n 10",
  ),
  ["apply", ["patch applies a diff to files", "patch -p1 --dry-run"]],
  ["stash", ["the repository is only read here", "git stash list"]],
  ...words(
    "maintenance daemon instaweb fsck fsck-objects difftool mergetool gui gitk citool lfs svn p4 fsmonitor--daemon hook bugreport credential credential-cache credential-store cvsexportcommit cvsimport cvsserver archimport diagnose for-each-repo gitweb web--browse",
    "it runs programs or writes",
    "git log --oneline -n 10",
  ),
  ...words(
    "merge-tree merge-file fmt-merge-msg mailinfo mailsplit show-index fast-export pack-objects pack-redundant unpack-file request-pull",
    "it is not done here",
    "git --help",
  ),
]);

function words(names: string, reason: string, suggestion: string): [string, readonly [string, string]][] {
  return names.split(" ").map((name) => [name, [reason, suggestion]]);
}
