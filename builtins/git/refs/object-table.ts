/**
 * The order of git's table of the objects that it has come to: `git name-rev --all` prints the commits of that table. Slots go by the
 * first four bytes of an id; what stands behind its slot changes places with what stands in it when it is looked up.
 */
import { parseTag } from "../objects/objects.ts";
import type { Repository } from "../repository.ts";

const FIRST_SLOTS = 32;

export class ObjectTable {
  readonly #repository: Repository;
  readonly #graph: ReturnType<Repository["wholeGraph"]>;
  readonly #read = new Set<string>();
  #slots: (string | undefined)[] = [];
  #count = 0;

  constructor(repository: Repository) {
    this.#repository = repository;
    this.#graph = repository.wholeGraph();
  }

  /** Ids of all objects in the table, in order. */
  get ids(): readonly string[] {
    return this.#slots.filter((id) => id !== undefined);
  }

  /** As a reference is read: the object, what a tag leads to if `follows`, and all that a commit names. */
  readNamed(id: string, follows: boolean): void {
    for (let at: string | undefined = id; at !== undefined; ) {
      this.#take(at);
      if (this.#read.has(at)) return;
      const object = this.#repository.objects.find(at);
      if (object?.type === "commit") this.#readCommit(at, false);
      at = object?.type === "tag" ? parseTag(object.data).object : undefined;
      if (at !== undefined) this.#take(at);
      if (!follows) return;
    }
  }

  /** As a parent is read: a commit-graph does not name its tree. */
  readParent(id: string): void {
    if (!this.#read.has(id)) this.#readCommit(id, this.#graph?.find(id) !== undefined);
  }

  #readCommit(id: string, isInGraph: boolean): void {
    this.#read.add(id);
    const { tree, parents } = this.#repository.commit(id);
    if (!isInGraph) this.#take(tree);
    // Then the ends of a shallow history are asked for.
    if (this.#read.size === 1) for (const end of this.#repository.shallow) this.#take(end);
    for (const parent of parents) this.#take(parent);
  }

  #take(id: string): void {
    const first = this.#slotOf(id);
    let at = first;
    while (this.#slots[at] !== undefined && this.#slots[at] !== id) at = (at + 1) % this.#slots.length;
    if (this.#slots[at] === id) {
      [this.#slots[at], this.#slots[first]] = [this.#slots[first], this.#slots[at]];
      return;
    }
    if (this.#slots.length - 1 <= this.#count * 2) this.#grow();
    this.#insert(id);
    this.#count++;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = Array.from({ length: Math.max(FIRST_SLOTS, before.length * 2) });
    for (const id of before) if (id !== undefined) this.#insert(id);
  }

  #insert(id: string): void {
    let at = this.#slotOf(id);
    while (this.#slots[at] !== undefined) at = (at + 1) % this.#slots.length;
    this.#slots[at] = id;
  }

  #slotOf(id: string): number {
    return Buffer.from(id.slice(0, 8), "hex").readUInt32LE(0) % Math.max(1, this.#slots.length);
  }
}
