/** The lines of git status on a merge, rebase, cherry-pick, revert, bisect or am that is under way. */
import type { Repository } from "../repository.ts";

export interface Progress {
  /** In place of the branch: "interactive rebase in progress; onto abc". */
  readonly title: string | undefined;
  /** Lines below it, with an empty one at the end. */
  readonly text: string;
  /** Leaves out the hint how to unstage a file. */
  readonly hidesUnstaging: boolean;
  /** A rebase, and its branch; undefined where a commit was checked out. */
  readonly rebasing: { readonly branch: string | undefined } | undefined;
  /** A bisection, and the branch or commit that it began on. */
  readonly bisecting: { readonly from: string | undefined } | undefined;
}

export interface ProgressOptions {
  readonly hasConflicts: boolean;
  /** Tracked files that a sparse checkout has, in percent; "untold" where the index itself is sparse. */
  readonly presentPercent?: number | "untold" | undefined;
}

export function progressOf(repository: Repository, { hasConflicts, presentPercent }: ProgressOptions): Progress {
  const { disk, gitDirectory } = repository;
  const read = (name: string): string | undefined => {
    const place = `${gitDirectory}/${name}`;
    return disk.status(place, false)?.kind === "file" ? disk.text(place)?.trimEnd() : undefined;
  };
  const exists = (name: string): boolean => disk.status(`${gitDirectory}/${name}`, false) !== undefined;
  const isMerge = exists("MERGE_HEAD");
  const picked = read("CHERRY_PICK_HEAD");
  const reverted = read("REVERT_HEAD");
  const isInteractive = exists("rebase-merge");
  const isAm = exists("rebase-apply/applying");
  const isRebase = !isAm && exists("rebase-apply");
  const base = isInteractive ? "rebase-merge" : "rebase-apply";
  const onto = short(repository, read(`${base}/onto`));
  const branch = short(repository, read(`${base}/head-name`));
  let text = "";
  if (isInteractive) text += doneAndLeft(repository, read);
  if (isMerge) {
    if (isInteractive) text += "\n";
    text += hasConflicts
      ? 'You have unmerged paths.\n  (fix conflicts and run "git commit")\n  (use "git merge --abort" to abort the merge)\n\n'
      : 'All conflicts fixed but you are still merging.\n  (use "git commit" to conclude merge)\n\n';
  } else if (isAm) {
    const isEmpty = disk.status(`${gitDirectory}/rebase-apply/patch`, false)?.size === 0;
    text += `You are in the middle of an am session.\n${isEmpty ? "The current patch is empty.\n" : '  (fix conflicts and then run "git am --continue")\n'}  (use "git am --skip" to skip this patch)\n`;
    if (isEmpty) text += '  (use "git am --allow-empty" to record this patch as an empty commit)\n';
    text += '  (use "git am --abort" to restore the original branch)\n\n';
  } else if (isInteractive || isRebase) {
    const rebasing = branch === undefined || onto === undefined ? "" : ` branch '${branch}' on '${onto}'`;
    if (hasConflicts)
      text += `You are currently rebasing${rebasing}.\n  (fix conflicts and then run "git rebase --continue")\n  (use "git rebase --skip" to skip this patch)\n  (use "git rebase --abort" to check out the original branch)\n\n`;
    else if (isRebase || exists("MERGE_MSG"))
      text += `You are currently rebasing${rebasing}.\n  (all conflicts fixed: run "git rebase --continue")\n\n`;
    else
      text += `You are currently editing a commit ${rebasing === "" ? "during a rebase" : `while rebasing${rebasing}`}.\n  (use "git commit --amend" to amend the current commit)\n  (use "git rebase --continue" once you are satisfied with your changes)\n\n`;
  } else {
    const [, sequence] = /^\s*(p|pick|revert)[ \t]/.exec(read("sequencer/todo") ?? "") ?? [];
    const isRevert = sequence === "revert";
    const isPick = sequence !== undefined && !isRevert;
    // Of one commit of several git does not tell which.
    if (isPick || picked !== undefined) text += replayed(repository, "cherry-pick", isPick ? undefined : picked, hasConflicts);
    else if (isRevert || reverted !== undefined) text += replayed(repository, "revert", isRevert ? undefined : reverted, hasConflicts);
  }
  const bisecting = exists("BISECT_LOG") ? { from: short(repository, read("BISECT_START")) } : undefined;
  if (bisecting !== undefined) {
    const started = bisecting.from === undefined ? "" : `, started from branch '${bisecting.from}'`;
    text += `You are currently bisecting${started}.\n  (use "git bisect reset" to get back to the original branch)\n\n`;
  }
  if (presentPercent !== undefined) {
    const present = presentPercent === "untold" ? "" : ` with ${presentPercent}% of tracked files present`;
    text += `You are in a sparse checkout${present}.\n\n`;
  }
  const kind = isInteractive ? "interactive rebase" : isRebase ? "rebase" : undefined;
  return {
    title: kind === undefined ? undefined : `${kind} in progress; onto ${onto ?? ""}`,
    text,
    hidesUnstaging: isMerge || picked !== undefined,
    rebasing: kind === undefined ? undefined : { branch },
    bisecting,
  };
}

/** Lines on a cherry-pick or revert; `commit` is undefined where it is one of several. */
function replayed(repository: Repository, what: "cherry-pick" | "revert", commit: string | undefined, hasConflicts: boolean): string {
  const [title, doing] = what === "cherry-pick" ? ["Cherry-pick", "cherry-picking"] : ["Revert", "reverting"];
  const state =
    commit === undefined ? `${title} currently in progress.` : `You are currently ${doing} commit ${short(repository, commit) ?? ""}.`;
  const next = hasConflicts
    ? `fix conflicts and run "git ${what} --continue"`
    : commit === undefined
      ? `run "git ${what} --continue" to continue`
      : `all conflicts fixed: run "git ${what} --continue"`;
  return `${state}\n  (${next})\n  (use "git ${what} --skip" to skip this patch)\n  (use "git ${what} --abort" to cancel the ${what} operation)\n\n`;
}

/** A branch by its short name, a commit by its short id. */
function short(repository: Repository, text: string | undefined): string | undefined {
  if (text === undefined || text === "" || text === "detached HEAD") return undefined;
  return repository.format.isId(text) ? repository.short(text) : text.replace(/^refs\/(heads|remotes)\//, "");
}

/** So many commands of a rebase are shown on either side. */
const SHOWN = 2;

/** A command of a rebase whose second word, if it is an id, is abbreviated. */
const withShortId = (repository: Repository, line: string): string =>
  line.replace(/^(\S+ +)([0-9a-f]+)(?!\S)/, (whole, before: string, id: string) =>
    repository.format.isId(id) ? before + repository.short(id) : whole,
  );

function doneAndLeft(repository: Repository, read: (name: string) => string | undefined): string {
  const commands = (name: string): string[] =>
    (read(`rebase-merge/${name}`) ?? "")
      .split("\n")
      .filter((line) => line.trim() !== "" && !line.startsWith("#"))
      .map((line) => (/^(exec|x|label|l)\s/.test(line) ? line : withShortId(repository, line)));
  const done = commands("done");
  const left = commands("git-rebase-todo");
  let text = "";
  if (done.length === 0) text += "No commands done.\n";
  else {
    text += done.length === 1 ? "Last command done (1 command done):\n" : `Last commands done (${done.length} commands done):\n`;
    for (const line of done.slice(-SHOWN)) text += `   ${line}\n`;
    if (done.length > SHOWN) text += "  (see more in file .git/rebase-merge/done)\n";
  }
  if (left.length === 0) return `${text}No commands remaining.\n`;
  text += left.length === 1 ? "Next command to do (1 remaining command):\n" : `Next commands to do (${left.length} remaining commands):\n`;
  for (const line of left.slice(0, SHOWN)) text += `   ${line}\n`;
  return `${text}  (use "git rebase --edit-todo" to view and edit)\n`;
}
