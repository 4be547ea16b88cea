/** Merges of which nothing is to be seen, taken out of a history (git log --simplify-merges). */
import type { Commit } from "../objects/objects.ts";

interface SimplifiedNode {
  readonly commit: Commit;
  /** Replaced by those that are left. */
  parents: readonly string[];
  /** Nothing that is asked about changes here; told anew of the parents that are left. */
  isSame: boolean;
  readonly isExcluded: boolean;
}

interface Parent {
  readonly id: string;
  readonly isSame: boolean;
}

/**
 * The id of the commit that each stands for: its own, or that of the only ancestor that matters. `list`: children before their
 * parents; `sameAs`: for each parent of a commit whether nothing differs; `nodes`: all commits by their ids; `isRelevant`: whether a
 * parent counts.
 */
export function simplifyMerges<Node extends SimplifiedNode>(
  list: readonly Node[],
  sameAs: ReadonlyMap<Node, readonly boolean[]>,
  nodes: ReadonlyMap<string, SimplifiedNode>,
  isRelevant: (id: string) => boolean,
): ReadonlyMap<string, string> {
  const standsFor = new Map<string, string>();
  for (const node of list.toReversed()) {
    const same = sameAs.get(node) ?? [];
    const standing = node.parents
      .map((id, at) => ({ id: standsFor.get(id) ?? id, isSame: same[at] ?? node.isSame }))
      .filter(({ id }, at, all) => all.findIndex((other) => other.id === id) === at);
    const parents = parentsLeft(standing, nodes);
    node.parents = parents.map(({ id }) => id);
    const relevant = parents.length === 1 ? parents : parents.filter(({ id }) => isRelevant(id));
    if (parents.length > 0) node.isSame = (relevant.length === 0 ? parents : relevant).every(({ isSame }) => isSame);
    const [only, ...others] = relevant;
    const isItself = !node.isSame || only === undefined || others.length > 0;
    standsFor.set(node.commit.id, isItself ? node.commit.id : (standsFor.get(only.id) ?? only.id));
  }
  return standsFor;
}

/** Without parents that another reaches, and roots that hold nothing of what is asked. */
function parentsLeft(standing: readonly Parent[], nodes: ReadonlyMap<string, SimplifiedNode>): readonly Parent[] {
  if (standing.length < 2) return standing;
  const isEmptyRoot = (root: SimplifiedNode | undefined): boolean =>
    root !== undefined && !root.isExcluded && root.isSame && root.parents.length === 0;
  const left = standing.filter(
    ({ id }) => !isEmptyRoot(nodes.get(id)) && !standing.some((other) => other.id !== id && reaches(other.id, id, nodes)),
  );
  // The history that the default walk would have followed stays to be seen.
  const followed = left.some(({ isSame }) => isSame) ? undefined : standing.find(({ isSame }) => isSame);
  return followed === undefined ? left : standing.filter((parent) => parent === followed || left.includes(parent));
}

function reaches(from: string, ancestor: string, nodes: ReadonlyMap<string, SimplifiedNode>): boolean {
  const open = [from];
  const seen = new Set(open);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === ancestor) return true;
    for (const parent of nodes.get(id)?.parents ?? []) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      open.push(parent);
    }
  }
  return false;
}
