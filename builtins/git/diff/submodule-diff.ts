/** Changes of a submodule as its own commits (--submodule=log), or as its files (--submodule=diff). */
import type { LoadRequest } from "../commands/command.ts";
import { quotedName } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";
import { isSubmodule, type Commit } from "../objects/objects.ts";
import { subjectOf } from "../log/message.ts";
import { mergeBases, PLAIN_WALK, walkCommits } from "../log/revision-walk.ts";
import type { Repository } from "../repository.ts";
import { repositoryBelow } from "../repository-search.ts";
import { absorbedRepository } from "../worktree/absorbed-repository.ts";
import { treeToWorking } from "../worktree/tree-to-working.ts";
import type { DiffSettings } from "./diff-options.ts";
import { idText, NO_ID, treePairs, type FilePair, type Side } from "./file-pairs.ts";
import type { Print } from "./patch.ts";

/** True if all that there is of the pair is a submodule, and the settings ask for more than its ids. */
export const isShownInside = ({ old, now }: FilePair, { submodules }: DiffSettings): boolean =>
  submodules.format !== "short" && [old, now].every(({ mode }) => mode === 0 || isSubmodule(mode)) && old.mode + now.mode !== 0;

/** Prints the files of a submodule that differ, whose names begin with its own; `prefixes`: what stands before the names of each side. */
export type PrintInside = (
  inner: Repository,
  pairs: readonly FilePair[],
  prefixes: { readonly old: string; readonly now: string },
) => Generator<void | LoadRequest, void>;

/** Throws GitError where the files of a submodule are asked for that is not checked out. */
export function* printSubmodule(
  repository: Repository,
  pair: FilePair,
  settings: DiffSettings,
  print: Print,
  printInside: PrintInside,
): Generator<void | LoadRequest, void> {
  const { old, now } = pair;
  const { path } = old;
  if (now.dirt?.hasUntracked === true) print(`Submodule ${path} contains untracked content\n`);
  if (now.dirt?.isModified === true) print(`Submodule ${path} contains modified content\n`);
  const below = repositoryBelow(repository, path);
  const inner = below ?? absorbedRepository(repository, path);
  try {
    const [left, right] = [commitOf(inner, old), commitOf(inner, now)];
    const bases = left === undefined || right === undefined || inner === undefined ? [] : mergeBases(inner, left.id, [right.id]);
    if (inner === undefined || old.id !== now.id || old.mode !== now.mode) {
      // Git takes two commits that are not there for the same one.
      const isForward = inner !== undefined && (left === undefined ? right === undefined : bases[0] === left.id);
      const isBack = !isForward && bases[0] !== undefined && bases[0] === right?.id;
      const [from, to] = [old, now].map(({ id }) => idText(repository, id, false, undefined));
      const lacksSome = (left === undefined && old.mode !== 0) || (right === undefined && now.mode !== 0);
      const usual = old.mode === 0 ? "(new submodule)" : now.mode === 0 ? "(submodule deleted)" : undefined;
      const message = inner === undefined ? (usual ?? LOST) : lacksSome ? LOST : usual;
      const end = message === undefined ? `${isBack ? " (rewind)" : ""}:` : ` ${message}`;
      print(`Submodule ${path} ${from}${isForward || isBack ? ".." : "..."}${to}${end}\n`);
    }
    if (inner === undefined) return;
    if (settings.submodules.format === "log") {
      if (left !== undefined && right !== undefined) printCommits(inner, left, right, bases, print);
      return;
    }
    if ((left === undefined && old.mode !== 0) || (right === undefined && now.mode !== 0)) return;
    if (below === undefined && repository.disk.status(repository.inWorktree(path), true)?.kind === "directory")
      throw new GitError(`the submodule ${quotedName(path, repository.quotesAll)} is not checked out: its files are not compared here`);
    const prefixes = { old: `${settings.oldPrefix}${path}/`, now: `${settings.newPrefix}${path}/` };
    if (now.dirt?.isModified === true) {
      const wanted = { otherwise: "untracked" } as const;
      yield* printInside(inner, treeToWorking(inner, left?.tree ?? inner.format.emptyTree, undefined, wanted), prefixes);
    } else yield* printInside(inner, treePairs(inner, left?.tree, right?.tree), prefixes);
  } finally {
    inner?.close();
  }
}

const LOST = "(commits not present)";

function commitOf(inner: Repository | undefined, { mode, id }: Side): Commit | undefined {
  if (inner === undefined || mode === 0 || id === NO_ID) return undefined;
  return inner.asCommit(id) === id ? inner.commit(id) : undefined;
}

/** The commits of both sides, by their first parents. */
function printCommits(inner: Repository, left: Commit, right: Commit, bases: readonly string[], print: Print): void {
  const request = { ...PLAIN_WALK, exclude: bases, firstParent: true };
  const ofLeft = new Set([...walkCommits(inner, { ...request, include: [left.id] })].map(({ id }) => id));
  for (const { id, message } of walkCommits(inner, { ...request, include: [left.id, right.id] }))
    print(`  ${ofLeft.has(id) ? "<" : ">"} ${subjectOf(message)}\n`);
}
