/**
 * History with its shape: what --graph, --boundary, --left-right, --cherry-pick, --ancestry-path, --children and the like
 * need beyond the plain walk of revision-walk.ts. All commits of the range are gathered first, as git itself must here.
 */
import { DateQueue } from "../refs/date-queue.ts";
import type { Commit } from "../objects/objects.ts";
import type { HistoryRequest } from "./history-request.ts";
import { changesPaths } from "./path-changes.ts";
import type { Repository } from "../repository.ts";
import { simplifyMerges } from "./merge-simplification.ts";
import { topologicalOrder } from "./topological-order.ts";

export interface HistoryCommit {
  readonly commit: Commit;
  /** As rewritten; as stored where nothing is. */
  readonly parents: readonly string[];
  /** Those of them that are shown too. */
  readonly shownParents: readonly string[];
  readonly children: readonly string[];
  readonly isBoundary: boolean;
  readonly isLeft: boolean;
  /** The other side has the same change (--cherry-mark). */
  readonly isSame: boolean;
  readonly source: string | undefined;
}

interface Node {
  readonly commit: Commit;
  parents: readonly string[];
  /** Nothing that is asked about changes here. */
  isSame: boolean;
  isExcluded: boolean;
  isLeft: boolean;
  isListed: boolean;
  isDropped: boolean;
  isCherry: boolean;
  source: string | undefined;
}

/** Commits in order, each with its place in the history. */
export function* walkHistory(repository: Repository, request: HistoryRequest): Generator<HistoryCommit, void> {
  const history = new History(repository, request);
  const list = history.list();
  let left = request.most;
  let toSkip = request.skip;
  const shown: HistoryCommit[] = [];
  if (left <= 0) return;
  const isDirect = !request.reverse && !request.boundary;
  for (const node of list) {
    if (!history.isShown(node)) continue;
    if (toSkip-- > 0) continue;
    const entry = history.entryOf(node);
    if (isDirect) yield entry;
    else shown.push(entry);
    if (--left <= 0) break;
  }
  if (isDirect) return;
  const all = request.boundary ? [...shown, ...history.boundaryOf(shown)] : shown;
  yield* request.reverse ? all.reverse() : all;
}

class History {
  readonly #repository: Repository;
  readonly #request: HistoryRequest;
  readonly #nodes = new Map<string, Node>();
  readonly #children = new Map<string, string[]>();
  readonly #prunes: boolean;
  /** Commits that the line leaves out by name. */
  readonly #ends: ReadonlySet<string>;
  /** For each parent of a commit, in their order, whether nothing differs; filled where merges are simplified. */
  readonly #sameAs = new Map<Node, readonly boolean[]>();

  constructor(repository: Repository, request: HistoryRequest) {
    this.#repository = repository;
    this.#request = request;
    this.#ends = new Set(request.exclude);
    this.#prunes = (request.paths !== undefined && !request.paths.isEmpty) || request.decorated !== undefined;
  }

  list(): readonly Node[] {
    const request = this.#request;
    let list = this.#limited();
    list = list.filter((node) => !node.isExcluded);
    if (request.cherry !== undefined) this.#markCherries(list);
    if (request.side !== undefined) list = list.filter(({ isLeft }) => isLeft === (request.side === "left"));
    if (request.ancestryPath) list = this.#onPath(list);
    const isOrdered = request.order !== "default" || request.simplifiesMerges;
    if (isOrdered) list = this.#sorted(list);
    if (request.simplifiesMerges) {
      const standsFor = simplifyMerges(list, this.#sameAs, this.#nodes, (id) => this.#isRelevant(id));
      list = list.filter(({ commit: { id } }) => standsFor.get(id) === id);
    }
    for (const node of list) this.isShown(node);
    if (request.rewrites) for (const node of list) if (this.isShown(node)) node.parents = this.#rewritten(node);
    for (const node of list)
      if (this.isShown(node))
        for (const parent of node.parents) {
          const children = this.#children.get(parent);
          if (children === undefined) this.#children.set(parent, [node.commit.id]);
          else children.unshift(node.commit.id);
        }
    return list;
  }

  /** Settled before parents are rewritten. */
  readonly #shown = new Map<Node, boolean>();

  isShown(node: Node): boolean {
    let isShown = this.#shown.get(node);
    if (isShown === undefined) {
      isShown = this.#mayShow(node);
      this.#shown.set(node, isShown);
    }
    return isShown;
  }

  #mayShow(node: Node): boolean {
    const { until, keeps, since, rewrites, side, sparse } = this.#request;
    const { commit } = node;
    if (node.isExcluded || node.isDropped) return false;
    if (side !== undefined && node.isLeft !== (side === "left")) return false;
    if (until !== undefined && commit.seconds > until) return false;
    if (since !== undefined && commit.seconds < since) return false;
    if (!keeps(commit)) return false;
    if (!this.#prunes || sparse || !node.isSame) return true;
    return rewrites && node.parents.filter((id) => this.#isRelevant(id)).length >= 2;
  }

  entryOf(node: Node): HistoryCommit {
    const { commit, parents, isLeft, isCherry, source } = node;
    return {
      commit,
      parents,
      shownParents: (this.#request.firstParent ? parents.slice(0, 1) : parents).filter((id) => this.#isInGraph(id)),
      children: this.#children.get(commit.id) ?? [],
      isBoundary: false,
      isLeft,
      isSame: isCherry,
      source,
    };
  }

  #isInGraph(id: string): boolean {
    const node = this.#nodes.get(id);
    if (node === undefined) return false;
    return this.#request.boundary || this.isShown(node);
  }

  /** Commits that are not shown and have a child that is. */
  boundaryOf(shown: readonly HistoryCommit[]): HistoryCommit[] {
    const ids = new Set(shown.map(({ commit }) => commit.id));
    const found = new Map<string, Node>();
    for (const { parents } of shown)
      for (const id of parents) {
        if (ids.has(id) || found.has(id)) continue;
        found.set(id, this.#nodes.get(id) ?? this.#made(this.#repository.commit(id)));
      }
    let nodes = [...found.values()];
    if (this.#request.order === "default") nodes.reverse();
    else nodes = this.#sorted(nodes.reverse());
    return nodes.map((node) => ({
      ...this.entryOf(node),
      shownParents: node.parents.filter((id) => found.has(id) || ids.has(id)),
      isBoundary: true,
    }));
  }

  #made(commit: Commit): Node {
    return {
      commit,
      parents: commit.parents,
      isSame: false,
      isExcluded: false,
      isLeft: false,
      isListed: false,
      isDropped: false,
      isCherry: false,
      source: undefined,
    };
  }

  #node(id: string): Node {
    let node = this.#nodes.get(id);
    if (node === undefined) {
      node = this.#made(this.#repository.commit(id));
      this.#nodes.set(id, node);
    }
    return node;
  }

  /** A parent that is not left out, or in which the range ends. */
  #isRelevant(id: string): boolean {
    const node = this.#nodes.get(id);
    return node !== undefined && (!node.isExcluded || this.#ends.has(id));
  }

  #limited(): Node[] {
    const { include, exclude, left, since, firstParent, sources, walksNot } = this.#request;
    const queue = new DateQueue();
    const isQueued = new Set<string>();
    let interesting = 0;
    const add = (node: Node): void => {
      if (isQueued.has(node.commit.id)) return;
      isQueued.add(node.commit.id);
      node.isListed = true;
      if (!node.isExcluded) interesting++;
      queue.push(node.commit);
    };
    const done = new Set<string>();
    const leaveOut = (id: string): void => {
      const open = [id];
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        const known = this.#nodes.get(at);
        const node = known ?? this.#node(at);
        if (node.isExcluded) continue;
        node.isExcluded = true;
        if (isQueued.has(at) && !done.has(at)) interesting--;
        if (known !== undefined) open.push(...node.commit.parents);
      }
    };
    exclude.forEach(leaveOut);
    for (const id of exclude) add(this.#node(id));
    for (const id of left) this.#node(id).isLeft = true;
    for (const id of include) {
      const node = this.#node(id);
      node.source ??= sources.get(id);
      add(node);
    }
    const found: Node[] = [];
    let slop = SLOP;
    let lastDate = Infinity;
    for (let commit = queue.pop(); commit !== undefined; commit = queue.pop()) {
      const node = this.#node(commit.id);
      done.add(commit.id);
      if (!node.isExcluded) interesting--;
      if (since !== undefined && commit.seconds < since) node.isExcluded = true;
      if (node.isExcluded) {
        for (const parent of commit.parents) leaveOut(parent);
        for (const parent of commit.parents) add(this.#node(parent));
        if (interesting > 0 || commit.seconds >= lastDate) slop = SLOP;
        else if (--slop <= 0) break;
        continue;
      }
      this.#simplify(node);
      lastDate = commit.seconds;
      found.push(node);
      if (walksNot === true) continue;
      for (const id of firstParent ? node.parents.slice(0, 1) : node.parents) {
        const parent = this.#node(id);
        if (node.isLeft) parent.isLeft = true;
        if (parent.source === undefined) parent.source = node.source;
        add(parent);
      }
    }
    return found;
  }

  #simplify(node: Node): void {
    const { paths, fullHistory, firstParent, decorated, simplifiesMerges, ancestryPath } = this.#request;
    if (!this.#prunes) return;
    const { commit } = node;
    const differs = (parent: string | undefined): boolean => {
      if (decorated?.has(commit.id) === true) return true;
      if (paths === undefined || paths.isEmpty) return false;
      return changesPaths(this.#repository, commit, parent, paths);
    };
    const parents = firstParent ? commit.parents.slice(0, 1) : commit.parents;
    if (parents.length === 0) {
      const isEmpty = paths === undefined || paths.isEmpty;
      node.isSame = isEmpty ? this.#repository.tree(commit.tree).length === 0 : !differs(undefined);
      return;
    }
    // A parent with the same content may be off the path, so no other is dropped for it.
    const isWhole = fullHistory === true || simplifiesMerges || ancestryPath;
    const isRelevant = (id: string): boolean => !this.#nodes.has(id) || this.#isRelevant(id);
    // A parent that is left out makes no change of a merge where another parent is not left out.
    const counted = parents.some(isRelevant) ? isRelevant : () => true;
    let isChanged = false;
    const sameAs: boolean[] = [];
    for (const parent of parents) {
      const isSame = !differs(parent);
      sameAs.push(isSame);
      if (!isSame) {
        isChanged ||= counted(parent);
        continue;
      }
      if (isWhole || !isRelevant(parent)) continue;
      node.parents = [parent];
      node.isSame = true;
      return;
    }
    node.isSame = !isChanged;
    if (simplifiesMerges) this.#sameAs.set(node, sameAs);
    if (firstParent) node.parents = parents;
  }

  /** The parents as those of their ancestors that are shown. */
  #rewritten(node: Node): readonly string[] {
    if (!this.#prunes) return node.parents;
    const parents: string[] = [];
    for (const start of node.parents) {
      let id: string | undefined = start;
      for (;;) {
        const at: Node | undefined = this.#nodes.get(id);
        if (at === undefined || at.isExcluded || !at.isSame) break;
        if (at.parents.length === 0) {
          id = undefined;
          break;
        }
        const relevant: readonly string[] = at.parents.length === 1 ? at.parents : at.parents.filter((parent) => this.#isRelevant(parent));
        if (relevant.length !== 1) break;
        id = relevant[0] as string;
      }
      if (id !== undefined && !parents.includes(id)) parents.push(id);
    }
    return parents;
  }

  #markCherries(list: readonly Node[]): void {
    const marks = this.#request.cherry === "mark";
    const known = new Map<string, Node[]>();
    const isPlain = (node: Node): boolean => node.commit.parents.length < 2;
    for (const node of list) {
      if (!node.isLeft || !isPlain(node)) continue;
      const change = this.#request.changeOf(node.commit);
      if (change === undefined) continue;
      const same = known.get(change);
      if (same === undefined) known.set(change, [node]);
      else same.push(node);
    }
    for (const node of list) {
      if (node.isLeft || !isPlain(node)) continue;
      const change = this.#request.changeOf(node.commit);
      for (const other of (change === undefined ? undefined : known.get(change)) ?? [])
        for (const one of [node, other]) {
          if (marks) one.isCherry = true;
          else one.isDropped = true;
        }
    }
  }

  /** Descendants of what is excluded. */
  #onPath(list: readonly Node[]): Node[] {
    const on = new Set(this.#request.exclude);
    for (const node of [...list].reverse()) if (node.parents.some((id) => on.has(id))) on.add(node.commit.id);
    for (let grows = true; grows; ) {
      grows = false;
      for (const { commit, parents } of list) {
        if (on.has(commit.id) || !parents.some((id) => on.has(id))) continue;
        on.add(commit.id);
        grows = true;
      }
    }
    return list.filter(({ commit }) => on.has(commit.id));
  }

  /** Parents after all their children. */
  #sorted(list: readonly Node[]): Node[] {
    return topologicalOrder(list, this.#request.order);
  }
}

/** So many more commits are looked at when all that is left is excluded: dates need not be in order. */
const SLOP = 5;
