/**
 * git blame: the commit that each line of a file comes from. A commit passes on to its parents the lines that they have
 * too, the file under the name it had there; what no parent takes is its own.
 */
import { contentToCompare, objectId } from "../objects/contents.ts";
import { textsWithoutTail } from "../diff/diff-stat.ts";
import { treePairs, type FilePair } from "../diff/file-pairs.ts";
import { readIndex } from "../worktree/index-file.ts";
import { GitError } from "../git-error.ts";
import { lineChanges, type ChangeOptions } from "../diff/line-changes.ts";
import type { Commit } from "../objects/objects.ts";
import { HALF, withRenames } from "../diff/renames.ts";
import type { Repository } from "../repository.ts";
import { entryAt } from "../refs/revision.ts";
import { indexPairs } from "../diff/tree-pairs.ts";

/** A file in a commit. */
export interface Origin {
  readonly commit: Commit;
  readonly path: string;
  readonly blob: string;
  readonly mode: number;
  /** The origin in which its lines were looked for first. */
  previous: Origin | undefined;
  isBoundary: boolean;
}

/** Lines that stand together in the file and in its origin; all numbers from 0. */
export interface BlamedLines {
  readonly line: number;
  readonly count: number;
  readonly originLine: number;
  readonly origin: Origin;
}

interface Entry {
  readonly line: number;
  readonly count: number;
  readonly originLine: number;
}

export interface BlameRequest {
  readonly path: string;
  readonly start: Commit;
  readonly blob: string;
  readonly mode: number;
  readonly content: Buffer;
  /** Lines `from` to `to` (exclusive), in order and apart. */
  readonly ranges: readonly { readonly from: number; readonly to: number }[];
  readonly changes: ChangeOptions;
  readonly firstParent: boolean;
  /** Root commits are no boundary. */
  readonly showsRoot: boolean;
  readonly isExcluded: (commit: Commit) => boolean;
}

/** The id of the commit that stands for the working tree. */
export const UNCOMMITTED = "0".repeat(40);

/** The lines in order. Yields now and then, so that a long search can be left. */
export function* blameLines(repository: Repository, request: BlameRequest): Generator<void, BlamedLines[]> {
  return yield* new Blame(repository, request).run();
}

/** A commit that is come to more often, whatever the dates, is its own ancestor. */
const MOST_VISITS = 1000;

class Blame {
  readonly #repository: Repository;
  readonly #request: BlameRequest;
  readonly #origins = new Map<string, Origin>();
  readonly #waiting = new Map<string, { readonly origin: Origin; entries: Entry[] }[]>();
  readonly #queue: Commit[] = [];
  readonly #found: BlamedLines[] = [];
  readonly #visits = new Map<string, number>();

  constructor(repository: Repository, request: BlameRequest) {
    this.#repository = repository;
    this.#request = request;
  }

  *run(): Generator<void, BlamedLines[]> {
    const { start, path, blob, mode, ranges, isExcluded, showsRoot } = this.#request;
    this.#hand(
      this.#origin(start, path, blob, mode),
      ranges.map(({ from, to }) => ({ line: from, count: to - from, originLine: from })),
    );
    for (let commit = this.#next(); commit !== undefined; commit = this.#next()) {
      const list = this.#waiting.get(commit.id) ?? [];
      this.#waiting.delete(commit.id);
      const visits = (this.#visits.get(commit.id) ?? 0) + 1;
      if (visits > MOST_VISITS) throw new GitError("the history leads in a circle (info/grafts)");
      this.#visits.set(commit.id, visits);
      for (const { origin, entries } of list) {
        const isOut = isExcluded(commit);
        const left = isOut ? entries : this.#pass(origin, entries);
        if (left.length === 0) continue;
        origin.isBoundary = isOut || (commit.parents.length === 0 && !showsRoot);
        for (const entry of left) this.#found.push({ ...entry, origin });
      }
      yield;
    }
    return joined(this.#found.sort((a, b) => a.line - b.line));
  }

  /** The commit with the latest date. */
  #next(): Commit | undefined {
    let best = -1;
    this.#queue.forEach((commit, at) => {
      if (best < 0 || commit.seconds > (this.#queue[best] as Commit).seconds) best = at;
    });
    return best < 0 ? undefined : this.#queue.splice(best, 1)[0];
  }

  #origin(commit: Commit, path: string, blob: string, mode: number): Origin {
    const key = `${commit.id} ${path}`;
    let origin = this.#origins.get(key);
    if (origin === undefined) {
      origin = { commit, path, blob, mode, previous: undefined, isBoundary: false };
      this.#origins.set(key, origin);
    }
    return origin;
  }

  #hand(origin: Origin, entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    const { commit } = origin;
    let list = this.#waiting.get(commit.id);
    if (list === undefined) {
      list = [];
      this.#waiting.set(commit.id, list);
      this.#queue.push(commit);
    }
    const known = list.find((waiting) => waiting.origin === origin);
    if (known === undefined) list.push({ origin, entries: [...entries] });
    else known.entries.push(...entries);
  }

  /** Passes lines on to the parents. Returns what is left. */
  #pass(origin: Origin, entries: Entry[]): Entry[] {
    const parents = this.#request.firstParent ? origin.commit.parents.slice(0, 1) : origin.commit.parents;
    const found: (Origin | undefined)[] = parents.map(() => undefined);
    for (const search of [this.#sameName, this.#renamed]) {
      for (let at = 0; at < parents.length; at++) {
        if (found[at] !== undefined) continue;
        const parent = search.call(this, this.#repository.commit(parents[at] as string), origin);
        if (parent === undefined) continue;
        if (parent.blob === origin.blob) {
          this.#hand(parent, entries);
          return [];
        }
        if (!found.slice(0, at).some((other) => other?.blob === parent.blob)) found[at] = parent;
      }
    }
    let left = entries.sort((a, b) => a.originLine - b.originLine);
    for (const parent of found) {
      if (parent === undefined) continue;
      origin.previous ??= parent;
      left = this.#passTo(origin, parent, left);
      if (left.length === 0) break;
    }
    return left;
  }

  #sameName(parent: Commit, { path, mode }: Origin): Origin | undefined {
    const entry = entryAt(this.#repository, parent.tree, path);
    if (entry === undefined || (entry.mode & 0o170000) !== (mode & 0o170000)) return undefined;
    return this.#origin(parent, path, entry.id, entry.mode);
  }

  #renamed(parent: Commit, { commit, path }: Origin): Origin | undefined {
    const repository = this.#repository;
    const pairs: readonly FilePair[] =
      commit.id === UNCOMMITTED
        ? indexPairs(repository, parent.tree, readIndex(repository))
        : treePairs(repository, parent.tree, commit.tree);
    if (!pairs.some(({ now, status }) => now.path === path && status === "A")) return undefined;
    const renamed = withRenames(pairs, { minimumScore: HALF, limit: 1000, content: (side) => contentToCompare(repository, side) });
    const found = renamed.find(({ now, status }) => now.path === path && status === "R");
    return found === undefined ? undefined : this.#origin(parent, found.old.path, found.old.id, found.old.mode);
  }

  #passTo(origin: Origin, parent: Origin, entries: readonly Entry[]): Entry[] {
    const [old, now] = textsWithoutTail(this.#content(parent), this.#content(origin));
    const changes = lineChanges(old, now, this.#request.changes);
    const kept: Entry[] = [];
    const passed: Entry[] = [];
    let next = 0;
    for (const entry of entries) {
      let at = entry.originLine;
      const end = at + entry.count;
      const take = (to: number, into: Entry[], offset: number): void => {
        if (to > at) into.push({ line: entry.line + at - entry.originLine, count: to - at, originLine: at + offset });
        at = Math.max(at, to);
      };
      while (next > 0 && (changes[next - 1]?.newFrom ?? 0) + (changes[next - 1]?.added ?? 0) > at) next--;
      while (at < end) {
        const change = changes[next];
        const before = changes[next - 1];
        const offset = before === undefined ? 0 : before.oldFrom + before.removed - (before.newFrom + before.added);
        if (change === undefined) {
          take(end, passed, offset);
          break;
        }
        take(Math.min(end, change.newFrom), passed, offset);
        take(Math.min(end, change.newFrom + change.added), kept, 0);
        if (at >= change.newFrom + change.added) next++;
      }
    }
    this.#hand(parent, passed);
    return kept;
  }

  #content(origin: Origin): Buffer {
    return origin.commit.id === UNCOMMITTED ? this.#request.content : this.#repository.blob(origin.blob, origin.path);
  }
}

/** Neighbours of one origin as one. */
function joined(found: readonly BlamedLines[]): BlamedLines[] {
  const out: BlamedLines[] = [];
  for (const entry of found) {
    const last = out.at(-1);
    if (
      last !== undefined &&
      last.origin === entry.origin &&
      last.line + last.count === entry.line &&
      last.originLine + last.count === entry.originLine
    )
      out[out.length - 1] = { ...last, count: last.count + entry.count };
    else out.push(entry);
  }
  return out;
}

/** The commit that stands for the working tree: `parents` are HEAD and what is being merged. */
export function workingCommit(parents: readonly string[], seconds: number, message: string): Commit {
  const who = { name: "Not Committed Yet", mail: "not.committed.yet", seconds, zone: "+0000" };
  return { id: UNCOMMITTED, tree: UNCOMMITTED, parents, author: who, committer: who, seconds: who.seconds, message, isSigned: false };
}

export const blobId = (content: Buffer): string => objectId("blob", content);
