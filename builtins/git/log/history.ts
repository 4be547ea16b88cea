/**
 * History with its shape: what --graph, --boundary, --left-right, --cherry-pick, --ancestry-path, --children and the like
 * need beyond the plain walk of revision-walk.ts.
 */
import { withParents, type Commit } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";
import type { HistoryNode } from "./history-nodes.ts";
import type { HistoryRequest } from "./history-request.ts";
import { LimitedHistory } from "./limited-history.ts";
import { topologicalOrder } from "./topological-order.ts";

export interface HistoryCommit {
  /** Its parents are those that its changes are shown against. */
  readonly commit: Commit;
  /** As rewritten; as stored where nothing is. */
  readonly parents: readonly string[];
  /** Those of them that a graph leads to. */
  readonly shownParents: readonly string[];
  readonly children: readonly string[];
  readonly isBoundary: boolean;
  /** False: its parents are not known to the walk. */
  readonly isRead: boolean;
  readonly isLeft: boolean;
  /** The other side has the same change (--cherry-mark). */
  readonly isSame: boolean;
  readonly source: string | undefined;
}

/** Commits in order, each with its place in the history. The reader may say false of one: it does not count for `most`. */
export function* walkHistory(repository: Repository, request: HistoryRequest): Generator<HistoryCommit, void, boolean | undefined> {
  const { reverse, boundary, fullDiff } = request;
  const history = new LimitedHistory(repository, request);
  let left = request.most;
  let toSkip = request.skip;
  const shown: HistoryCommit[] = [];
  const around: HistoryNode[] = [];
  for (const node of left <= 0 ? [] : history.inOrder()) {
    if (!history.isShown(node)) continue;
    const { parents } = node;
    history.rewriteParents(node);
    if (toSkip-- > 0) continue;
    node.isDone = true;
    if (boundary)
      for (const id of node.parents) {
        const parent = history.nodes.of(id);
        if (parent.isDone || parent.hasShownChild) continue;
        parent.hasShownChild = true;
        around.push(parent);
      }
    const entry = entryOf(node, history, request, { changedFrom: fullDiff ? parents : node.parents });
    if (reverse) shown.push(entry);
    else {
      if ((yield entry) === false) left++;
      // git forgets them then, and what is shown later and led through this commit ends there.
      node.parents = [];
    }
    if (--left <= 0) break;
  }
  // Of what was not read git knows no parents yet when it puts these in order.
  const outside = around
    .filter(({ isDone }) => !isDone)
    .reverse()
    .map((node) => ({ node, commit: node.commit, isRead: node.isRead, parents: node.isRead ? node.parents : [] }));
  const ends = topologicalOrder(outside, request.order).map(({ node }) => {
    // With --full-diff git keeps the parents of what it rewrites, and has none for the others.
    const changedFrom = !fullDiff || !history.rewrites ? node.parents : [];
    return { ...entryOf(node, history, request, { changedFrom }), isBoundary: true };
  });
  yield* reverse ? [...shown, ...ends].reverse() : ends;
}

function entryOf(
  node: HistoryNode,
  history: LimitedHistory,
  { isGraph, boundary, firstParent }: HistoryRequest,
  { changedFrom }: { readonly changedFrom: readonly string[] },
): HistoryCommit {
  const { commit, parents, isRead, isLeft, isCherry, source } = node;
  // Of what was not read git knows no parents yet when it draws it.
  const drawn = !isRead ? [] : firstParent ? parents.slice(0, 1) : parents;
  const isInGraph = (id: string): boolean => {
    const parent = history.nodes.of(id);
    return (boundary && parent.hasShownChild) || history.isShown(parent);
  };
  return {
    commit: withParents(commit, changedFrom),
    parents,
    shownParents: isGraph ? drawn.filter(isInGraph) : parents,
    children: history.children.get(commit.id) ?? [],
    isBoundary: false,
    isRead,
    isLeft,
    isSame: isCherry,
    source,
  };
}
