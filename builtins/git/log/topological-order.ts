/** Commits with parents after all their children: tips by date, or a line of history as far as it goes. */
import { DateQueue } from "../refs/date-queue.ts";
import type { Commit } from "../objects/objects.ts";

interface Ordered {
  readonly commit: Commit;
  readonly parents: readonly string[];
  /** False: git does not know its date. */
  readonly isRead: boolean;
}

export function topologicalOrder<T extends Ordered>(list: readonly T[], order: "default" | "topo" | "date" | "author-date"): T[] {
  const byId = new Map(list.map((node) => [node.commit.id, node]));
  const children = new Map<string, number>();
  for (const { parents } of list) for (const parent of parents) children.set(parent, (children.get(parent) ?? 0) + 1);
  const tips = list.filter(({ commit }) => (children.get(commit.id) ?? 0) === 0);
  const byDate = order === "date" || order === "author-date";
  const queue = new DateQueue();
  const stack = byDate ? [] : [...tips].reverse();
  const secondsOf = ({ commit, isRead }: Ordered): number =>
    order === "author-date" ? commit.author.seconds : isRead ? commit.seconds : 0;
  const enqueue = (node: Ordered): void => queue.push(node.commit, secondsOf(node));
  if (byDate) tips.forEach(enqueue);
  const sorted: T[] = [];
  for (;;) {
    const id = byDate ? queue.pop()?.id : stack.pop()?.commit.id;
    const node = id === undefined ? undefined : byId.get(id);
    if (node === undefined) return sorted;
    sorted.push(node);
    for (const parent of node.parents) {
      const left = (children.get(parent) ?? 0) - 1;
      children.set(parent, left);
      const next = byId.get(parent);
      if (left !== 0 || next === undefined) continue;
      if (byDate) enqueue(next);
      else stack.push(next);
    }
  }
}
