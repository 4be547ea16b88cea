/** Pairs of files that differ between two trees, a tree and the index, or the index and the working tree. */
import { compareBytes } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";
import { isTree, type TreeEntry } from "../objects/objects.ts";
import { skipSame, TreeReader } from "../objects/tree-reader.ts";
import type { Pathspec } from "../worktree/pathspec.ts";
import type { Repository } from "../repository.ts";

/** One side of a pair; mode 0 where there is no file. */
export interface Side {
  readonly path: string;
  readonly mode: number;
  /** NO_ID where the content is that of the working tree and has no id yet. */
  readonly id: string;
  /** What `--raw` says in place of `id`, of a submodule at another commit than the index has. */
  readonly rawId?: string | undefined;
  /** What its text says in place of `id`. */
  readonly textId?: string | undefined;
  /** The content comes from the working tree. */
  readonly isWorking?: boolean;
  /** Gives the bytes of what is in no repository, or not by this path. Throws FileError. */
  readonly read?: () => Buffer;
  /** Path by which attributes are looked up, where it is another. */
  readonly attributesOf?: string;
  /** Of a submodule: what differs there from the commit. */
  readonly dirt?: { readonly isModified: boolean; readonly hasUntracked: boolean } | undefined;
}

export type PairStatus = "A" | "D" | "M" | "T" | "R" | "C" | "U";

export interface FilePair {
  readonly status: PairStatus;
  readonly old: Side;
  readonly now: Side;
  /** 0–60000 for a rename; of what was taken apart, the share of the old content that is gone, or 0 if it is too little. */
  readonly score: number;
  /** A half of what was taken apart (-B). */
  readonly isBroken?: boolean;
}

/** The path by which a side's attributes are looked up. */
export const attributePath = ({ path, attributesOf }: Side): string => attributesOf ?? path;

/** True if next to nothing is left of the old file (-B). */
export const isRewritten = ({ status, score }: FilePair): boolean => status === "M" && score > 0;

/** The id of a side that has none: git prints zeros for it, as many as an id has digits. */
export const NO_ID = "";

/** No abbreviated id is shorter. */
const LEAST_DIGITS = 4;

/** An object id as an index line and --raw show it: `isWhole`, or shortened to what tells it from others, but NO_ID to a length alone. */
export function idText(repository: Repository, id: string, isWhole: boolean, abbreviation: number | undefined): string {
  if (isWhole) return id === NO_ID ? repository.format.noId : id;
  if (id !== NO_ID) return repository.short(id, abbreviation);
  return repository.format.noId.slice(0, Math.max(LEAST_DIGITS, abbreviation ?? repository.abbreviation));
}

const NOTHING: Omit<Side, "path"> = { mode: 0, id: NO_ID };

export function pairOf(path: string, old: Omit<Side, "path"> | undefined, now: Omit<Side, "path"> | undefined): FilePair {
  const status = old === undefined ? "A" : now === undefined ? "D" : (old.mode & 0o170000) !== (now.mode & 0o170000) ? "T" : "M";
  return { status, old: { ...(old ?? NOTHING), path }, now: { ...(now ?? NOTHING), path }, score: 0 };
}

export interface TreeDiffOptions {
  readonly paths?: Pathspec | undefined;
  /** Ends at the first difference: whether there is one is all that is asked. */
  readonly onlyFirst?: boolean;
  /** Trees are pairs of their own too (`git diff-tree` without -r is not offered; log -t). */
  readonly withTrees?: boolean;
}

/** Pairs in order of their paths. An absent tree is undefined. */
export function treePairs(
  repository: Repository,
  old: string | undefined,
  now: string | undefined,
  options: TreeDiffOptions = {},
): FilePair[] {
  const pairs: FilePair[] = [];
  compareTrees(repository, old, now, "", options, pairs);
  return pairs;
}

/** Trees sort as if their names ended in a slash. */
const sortKey = ({ name, mode }: TreeEntry): string => (isTree(mode) ? `${name}/` : name);
/** Deeper trees are an error, as they are in git from 2.43 on: no path is long enough to check them out. */
export const MOST_DEPTH = 2048;

function compareTrees(
  repository: Repository,
  old: string | undefined,
  now: string | undefined,
  prefix: string,
  options: TreeDiffOptions,
  pairs: FilePair[],
  depth = 0,
): void {
  if (old === now) return;
  if (depth > MOST_DEPTH) throw new GitError("exceeded maximum allowed tree depth");
  const a = new TreeReader(old === undefined ? NO_BYTES : repository.treeBytes(old), repository.format);
  const b = new TreeReader(now === undefined ? NO_BYTES : repository.treeBytes(now), repository.format);
  const { paths } = options;
  for (;;) {
    if (options.onlyFirst === true && pairs.length > 0) return;
    skipSame(a, b);
    const x = a.entry;
    const y = b.entry;
    if (x === undefined && y === undefined) return;
    const order = x === undefined ? 1 : y === undefined ? -1 : compareBytes(sortKey(x), sortKey(y));
    const [left, right] = [order <= 0 ? x : undefined, order >= 0 ? y : undefined];
    if (left !== undefined) a.advance();
    if (right !== undefined) b.advance();
    if (left !== undefined && right !== undefined && left.id === right.id && left.mode === right.mode) continue;
    const entry = (left ?? right) as TreeEntry;
    const path = prefix + entry.name;
    const [leftTree, rightTree] = [left !== undefined && isTree(left.mode), right !== undefined && isTree(right.mode)];
    if (leftTree || rightTree) {
      if (paths === undefined || paths.mayHold(path) || paths.matches(path, true))
        compareTrees(repository, leftTree ? left?.id : undefined, rightTree ? right?.id : undefined, `${path}/`, options, pairs, depth + 1);
      continue;
    }
    if (paths !== undefined && !paths.matches(path)) continue;
    pairs.push(pairOf(path, left, right));
  }
}

const NO_BYTES = Buffer.alloc(0);

/** git's order of paths: bytes. */
export const byPath = (a: FilePair, b: FilePair): number => compareBytes(a.now.path, b.now.path);
