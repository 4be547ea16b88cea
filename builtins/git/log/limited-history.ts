/** Commits of a range in the order in which they are shown: as they are found, or gathered first where an end or an order asks for all. */
import { withParents } from "../objects/objects.ts";
import { DateQueue } from "../refs/date-queue.ts";
import type { Repository } from "../repository.ts";
import { HistoryNodes, type HistoryNode } from "./history-nodes.ts";
import type { HistoryRequest } from "./history-request.ts";
import { simplifyMerges } from "./merge-simplification.ts";
import { topologicalOrder } from "./topological-order.ts";

/** So many more commits are looked at when all that is left is excluded: dates need not be in order. */
const SLOP = 5;

export class LimitedHistory {
  readonly #request: HistoryRequest;
  readonly nodes: HistoryNodes;
  readonly #queue = new DateQueue();
  readonly #isLimited: boolean;
  /** Of each commit, by the parents that are not rewritten yet. */
  readonly children = new Map<string, string[]>();

  constructor(repository: Repository, request: HistoryRequest) {
    this.#request = request;
    const { exclude, order, cherry, ancestryPath, simplifiesMerges, decorated, wantsChildren, walksNot, choose } = request;
    this.#isLimited =
      walksNot !== true &&
      (exclude.length > 0 ||
        order !== "default" ||
        cherry !== undefined ||
        ancestryPath ||
        simplifiesMerges ||
        decorated !== undefined ||
        choose !== undefined ||
        wantsChildren);
    this.nodes = new HistoryNodes(repository, request, this.#isLimited);
  }

  /** Each is looked at by the reader before the next is asked for: `rewriteParents` adds to what comes. */
  *inOrder(): Generator<HistoryNode, void> {
    this.#begin();
    if (this.#isLimited) return yield* this.#gathered();
    const { since, keepsOrder, include } = this.#request;
    for (const id of keepsOrder === true ? new Set(include) : []) {
      const node = this.nodes.of(id);
      if (since !== undefined && node.commit.seconds < since) continue;
      this.#visit(node);
      yield node;
    }
    if (keepsOrder === true) return;
    for (let commit = this.#queue.pop(); commit !== undefined; commit = this.#queue.pop()) {
      if (since !== undefined && commit.seconds < since) continue;
      const node = this.nodes.of(commit.id);
      this.#visit(node);
      yield node;
    }
  }

  isShown(node: HistoryNode): boolean {
    const { until, keeps, rewrites, sparse } = this.#request;
    const { commit, parents } = node;
    if (node.isDone || node.isExcluded) return false;
    if (until !== undefined && commit.seconds > until) return false;
    node.isKept ??= keeps(withParents(commit, parents));
    if (!node.isKept) return false;
    if (!this.nodes.prunes || sparse || !node.isSame) return true;
    return rewrites && parents.filter((id) => this.nodes.isRelevant(id)).length > 1;
  }

  get rewrites(): boolean {
    const { rewrites, sparse } = this.#request;
    return this.nodes.prunes && !sparse && rewrites;
  }

  /** Makes the parents those of their ancestors that change something, or where lines of history meet. */
  rewriteParents(node: HistoryNode): void {
    if (!this.rewrites) return;
    node.parents = node.parents.flatMap((id) => this.#rewritten(id) ?? []);
    this.nodes.dropRepeatedParents(node);
  }

  #rewritten(parent: string): string | undefined {
    for (let id = parent; ; ) {
      const node = this.nodes.of(id);
      if (!this.#isLimited) this.#visit(node);
      if (node.isExcluded || !node.isSame) return id;
      if (node.parents.length === 0) return undefined;
      const next = this.nodes.onlyRelevantParent(node);
      if (next === undefined) return id;
      id = next;
    }
  }

  #begin(): void {
    const { include, exclude, left, sources, isRead, pathCommits } = this.#request;
    for (const id of isRead) this.nodes.of(id).isRead = true;
    const ends = exclude.map((id) => this.nodes.of(id));
    const tips = include.map((id) => this.nodes.of(id));
    for (const node of [...ends, ...tips]) node.isRead = true;
    for (const node of ends) node.isExcluded = node.isEnd = true;
    for (const id of left) this.nodes.of(id).isLeft = true;
    for (const id of pathCommits) this.nodes.of(id).isOnPath = true;
    for (const node of tips) node.source ??= sources.get(node.commit.id);
    for (const node of ends) this.nodes.excludeParents(node);
    for (const node of [...ends, ...tips]) this.#add(node);
  }

  #add(node: HistoryNode): void {
    if (node.isQueued) return;
    node.isQueued = true;
    this.#queue.push(node.commit);
  }

  #visit(node: HistoryNode): void {
    const { firstParent, walksNot } = this.#request;
    if (node.isVisited) return;
    node.isVisited = true;
    // Another parent than the first, where those alone are followed: nothing is known of it, and so it is the end of a line.
    if (!node.isRead) return;
    if (node.isExcluded) {
      for (const id of node.parents) {
        const parent = this.nodes.of(id);
        parent.isExcluded = parent.isRead = true;
        this.nodes.excludeParents(parent);
        this.#add(parent);
      }
      return;
    }
    this.nodes.simplify(node);
    if (walksNot === true) return;
    for (const id of firstParent ? node.parents.slice(0, 1) : node.parents) {
      const parent = this.nodes.of(id);
      parent.isRead = true;
      parent.source ??= node.source;
      if (node.isLeft) parent.isLeft = true;
      if (node.isOnPath) parent.isOnPath = true;
      this.#add(parent);
    }
  }

  #gathered(): readonly HistoryNode[] {
    const request = this.#request;
    let list: readonly HistoryNode[] = this.#limited();
    if (request.cherry !== undefined) this.#markCherries(list);
    if (request.side !== undefined) for (const node of list) if (node.isLeft !== (request.side === "left")) node.isDone = true;
    if (request.ancestryPath) this.#excludeBesidePath(list);
    if (this.nodes.canBecomeSame) for (const node of list) if (!node.isExcluded && !node.isSame) this.nodes.update(node);
    if (request.order !== "default") list = topologicalOrder(list, request.order);
    if (request.simplifiesMerges && this.nodes.prunes) list = simplifyMerges(list, this.nodes, request);
    if (request.wantsChildren)
      for (const { commit, parents } of list)
        for (const parent of parents) {
          const children = this.children.get(parent);
          if (children === undefined) this.children.set(parent, [commit.id]);
          else children.unshift(commit.id);
        }
    return request.choose?.(list, this.nodes) ?? list;
  }

  /** By date. Commits of it may be left out by one that was looked at later. */
  #limited(): HistoryNode[] {
    const { since, until } = this.#request;
    const queue = this.#queue;
    const found: HistoryNode[] = [];
    let wanted: HistoryNode | undefined;
    let slop = SLOP;
    let lastDate = Infinity;
    for (let commit = queue.pop(); commit !== undefined; commit = queue.pop()) {
      const node = this.nodes.of(commit.id);
      if (node === wanted) wanted = undefined;
      if (since !== undefined && commit.seconds < since) node.isExcluded = true;
      this.#visit(node);
      if (node.isExcluded) {
        this.nodes.excludeParents(node);
        const next = queue.first;
        if (next === undefined) break;
        if (wanted?.isExcluded !== false) wanted = this.#firstWanted();
        slop = lastDate <= next.seconds || wanted !== undefined ? SLOP : slop - 1;
        if (slop === 0) break;
        continue;
      }
      if (until !== undefined && commit.seconds > until) continue;
      lastDate = commit.seconds;
      found.push(node);
    }
    return found;
  }

  #firstWanted(): HistoryNode | undefined {
    for (const { id } of this.#queue) {
      const node = this.nodes.of(id);
      if (!node.isExcluded) return node;
    }
    return undefined;
  }

  #markCherries(list: readonly HistoryNode[]): void {
    const marks = this.#request.cherry === "mark";
    const known = new Map<string, HistoryNode[]>();
    const filesOf = ({ commit, parents }: HistoryNode): string | undefined =>
      parents.length > 1 ? undefined : this.#request.filesOf(withParents(commit, parents));
    const files = new Map(list.map((node) => [node, filesOf(node)]));
    const ofSide = (isLeft: boolean): Set<string | undefined> =>
      new Set(list.flatMap((node) => (node.isLeft === isLeft ? [files.get(node)] : [])));
    const [left, right] = [ofSide(true), ofSide(false)];
    // Most changes have no like on the other side: their files are not read.
    const changeOf = (node: HistoryNode): string | undefined => {
      const own = files.get(node);
      if (own === undefined || !left.has(own) || !right.has(own)) return undefined;
      return this.#request.changeOf(withParents(node.commit, node.parents));
    };
    for (const node of list) {
      const change = node.isLeft ? changeOf(node) : undefined;
      if (change === undefined) continue;
      const same = known.get(change);
      if (same === undefined) known.set(change, [node]);
      else same.push(node);
    }
    for (const node of list) {
      const change = node.isLeft ? undefined : changeOf(node);
      for (const other of (change === undefined ? undefined : known.get(change)) ?? [])
        for (const one of [node, other]) {
          if (marks) one.isCherry = true;
          else one.isDone = true;
        }
    }
  }

  /** Leaves out what does not descend from the ends of the range, or from commits that are named, and is no ancestor of these. It stays in the list: its children are told by it. */
  #excludeBesidePath(list: readonly HistoryNode[]): void {
    const on = new Set(this.#request.pathBottoms);
    for (let grows = true; grows; ) {
      grows = false;
      for (const { commit, parents, isExcluded } of list.toReversed()) {
        if (isExcluded || on.has(commit.id) || !parents.some((id) => on.has(id))) continue;
        on.add(commit.id);
        grows = true;
      }
    }
    for (const node of list) if (!on.has(node.commit.id) && !node.isOnPath) node.isExcluded = true;
  }
}
