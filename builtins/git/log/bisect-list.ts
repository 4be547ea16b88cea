/** The commit that halves a range (git rev-list --bisect), and how well each of the range does (--bisect-all). */
import { GitError } from "../git-error.ts";
import type { HistoryNode, HistoryNodes } from "./history-nodes.ts";

export interface Bisected {
  /** The best alone, or all that change something, the best first. */
  readonly nodes: readonly HistoryNode[];
  /** Of each of `nodes`, by its id: commits on the smaller side, if it were tested. */
  readonly distances: ReadonlyMap<string, number>;
  /** Commits of the range that the first of `nodes` leads to, itself counted; and all commits of the range. */
  readonly reached: number;
  readonly count: number;
}

const UNKNOWN = -1;

interface Weighed {
  readonly node: HistoryNode;
  /** Commits of the range that it leads to, itself counted; UNKNOWN until they are. */
  weight: number;
}

/**
 * Halves `list`, which is in the order of the walk. Commits that change nothing of the paths do not count. The search ends at the first
 * commit near enough to the half, unless all are wanted.
 */
export function bisected(
  list: readonly HistoryNode[],
  nodes: HistoryNodes,
  { firstParent, all }: { readonly firstParent: boolean; readonly all: boolean },
): Bisected {
  const weighed: Weighed[] = list
    .filter(({ isExcluded }) => !isExcluded)
    .toReversed()
    .map((node) => ({ node, weight: UNKNOWN }));
  const byId = new Map(weighed.map((each) => [each.node.commit.id, each]));
  const count = weighed.filter(({ node }) => !node.isSame).length;
  const parentsOf = ({ parents }: HistoryNode): readonly string[] =>
    (firstParent ? parents.slice(0, 1) : parents).filter((id) => !nodes.of(id).isExcluded);
  const isHalf = ({ node, weight }: Weighed): boolean => {
    const difference = Math.abs(2 * weight - count);
    return !all && !node.isSame && (difference <= 1 || difference < Math.trunc(count / 1024));
  };
  const distanceOf = ({ weight }: Weighed): number => Math.min(weight, count - weight);
  const result = (found: readonly Weighed[]): Bisected => ({
    nodes: found.map(({ node }) => node),
    distances: new Map(found.map((each) => [each.node.commit.id, distanceOf(each)])),
    reached: found[0]?.weight ?? 0,
    count,
  });
  // Git takes merges that change nothing into this count, and so may end before all weights are known.
  let known = 0;
  for (const each of weighed) {
    if (parentsOf(each.node).length > 0) continue;
    each.weight = each.node.isSame ? 0 : 1;
    known += each.weight;
  }
  for (const each of weighed) {
    if (parentsOf(each.node).length < 2) continue;
    each.weight = reachedFrom(each.node, nodes);
    known++;
    if (isHalf(each)) return result([each]);
  }
  while (known < count) {
    let isStuck = true;
    for (const each of weighed) {
      if (each.weight !== UNKNOWN) continue;
      const [parent = ""] = parentsOf(each.node);
      const weight = byId.get(parent)?.weight ?? UNKNOWN;
      if (weight === UNKNOWN) continue;
      isStuck = false;
      each.weight = weight + (each.node.isSame ? 0 : 1);
      known += each.node.isSame ? 0 : 1;
      if (isHalf(each)) return result([each]);
    }
    if (isStuck) throw new GitError("a range whose dates are not in order is not halved here");
  }
  const changing = weighed.filter(({ node }) => !node.isSame);
  const fallback = weighed.slice(0, 1);
  if (all) {
    const sorted = changing.sort(
      (one, other) => distanceOf(other) - distanceOf(one) || (one.node.commit.id < other.node.commit.id ? -1 : 1),
    );
    return result(sorted.length > 0 ? sorted : fallback);
  }
  const most = Math.max(0, ...changing.map(distanceOf));
  const best = changing.find((each) => distanceOf(each) === most);
  return result(best === undefined ? fallback : [best]);
}

/** Number of commits of the range that `from` leads to, itself counted. */
function reachedFrom(from: HistoryNode, nodes: HistoryNodes): number {
  const seen = new Set([from.commit.id]);
  const open = [from];
  let reached = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!node.isSame) reached++;
    for (const id of node.parents) {
      const parent = nodes.of(id);
      if (parent.isExcluded || seen.has(id)) continue;
      seen.add(id);
      open.push(parent);
    }
  }
  return reached;
}

/** Number of tests that are left, about, where `count` commits may be the bad one. */
export function stepsLeft(count: number): number {
  if (count < 3) return 0;
  const power = Math.floor(Math.log2(count));
  return 2 ** power < 3 * (count - 2 ** power) ? power : power - 1;
}
