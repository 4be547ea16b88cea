/**
 * Commits of a history that is limited to paths or decorated commits, with the parents that are left of each. git's documentation
 * calls a commit TREESAME that changes nothing of the paths: https://git-scm.com/docs/git-rev-list#_history_simplification
 */
import type { Commit } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";
import type { HistoryRequest } from "./history-request.ts";
import { changesPaths } from "./path-changes.ts";

export interface HistoryNode {
  readonly commit: Commit;
  /** Those that simplification and rewriting left. */
  parents: readonly string[];
  /** Nothing that is asked about changes here (TREESAME). */
  isSame: boolean;
  /** For each parent of a merge whether nothing differs; undefined where parents are not told apart. */
  sameAs: readonly boolean[] | undefined;
  /** Its parents are known to the walk: what leaves it out leaves them out too. */
  isRead: boolean;
  isQueued: boolean;
  isVisited: boolean;
  isExcluded: boolean;
  /** The line leaves it out by name. */
  isEnd: boolean;
  isLeft: boolean;
  /** An ancestor of a commit that --ancestry-path names. */
  isOnPath: boolean;
  /** Shown already, or dropped because the other side has the same change. */
  isDone: boolean;
  hasShownChild: boolean;
  /** The other side has the same change (--cherry-mark). */
  isCherry: boolean;
  isKept: boolean | undefined;
  source: string | undefined;
}

export class HistoryNodes {
  readonly #repository: Repository;
  readonly #request: HistoryRequest;
  readonly #nodes = new Map<string, HistoryNode>();
  /** Commits may be left out because they change nothing. */
  readonly prunes: boolean;
  /** The first parent with the same content stands for all. */
  readonly #followsSame: boolean;
  readonly #tellsParentsApart: boolean;

  constructor(repository: Repository, request: HistoryRequest, isLimited: boolean) {
    this.#repository = repository;
    this.#request = request;
    const { paths, decorated, fullHistory, simplifiesMerges, ancestryPath } = request;
    this.prunes = (paths !== undefined && !paths.isEmpty) || decorated !== undefined;
    this.#followsSame = fullHistory !== true && !simplifiesMerges && !ancestryPath;
    this.#tellsParentsApart = simplifiesMerges || (isLimited && this.canBecomeSame);
  }

  /** A merge may come to change nothing once its other parents are left out. */
  get canBecomeSame(): boolean {
    return this.prunes && !this.#request.sparse && !this.#followsSame && !this.#request.firstParent;
  }

  of(id: string): HistoryNode {
    let node = this.#nodes.get(id);
    if (node === undefined) {
      const commit = this.#repository.commit(id);
      node = { ...UNSEEN, commit, parents: commit.parents };
      this.#nodes.set(id, node);
    }
    return node;
  }

  /** A parent that is not left out, or in which the range ends. */
  isRelevant(id: string): boolean {
    const node = this.#nodes.get(id);
    return node === undefined || !node.isExcluded || node.isEnd;
  }

  /** The parent that history goes on with where a commit is passed over; undefined where there are several, or none. */
  onlyRelevantParent({ parents }: HistoryNode): string | undefined {
    if (this.#request.firstParent || parents.length < 2) return parents[0];
    const [first, second] = parents.filter((id) => this.isRelevant(id));
    return second === undefined ? first : undefined;
  }

  /** Leaves out the ancestors of `node`, as far as they were read. */
  excludeParents(node: HistoryNode): void {
    const open = [...node.parents];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const at = this.of(id);
      if (at.isExcluded) continue;
      at.isExcluded = true;
      if (at.isRead) open.push(...at.parents);
    }
  }

  /** Marks what changes nothing, and leaves a merge the parent whose content it has. */
  simplify(node: HistoryNode): void {
    if (!this.prunes) return;
    const { firstParent, sparse } = this.#request;
    const { commit, parents } = node;
    if (parents.length === 0) {
      node.isSame = this.#isSameAsEmpty(commit);
      return;
    }
    if (sparse && parents.length === 1) return;
    const isMerge = parents.length > 1 && !firstParent;
    const sameAs: boolean[] = [];
    let hasRelevant = false;
    let isRelevantChange = false;
    let isOtherChange = false;
    for (const [at, id] of parents.entries()) {
      hasRelevant ||= this.isRelevant(id);
      if (at > 0 && firstParent) break;
      this.of(id).isRead = true;
      const isSame = !this.#differs(commit, id);
      sameAs.push(isSame);
      if (!isSame) {
        if (this.isRelevant(id)) isRelevantChange = true;
        else isOtherChange = true;
      } else if (this.#followsSame && this.isRelevant(id)) {
        node.parents = [id];
        node.isSame = true;
        return;
      }
    }
    if (isMerge && this.#tellsParentsApart) node.sameAs = sameAs;
    if (hasRelevant ? !isRelevantChange : !isOtherChange) node.isSame = true;
  }

  /** Tells anew whether a merge changes something, of the parents that are left. */
  update(node: HistoryNode): void {
    const { parents, sameAs } = node;
    if (parents.length < 2 || sameAs === undefined) return;
    const relevant = parents.flatMap((id, at) => (this.isRelevant(id) ? [sameAs[at] === true] : []));
    node.isSame = (relevant.length > 0 ? relevant : sameAs).every((isSame) => isSame);
  }

  dropParent(node: HistoryNode, at: number): void {
    node.parents = node.parents.toSpliced(at, 1);
    if (node.parents.length === 0) {
      node.isSame = this.#isSameAsEmpty(node.commit);
      return;
    }
    node.sameAs = node.sameAs?.toSpliced(at, 1);
    if (node.sameAs?.length !== 1) return;
    node.isSame = node.sameAs[0] === true && !this.#request.sparse;
    node.sameAs = undefined;
  }

  dropRepeatedParents(node: HistoryNode): void {
    for (let at = 0; at < node.parents.length; ) {
      if (node.parents.indexOf(node.parents[at] as string) === at) at++;
      else if (node.sameAs === undefined) node.parents = node.parents.toSpliced(at, 1);
      else this.dropParent(node, at);
    }
  }

  #differs(commit: Commit, parent: string): boolean {
    const { decorated, paths } = this.#request;
    if (decorated?.has(commit.id) === true) return true;
    return paths !== undefined && !paths.isEmpty && changesPaths(this.#repository, commit, parent, paths);
  }

  #isSameAsEmpty(commit: Commit): boolean {
    const { paths } = this.#request;
    if (paths === undefined || paths.isEmpty) return this.#repository.tree(commit.tree).length === 0;
    return !changesPaths(this.#repository, commit, undefined, paths);
  }
}

const UNSEEN = {
  isSame: false,
  sameAs: undefined,
  isRead: false,
  isQueued: false,
  isVisited: false,
  isExcluded: false,
  isEnd: false,
  isLeft: false,
  isOnPath: false,
  isDone: false,
  hasShownChild: false,
  isCherry: false,
  isKept: undefined,
  source: undefined,
} as const;
