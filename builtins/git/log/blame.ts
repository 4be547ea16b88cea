/**
 * git blame: the commit that each line of a file comes from. A commit passes on to its parents the lines that they have
 * too, the file under the name it had there; what no parent takes is its own. In reverse its children stand for the parents.
 */
import { lineText } from "../../../src/compare/line-text.ts";
import { contentToCompare } from "../objects/contents.ts";
import type { ObjectFormat } from "../objects/object-format.ts";
import { textsWithoutTail } from "../diff/diff-stat.ts";
import { treePairs, type FilePair, type Side } from "../diff/file-pairs.ts";
import { entryOf, readIndex } from "../worktree/index-file.ts";
import { GitError } from "../git-error.ts";
import { lineChanges, type ChangeOptions } from "../diff/line-changes.ts";
import { isSubmodule, type Commit } from "../objects/objects.ts";
import { HALF, withRenames } from "../diff/renames.ts";
import type { Repository } from "../repository.ts";
import { entryAt } from "../refs/revision.ts";
import { indexPairs } from "../diff/tree-pairs.ts";
import { inOrder, mergedRuns, Origins, type LineRun, type Origin } from "./blame-origins.ts";
import { LineCopies, type CopySource } from "./line-copies.ts";

/** Lines that stand together in the file and in its origin; all numbers from 0. */
export interface BlamedLines extends LineRun {
  readonly origin: Origin;
}

/** Least scores for lines to be looked for elsewhere in a file's parents. */
export interface CopySettings {
  /** In the file itself. */
  readonly moveScore: number;
  /** In other files: those that the commit changed, all if it made the file, or always all. */
  readonly copies: { readonly score: number; readonly from: "changed" | "all for new" | "all" } | undefined;
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
  /** Commits that are not to be blamed. */
  readonly ignored: ReadonlySet<string>;
  /** Undefined: lines are looked for in their place alone. */
  readonly copying: CopySettings | undefined;
  /** Commits that a commit's lines are looked for in: its parents, or its children. */
  readonly nextOf: (commit: Commit) => readonly string[];
  /** From the oldest commit on. */
  readonly isReverse: boolean;
  /** It keeps the lines that come to it. */
  readonly isExcluded: (commit: Commit) => boolean;
  readonly isBoundary: (commit: Commit) => boolean;
}

/** The lines in order. Yields what was found of late, often nothing, so that a long search can be left. */
export function* blameLines(repository: Repository, request: BlameRequest): Generator<readonly BlamedLines[], BlamedLines[]> {
  return yield* new Blame(repository, request).run();
}

/** A commit that is come to more often, whatever the dates, is its own ancestor. */
const MOST_VISITS = 1000;

const NOTHING: readonly BlamedLines[] = [];

class Blame {
  readonly #repository: Repository;
  readonly #request: BlameRequest;
  readonly #origins = new Origins();
  readonly #queue: Commit[] = [];
  readonly #visits = new Map<string, number>();

  constructor(repository: Repository, request: BlameRequest) {
    this.#repository = repository;
    this.#request = request;
  }

  *run(): Generator<readonly BlamedLines[], BlamedLines[]> {
    const { start, path, blob, mode, ranges, isExcluded, isBoundary } = this.#request;
    const found: BlamedLines[] = [];
    const first = this.#origins.take(start, { path, id: blob, mode });
    this.#hand(
      first,
      ranges.map(({ from, to }) => ({ line: from, count: to - from, originLine: from })),
    );
    this.#origins.release(first);
    for (let commit = this.#next(); commit !== undefined; ) {
      const origin = this.#origins.of(commit).find(({ waiting }) => waiting.length > 0);
      if (origin === undefined) {
        commit = this.#next();
        continue;
      }
      this.#visit(commit);
      this.#origins.hold(origin);
      if (!isExcluded(commit)) yield* this.#pass(origin);
      const own = origin.waiting.map((run) => ({ ...run, origin }));
      origin.waiting = [];
      if (own.length > 0) {
        origin.isBoundary = isBoundary(commit);
        this.#origins.hold(origin);
        found.push(...own);
      }
      this.#origins.release(origin);
      yield own;
    }
    return joined(found.sort((a, b) => a.line - b.line));
  }

  #visit({ id }: Commit): void {
    const visits = (this.#visits.get(id) ?? 0) + 1;
    if (visits > MOST_VISITS) throw new GitError("the history leads in a circle (info/grafts)");
    this.#visits.set(id, visits);
  }

  /** The commit with the latest date, or in reverse the earliest. */
  #next(): Commit | undefined {
    const sign = this.#request.isReverse ? -1 : 1;
    let best = -1;
    this.#queue.forEach((commit, at) => {
      if (best < 0 || sign * (commit.seconds - (this.#queue[best] as Commit).seconds) > 0) best = at;
    });
    return best < 0 ? undefined : this.#queue.splice(best, 1)[0];
  }

  /** `runs` in order of their lines in `origin`. */
  #hand(origin: Origin, runs: readonly LineRun[]): void {
    const { commit } = origin;
    if (!this.#origins.of(commit).some(({ waiting }) => waiting.length > 0)) this.#queue.push(commit);
    origin.waiting = mergedRuns(origin.waiting, runs);
  }

  /** Passes lines on to the parents. What is left goes on waiting. */
  *#pass(origin: Origin): Generator<readonly BlamedLines[], void> {
    const { copying, nextOf } = this.#request;
    const parents = nextOf(origin.commit).map((id) => this.#repository.commit(id));
    const found: (Origin | undefined)[] = parents.map(() => undefined);
    if (!this.#passWhole(origin, parents, found)) {
      for (const parent of found) {
        if (parent === undefined) continue;
        if (origin.previous === undefined) origin.previous = this.#origins.hold(parent);
        this.#passTo(origin, parent);
        if (origin.waiting.length === 0) break;
      }
      if (origin.waiting.length > 0 && found.some((parent) => parent !== undefined)) this.#refuseIgnored(origin);
      if (copying !== undefined && parents.length > 0 && origin.waiting.length > 0)
        yield* this.#passCopies(origin, parents, found, copying);
    }
    for (const parent of found) if (parent !== undefined) this.#origins.release(parent);
  }

  /** Throws GitError where an ignored commit changed lines: which lines of its parent are like them is not guessed here. */
  #refuseIgnored({ commit }: Origin): void {
    if (this.#request.ignored.has(commit.id))
      throw new GitError(
        `lines that the ignored commit ${this.#repository.short(commit.id)} changed are not looked for in its parents here`,
      );
  }

  /** Fills `found` with the file's origin in each parent. Returns true if one has the same content, and took all lines. */
  #passWhole(origin: Origin, parents: readonly Commit[], found: (Origin | undefined)[]): boolean {
    for (const search of [this.#sameName, this.#renamed]) {
      for (const [at, commit] of parents.entries()) {
        if (found[at] !== undefined) continue;
        const parent = search.call(this, commit, origin);
        if (parent === undefined) continue;
        const isWhole = parent.blob === origin.blob;
        if (isWhole) {
          const runs = origin.waiting;
          origin.waiting = [];
          this.#hand(parent, runs);
        }
        if (isWhole || found.slice(0, at).some((other) => other?.blob === parent.blob)) this.#origins.release(parent);
        else found[at] = parent;
        if (isWhole) return true;
      }
    }
    return false;
  }

  #sameName(parent: Commit, { path, mode }: Origin): Origin | undefined {
    const known = this.#origins.known(parent, path);
    if (known !== undefined) return known;
    const entry = entryAt(this.#repository, parent.tree, path);
    if (entry === undefined || (entry.mode & 0o170000) !== (mode & 0o170000)) return undefined;
    return this.#origins.take(parent, { path, ...entry });
  }

  #renamed(parent: Commit, { commit, path, blob }: Origin): Origin | undefined {
    const repository = this.#repository;
    const pairs: readonly FilePair[] =
      commit.id === repository.format.noId
        ? indexPairs(repository, parent.tree, readIndex(repository))
        : treePairs(repository, parent.tree, commit.tree);
    if (!pairs.some(({ now, status }) => now.path === path && status === "A")) return undefined;
    // Where the other new files come from is not asked: they take no source away.
    const asked = pairs.flatMap((pair) => {
      if (pair.now.path !== path) return pair.status === "A" ? [] : [pair];
      return [commit.id === repository.format.noId ? { ...pair, now: { ...pair.now, id: blob, isWorking: true } } : pair];
    });
    const renamed = withRenames(asked, { minimumScore: HALF, limit: 1000, content: (side) => contentToCompare(repository, side) });
    const found = renamed.find(({ now, status }) => now.path === path && status === "R");
    return found === undefined ? undefined : this.#origins.take(parent, found.old);
  }

  #passTo(origin: Origin, parent: Origin): void {
    const [old, now] = textsWithoutTail(this.#content(parent), this.#content(origin));
    const changes = lineChanges(old, now, this.#request.changes);
    const kept: LineRun[] = [];
    const passed: LineRun[] = [];
    let next = 0;
    for (const run of origin.waiting) {
      let at = run.originLine;
      const end = at + run.count;
      const take = (to: number, into: LineRun[], offset: number): void => {
        if (to > at) into.push({ line: run.line + at - run.originLine, count: to - at, originLine: at + offset });
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
    // Runs may overlap: lines were copied from one place to several.
    origin.waiting = inOrder(kept);
    this.#hand(parent, inOrder(passed));
  }

  /** Passes on lines that the parents have in another place. */
  *#passCopies(
    origin: Origin,
    parents: readonly Commit[],
    found: readonly (Origin | undefined)[],
    { moveScore, copies }: CopySettings,
  ): Generator<readonly BlamedLines[], void> {
    const { content, changes } = this.#request;
    const search = new LineCopies(lineText(content), changes, this.#origins);
    let open = search.large(origin.waiting, moveScore);
    const seek = function* (sources: readonly CopySource[], least: number): Generator<readonly BlamedLines[], void> {
      const seeking = search.seek(open, sources, least);
      let step = seeking.next();
      for (; step.done !== true; step = seeking.next()) yield NOTHING;
      open = step.value;
    };
    for (const parent of found) {
      if (open.length === 0) break;
      if (parent !== undefined) yield* seek([{ read: () => this.#content(parent), take: () => this.#origins.hold(parent) }], moveScore);
    }
    if (copies !== undefined) {
      if (copies.score < moveScore) {
        open = mergedRuns(open, search.small);
        search.small = [];
      }
      if (copies.score !== moveScore) open = search.large(open, copies.score);
      for (const [at, commit] of parents.entries()) {
        if (open.length === 0) break;
        const same = found[at];
        const takesAll = copies.from === "all" || (copies.from === "all for new" && same?.path !== origin.path);
        yield* seek(this.#copySources(origin, commit, same, takesAll), copies.score);
      }
    }
    const byOrigin = new Map<Origin, LineRun[]>();
    for (const { origin: from, run } of search.moved) byOrigin.set(from, [...(byOrigin.get(from) ?? []), run]);
    for (const [from, runs] of byOrigin) this.#hand(from, inOrder(runs));
    for (const { origin: from } of search.moved) this.#origins.release(from);
    origin.waiting = [...search.small, ...open];
  }

  /** Files of `parent` that lines may come from, but not `same`, where they were looked for already. */
  #copySources(origin: Origin, parent: Commit, same: Origin | undefined, takesAll: boolean): CopySource[] {
    const repository = this.#repository;
    const sides = takesAll
      ? this.#files(parent)
      : origin.commit.id === repository.format.noId
        ? this.#staged(origin, parent)
        : this.#changed(origin, parent);
    return sides.flatMap((side) => {
      if (isSubmodule(side.mode) || side.path === same?.path) return [];
      return [{ read: () => contentToCompare(repository, side), take: () => this.#origins.take(parent, side) }];
    });
  }

  #files({ tree }: Commit): readonly Side[] {
    return treePairs(this.#repository, undefined, tree).map(({ now }) => now);
  }

  /** Files of `parent` that the commit changed or removed. */
  #changed({ commit }: Origin, parent: Commit): readonly Side[] {
    return treePairs(this.#repository, parent.tree, commit.tree).flatMap(({ old }) => (old.mode === 0 ? [] : [old]));
  }

  /** Files of `parent` that are another in the index, where the file in question is as the working tree has it. */
  #staged({ path, blob, mode }: Origin, parent: Commit): readonly Side[] {
    const index = readIndex(this.#repository);
    return this.#files(parent).filter((side) => {
      if (side.path === path) return side.id !== blob || side.mode !== mode;
      const entry = entryOf(index, side.path);
      return entry === undefined || entry.stage > 0 || entry.intentToAdd || entry.id !== side.id || entry.mode !== side.mode;
    });
  }

  #content(origin: Origin): Buffer {
    return origin.commit.id === this.#repository.format.noId ? this.#request.content : this.#repository.blob(origin.blob, origin.path);
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
export function workingCommit({ noId }: ObjectFormat, parents: readonly string[], seconds: number, message: string): Commit {
  const who = { name: "Not Committed Yet", mail: "not.committed.yet", seconds, zone: "+0000" };
  const facts = { id: noId, tree: noId, parents, author: who, committer: who, seconds: who.seconds, message, headers: "" };
  const commit: Commit = {
    ...facts,
    isSigned: false,
    get asStored() {
      return commit;
    },
  };
  return commit;
}
