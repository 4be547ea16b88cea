/** git diff: working tree, index and commits against each other. */
import { fromWord } from "./byte-text.ts";
import type { Command, CommandRun } from "./command.ts";
import { NO_ID, pairOf, filesOf, treePairs, type FilePair, type Side } from "./file-pairs.ts";
import { DIFF_FLAGS, diffSettings } from "./diff-options.ts";
import { printPairs, shownPairs } from "./diff-print.ts";
import { GitError } from "./git-error.ts";
import { readIndex, type IndexFile } from "./index-file.ts";
import type { Pathspec } from "./pathspec.ts";
import type { Repository } from "./repository.ts";
import { splitRevisions } from "./revision-arguments.ts";
import { commitNamed, resolveRange, resolveRevision, treeOf } from "./revision.ts";
import { mergeBases } from "./revision-walk.ts";
import { isUnchangedFile, workingPairs } from "./working-tree.ts";

export const diff: Command = {
  flags: `${DIFF_FLAGS} --cached --staged --merge-base --no-index --ita-invisible-in-index --no-relative --theirs --ours --base -0 -1 -2 -3`,
  refused: { "--no-index": ["it compares files outside a repository, as diff does", "diff -u OLD NEW"] },
  *run(run) {
    const { repository, options, print } = run;
    const asked = diffSettings(options, repository.config, repository.prefix);
    const settings =
      asked.formats.size === 0 && !asked.isSilent && !asked.quiet ? { ...asked, formats: new Set(["patch" as const]) } : asked;
    const pairs = shownPairs(repository, foundPairs(run), settings);
    // `stat` alone may differ: what has the same content is no difference.
    if (!settings.quiet) yield* printPairs(repository, pairs, settings, print);
    return (settings.exitCode || settings.quiet) && pairs.length > 0 ? 1 : 0;
  },
};

function foundPairs(run: CommandRun): FilePair[] {
  const { repository, options } = run;
  const { revisions, paths } = splitRevisions(repository, options);
  const isCached = options.has("--cached", "--staged");
  const [first, second] = revisions;
  if (isCached) {
    if (revisions.length > 1)
      throw new GitError("usage: git diff [<options>] --cached [<commit>] [--] [<path>...]", { exit: 129, prefix: "" });
    const head = first === undefined ? repository.refs.resolve("HEAD")?.id : resolveRevision(repository, first);
    const base =
      options.has("--merge-base") && head !== undefined
        ? mergeBases(repository, head, [repository.refs.resolve("HEAD")?.id ?? head])[0]
        : head;
    return indexPairs(repository, base === undefined ? undefined : treeOf(repository, base), readIndex(repository), paths);
  }
  if (first === undefined) return workingPairs(repository, readIndex(repository), paths);
  if (second !== undefined && revisions.length === 2 && !first.includes("..")) {
    if (second.startsWith("^")) return treeToTree(repository, second.slice(1), first, paths);
    return treeToTree(repository, first, second, paths);
  }
  if (revisions.length > 2) throw new GitError("the combined diff of several commits is not available here yet");
  const [, from = "", dots, to = ""] = /^([^]*?)(\.{2,3})([^]*)$/.exec(first) ?? [];
  if (dots !== undefined) {
    const [a, b] = [from === "" ? "HEAD" : from, to === "" ? "HEAD" : to];
    if (dots === "..") return treeToTree(repository, a, b, paths);
    const [x, y] = [commitNamed(repository, a), commitNamed(repository, b)];
    const base = x === undefined || y === undefined ? undefined : mergeBases(repository, x, [y])[0];
    if (base === undefined) throw new GitError(`${first}: no merge base`);
    return treeToTree(repository, base, b, paths);
  }
  const parents = /\^[!@]$/.test(first) ? resolveRange(repository, first) : undefined;
  if (parents !== undefined) return treeToTree(repository, parents.exclude[0] ?? "", parents.include[0] ?? "", paths);
  const id = resolveRevision(repository, first);
  const tree = id === undefined ? undefined : treeOf(repository, id);
  if (tree === undefined) throw new GitError("a blob against the working tree is not available here yet");
  return treeToWorking(repository, tree, paths);
}

function treeToTree(repository: Repository, from: string, to: string, paths: Pathspec | undefined): FilePair[] {
  const ids = [from, to].map((typed) => resolveRevision(repository, typed));
  const trees = ids.map((id) => (id === undefined ? undefined : treeOf(repository, id)));
  if (trees[0] !== undefined && trees[1] !== undefined) return treePairs(repository, trees[0], trees[1], { paths });
  const [old, now] = [from, to].map(
    (typed, index): Side => ({ path: typed.slice(typed.indexOf(":") + 1), mode: 0o100644, id: ids[index] ?? NO_ID }),
  );
  if (old === undefined || now === undefined || trees[0] !== trees[1])
    throw new GitError(`invalid object pair given: ${fromWord(from)} ${fromWord(to)}`);
  return old.id === now.id ? [] : [{ status: "M", old, now, score: 0 }];
}

/** From a tree to the index: what is staged. */
export function indexPairs(repository: Repository, tree: string | undefined, index: IndexFile, paths?: Pathspec): FilePair[] {
  const files = filesOf(repository, tree, paths);
  const pairs: FilePair[] = [];
  const seen = new Set<string>();
  for (const { name, mode, id, stage, intentToAdd } of index.entries) {
    if (paths !== undefined && !paths.matches(name)) continue;
    const isNew = !seen.has(name);
    seen.add(name);
    if (stage > 0) {
      if (isNew) pairs.push({ ...pairOf(name, { mode, id }, { mode: 0, id: NO_ID }), status: "U" });
      continue;
    }
    if (intentToAdd) continue;
    const old = files.get(name);
    if (old === undefined || old.id !== id || old.mode !== mode) pairs.push(pairOf(name, old, { mode, id }));
  }
  for (const [path, old] of files) if (!seen.has(path)) pairs.push(pairOf(path, old, undefined));
  return pairs.sort((a, b) => (a.now.path < b.now.path ? -1 : 1));
}

/** From a tree to the working tree, as far as the index knows its files. */
function treeToWorking(repository: Repository, tree: string, paths: Pathspec | undefined): FilePair[] {
  const index = readIndex(repository);
  const files = filesOf(repository, tree, paths);
  const changed = new Map(workingPairs(repository, index, paths).map((pair) => [pair.now.path, pair]));
  const pairs: FilePair[] = [];
  const seen = new Set<string>();
  for (const { name, mode, id } of index.entries) {
    if ((paths !== undefined && !paths.matches(name)) || seen.has(name)) continue;
    seen.add(name);
    const old = files.get(name);
    const pair = changed.get(name);
    const now =
      pair === undefined
        ? { mode, id }
        : pair.now.mode === 0
          ? undefined
          : { mode: pair.now.mode, id: pair.now.id, isWorking: pair.now.isWorking === true };
    if (pair?.status === "U") pairs.push(pair);
    if (old === undefined && now === undefined) continue;
    if (
      old !== undefined &&
      now !== undefined &&
      old.mode === now.mode &&
      (old.id === now.id || (pair !== undefined && isUnchangedFile(repository, name, old)))
    )
      continue;
    pairs.push(pairOf(name, old, now));
  }
  for (const [path, old] of files) if (!seen.has(path)) pairs.push(pairOf(path, old, undefined));
  return pairs.sort((a, b) => (a.now.path < b.now.path ? -1 : 1));
}
