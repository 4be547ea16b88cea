/** Files in commits that lines are blamed on, by commit, in the order in which git comes to them: the last asked for first. */
import type { Commit } from "../objects/objects.ts";

/** Lines that stand together in the file and in an origin of theirs; all numbers from 0. */
export interface LineRun {
  readonly line: number;
  readonly count: number;
  readonly originLine: number;
}

/** A file in a commit. */
export interface Origin {
  readonly commit: Commit;
  readonly path: string;
  blob: string;
  mode: number;
  /** Lines that are its own so far, and have not been looked for in its parents. */
  waiting: readonly LineRun[];
  /** The origin in which its lines were looked for first. */
  previous: Origin | undefined;
  isBoundary: boolean;
  /** What needs it besides the lines that wait. */
  holders: number;
}

export class Origins {
  readonly #lists = new Map<string, Origin[]>();

  of(commit: Commit): readonly Origin[] {
    return this.#lists.get(commit.id) ?? [];
  }

  /** One that something needs. Its place in the order stays. Must be released. */
  known(commit: Commit, path: string): Origin | undefined {
    const found = this.of(commit).find((origin) => origin.path === path);
    return found === undefined ? undefined : this.hold(found);
  }

  /** Puts it first. Must be released. */
  take(commit: Commit, { path, id, mode }: { readonly path: string; readonly id: string; readonly mode: number }): Origin {
    const list = this.#lists.get(commit.id) ?? [];
    const at = list.findIndex((origin) => origin.path === path);
    const [known] = at < 0 ? [] : list.splice(at, 1);
    const origin = known ?? { commit, path, blob: id, mode, waiting: [], previous: undefined, isBoundary: false, holders: 0 };
    origin.blob = id;
    origin.mode = mode;
    this.#lists.set(commit.id, [origin, ...list]);
    return this.hold(origin);
  }

  hold(origin: Origin): Origin {
    origin.holders++;
    return origin;
  }

  /** Forgets it once nothing needs it. */
  release(origin: Origin): void {
    origin.holders--;
    if (origin.holders > 0 || origin.waiting.length > 0) return;
    const left = this.of(origin.commit).filter((other) => other !== origin);
    if (left.length === 0) this.#lists.delete(origin.commit.id);
    else this.#lists.set(origin.commit.id, left);
    if (origin.previous !== undefined) this.release(origin.previous);
  }
}

/** Both in order of their lines in the origin, as merge sort does it: neither need be in order. */
export function mergedRuns(one: readonly LineRun[], other: readonly LineRun[]): readonly LineRun[] {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one;
  const merged: LineRun[] = [];
  let [a, b] = [0, 0];
  while (a < one.length && b < other.length) {
    const [first, second] = [one[a] as LineRun, other[b] as LineRun];
    if (first.originLine <= second.originLine) {
      merged.push(first);
      a++;
    } else {
      merged.push(second);
      b++;
    }
  }
  return [...merged, ...one.slice(a), ...other.slice(b)];
}

export const inOrder = (runs: readonly LineRun[]): readonly LineRun[] => [...runs].sort((a, b) => a.originLine - b.originLine);
