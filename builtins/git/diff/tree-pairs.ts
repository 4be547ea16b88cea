/** A tree against the index: what is staged. Directories whose tree the index knows are not looked into. */
import { compareBytes } from "../objects/byte-text.ts";
import { MOST_DEPTH, NO_ID, pairOf, type FilePair } from "./file-pairs.ts";
import { GitError } from "../git-error.ts";
import type { IndexEntry, IndexFile } from "../worktree/index-file.ts";
import { isTree, type TreeEntry } from "../objects/objects.ts";
import type { Pathspec } from "../worktree/pathspec.ts";
import type { Repository } from "../repository.ts";
import { TreeReader } from "../objects/tree-reader.ts";

/**
 * Pairs in order of their paths; conflicts are status U, each once. `seesIntended`: files that are to be added (`git add -N`)
 * are there, empty.
 */
export function indexPairs(
  repository: Repository,
  tree: string | undefined,
  index: IndexFile,
  paths?: Pathspec,
  seesIntended = false,
): FilePair[] {
  const pairs: FilePair[] = [];
  new Comparison(repository, index, paths, seesIntended, pairs).directory(tree, "", 0, index.count, 0);
  return pairs.sort((a, b) => compareBytes(a.now.path, b.now.path));
}

class Comparison {
  readonly #repository: Repository;
  readonly #index: IndexFile;
  readonly #paths: Pathspec | undefined;
  readonly #seesIntended: boolean;
  readonly #pairs: FilePair[];

  constructor(repository: Repository, index: IndexFile, paths: Pathspec | undefined, seesIntended: boolean, pairs: FilePair[]) {
    this.#repository = repository;
    this.#index = index;
    this.#paths = paths;
    this.#seesIntended = seesIntended;
    this.#pairs = pairs;
  }

  /** `tree` against the entries `from` to `to`, whose names all begin with `prefix`. */
  directory(tree: string | undefined, prefix: string, from: number, to: number, depth: number): void {
    const known = this.#index.trees.get(prefix);
    if (tree !== undefined && known?.id === tree && known.count === to - from) return;
    if (depth > MOST_DEPTH) throw new GitError("exceeded maximum allowed tree depth");
    const index = this.#index;
    const reader = new TreeReader(tree === undefined ? Buffer.alloc(0) : this.#repository.treeBytes(tree), this.#repository.format);
    for (let at = from; ; ) {
      const left = reader.entry;
      const right = at < to ? index.nameAt(at) : undefined;
      if (left === undefined && right === undefined) return;
      // A hostile name may end in a slash: it is no directory, as nothing is below it.
      const slash = right === undefined ? -1 : right.slice(0, -1).indexOf("/", prefix.length);
      // Both sort as if the names of directories ended in a slash.
      const leftKey = left === undefined ? undefined : prefix + left.name + (isTree(left.mode) ? "/" : "");
      const rightKey = right === undefined ? undefined : slash < 0 ? right : right.slice(0, slash + 1);
      const order = leftKey === undefined ? 1 : rightKey === undefined ? -1 : compareBytes(leftKey, rightKey);
      if (order <= 0) reader.advance();
      const end = order < 0 || rightKey === undefined ? at : this.#endOf(rightKey, at, to);
      const key = order <= 0 ? (leftKey as string) : (rightKey as string);
      const old = order <= 0 ? left : undefined;
      const isDirectory = order <= 0 ? isTree(left?.mode ?? 0) : slash >= 0;
      if (!isDirectory) this.#file(key, old, at < end ? index.at(at) : undefined);
      else if (this.#paths === undefined || this.#paths.mayHold(key.slice(0, -1)) || this.#paths.matches(key.slice(0, -1), true))
        this.directory(old?.id, key, at, end, depth + 1);
      at = end;
    }
  }

  /** End of the entries of a file, or of a directory (`key` ends in a slash), that begin at `from`. */
  #endOf(key: string, from: number, to: number): number {
    const index = this.#index;
    const isDirectory = key.endsWith("/");
    const belongs = (at: number): boolean => {
      if (at >= to) return false;
      const name = index.nameAt(at);
      return isDirectory ? name.startsWith(key) : name === key;
    };
    const likely = from + (isDirectory ? (index.trees.get(key)?.count ?? 0) : 1);
    if (likely > from && belongs(likely - 1) && !belongs(likely)) return likely;
    let end = from + 1;
    while (belongs(end)) end++;
    return end;
  }

  #file(name: string, old: TreeEntry | undefined, first: IndexEntry | undefined): void {
    if (this.#paths !== undefined && !this.#paths.matches(name)) return;
    if (first === undefined) this.#pairs.push(pairOf(name, old, undefined));
    else if (first.stage > 0) {
      const absent = { mode: 0, id: NO_ID };
      this.#pairs.push({ ...pairOf(name, old ?? absent, absent), status: "U" });
    } else if (!first.intentToAdd || this.#seesIntended) {
      const { mode, id } = first;
      if (old === undefined || old.id !== id || old.mode !== mode) this.#pairs.push(pairOf(name, old, { mode, id }));
    }
  }
}
