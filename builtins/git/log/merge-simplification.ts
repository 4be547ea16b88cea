/** Merges of which nothing is to be seen, taken out of a history (git log --simplify-merges). */
import type { HistoryNode, HistoryNodes } from "./history-nodes.ts";

/**
 * The commits of `list` that stand for themselves; the parents of each become the commits that stand for them: a commit itself, or
 * the only one of its ancestors that matters.
 */
export function simplifyMerges(
  list: readonly HistoryNode[],
  nodes: HistoryNodes,
  { firstParent }: { readonly firstParent: boolean },
): readonly HistoryNode[] {
  const standsFor = new Map<string, string>();
  const open = [...list];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { id } = node.commit;
    if (standsFor.has(id)) continue;
    if (node.isExcluded || node.parents.length === 0) {
      standsFor.set(id, id);
      continue;
    }
    const followed = firstParent ? node.parents.slice(0, 1) : node.parents;
    const waits = followed.filter((parent) => !standsFor.has(parent));
    if (waits.length > 0) {
      open.push(node, ...waits.map((parent) => nodes.of(parent)));
      continue;
    }
    node.parents = node.parents.map((parent) => standsFor.get(parent) ?? parent);
    if (!firstParent) {
      nodes.dropRepeatedParents(node);
      dropNeedlessParents(node, nodes);
    }
    const only = node.isSame && node.parents.length > 0 ? nodes.onlyRelevantParent(node) : undefined;
    standsFor.set(id, only === undefined ? id : (standsFor.get(only) ?? only));
  }
  return list.filter(({ commit: { id } }) => standsFor.get(id) === id);
}

/** Parents that another reaches, and roots that hold nothing of what is asked. */
function dropNeedlessParents(node: HistoryNode, nodes: HistoryNodes): void {
  const { parents, sameAs } = node;
  if (parents.length < 2) return;
  const isNeedless = parents.map((id) => {
    const parent = nodes.of(id);
    return (parent.parents.length === 0 && parent.isSame) || parents.some((other) => other !== id && reaches(other, id, nodes));
  });
  // The history that the default walk would have followed stays to be seen.
  if (!parents.some((_, at) => sameAs?.[at] === true && isNeedless[at] === false)) {
    const followed = parents.findIndex((_, at) => sameAs?.[at] === true);
    if (followed >= 0) isNeedless[followed] = false;
  }
  if (!isNeedless.includes(true)) return;
  for (let at = parents.length - 1; at >= 0; at--) if (isNeedless[at] === true) nodes.dropParent(node, at);
  if (!node.isSame) nodes.update(node);
}

function reaches(from: string, ancestor: string, nodes: HistoryNodes): boolean {
  const open = [from];
  const seen = new Set(open);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === ancestor) return true;
    for (const parent of nodes.of(id).parents) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      open.push(parent);
    }
  }
  return false;
}
