/** Commits that several tips share, as git-show-branch(1) looks for them: of each commit, which tips it is reachable from. */
import { DateQueue } from "../refs/date-queue.ts";
import type { Repository } from "../repository.ts";
import type { Commit } from "../objects/objects.ts";

/** Commits beyond those that all tips have. */
const OLD = 1;
const FIRST_TIP = 4;

export class SharedHistory {
  readonly #repository: Repository;
  readonly #tips: readonly string[];
  readonly #flags = new Map<string, number>();
  /** The last one first. */
  readonly #seen: string[] = [];
  readonly #all: number;
  /** What each tip could be reached from at first: itself, and tips that are the same commit. */
  readonly #atFirst: readonly number[];

  /** `extra`: commits beyond those that all have; below zero: nothing is walked. */
  constructor(repository: Repository, tips: readonly string[], extra: number) {
    this.#repository = repository;
    this.#tips = tips;
    this.#all = (FIRST_TIP << tips.length) - FIRST_TIP;
    const queue = new DateQueue();
    tips.forEach((id, at) => {
      const isNew = this.#see(id);
      this.#flags.set(id, this.#of(id) | (FIRST_TIP << at));
      if (isNew) queue.push(repository.commit(id));
    });
    this.#atFirst = tips.map((id) => this.#of(id));
    if (extra < 0) return;
    this.#walk(queue, extra);
    this.#spreadOld();
  }

  /** Commits by date. */
  get commits(): readonly Commit[] {
    return [...this.#seen]
      .reverse()
      .map((id) => this.#repository.commit(id))
      .sort((a, b) => b.seconds - a.seconds);
  }

  isOf(id: string, tip: number): boolean {
    return (this.#of(id) & (FIRST_TIP << tip)) !== 0;
  }

  isOfAll(id: string): boolean {
    return (this.#of(id) & this.#all) === this.#all;
  }

  /** Common ancestors that are no ancestor of another one. */
  get mergeBases(): readonly string[] {
    return this.commits.flatMap(({ id }) => (this.isOfAll(id) && (this.#of(id) & OLD) === 0 ? [id] : []));
  }

  /** Tips that no other tip can reach; of equal ones the first. */
  get independent(): readonly string[] {
    const told = new Set<string>();
    return this.#tips.filter((id, at) => {
      const isAlone = !told.has(id) && this.#of(id) === this.#atFirst[at];
      told.add(id);
      return isAlone;
    });
  }

  #of(id: string): number {
    return this.#flags.get(id) ?? 0;
  }

  #see(id: string): boolean {
    if (this.#of(id) !== 0) return false;
    this.#seen.push(id);
    return true;
  }

  #walk(queue: DateQueue, most: number): void {
    let extra = most;
    const isInteresting = (): boolean => {
      for (const { id } of queue) if ((this.#of(id) & OLD) === 0) return true;
      return false;
    };
    while (queue.size > 0) {
      const goesOn = isInteresting();
      const commit = queue.pop();
      if (commit === undefined || (!goesOn && extra <= 0)) return;
      this.#see(commit.id);
      const flags = this.#of(commit.id) | (this.isOfAll(commit.id) ? OLD : 0);
      for (const parent of commit.parents) {
        const had = this.#of(parent);
        if ((had & flags) === flags) continue;
        if (this.#see(parent) && !goesOn) extra--;
        this.#flags.set(parent, had | flags);
        queue.push(this.#repository.commit(parent));
      }
    }
  }

  /** What lies behind a commit that all tips have is old, wherever the walk ended. */
  #spreadOld(): void {
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (let at = this.#seen.length - 1; at >= 0; at--) {
        const id = this.#seen[at] as string;
        if (!this.isOfAll(id) && (this.#of(id) & OLD) === 0) continue;
        for (const parent of this.#repository.commit(id).parents) {
          if ((this.#of(parent) & OLD) !== 0) continue;
          this.#flags.set(parent, this.#of(parent) | OLD);
          isChanged = true;
        }
      }
    }
  }
}
