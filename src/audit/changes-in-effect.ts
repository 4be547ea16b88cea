/**
 * The recorded changes that are in effect: those that no undo has taken back, or that an undo of such an undo has made again. Taking a
 * change back brings the state before it back, and with it the changes that were in effect then.
 */
import type { WriteRecord } from "./write-records.ts";

/** The changes of one call to one name, on top of those in effect before them. */
interface Layer extends RecordPlace {
  readonly isOwn: boolean;
  readonly below: Layer | undefined;
}

/** Reference to a record: its place among all, since a journal that was brought may tell an id twice. */
export interface RecordPlace {
  readonly id: string;
  readonly call: string;
  /** See WriteRecord. */
  readonly origin: string | null;
  readonly at: number;
}

export class ChangesInEffect {
  readonly #isOwn: (record: WriteRecord) => boolean;
  /** By path, the newest layer. */
  readonly #top = new Map<string, Layer | undefined>();
  /** By record id, what was in effect at its path. */
  readonly #before = new Map<string, { readonly path: string; readonly layer: Layer | undefined }>();
  /** Calls of the session that were taken back as a whole. */
  readonly #closed = new Set<string>();
  /** By call of the session, the calls that it took back as a whole. */
  readonly #undone = new Map<string, Set<string>>();
  /** True if a change of the session was recorded, in effect or not. */
  hasOwn = false;

  /** `isOwn`: true of records of the session, which no journal that was brought can make up. */
  constructor(isOwn: (record: WriteRecord) => boolean) {
    this.#isOwn = isOwn;
  }

  /** Adds the next record that was carried out, which is the one at `at` among all. */
  add(record: WriteRecord, at: number): void {
    const { id, path, call, origin, undoes, undoesCall } = record;
    const top = this.#top.get(path);
    const isOwn = this.#isOwn(record);
    this.#before.set(id, { path, layer: top });
    if (undoes === null) {
      this.hasOwn ||= isOwn;
      if (leftAsItWas(record)) return;
      this.#closed.delete(call);
      this.#top.set(path, { id, call, origin, isOwn, at, below: top?.call === call ? top.below : top });
      return;
    }
    if (isOwn && undoesCall !== null) this.#takeBack(call, undoesCall);
    const before = this.#before.get(undoes);
    if (before?.path === path) this.#top.set(path, before.layer);
  }

  /** Notes that `by` has taken `call` back: what `call` had taken back is in effect again, and so on. */
  #takeBack(by: string, call: string): void {
    const others = this.#undone.get(by) ?? new Set();
    if (others.has(call) && this.#closed.has(call)) return;
    this.#undone.set(by, others.add(call));
    const seen = new Set([by]);
    let [calls, isInEffect] = [[call], false];
    while (calls.length > 0) {
      for (const each of calls) {
        seen.add(each);
        if (isInEffect) this.#closed.delete(each);
        else this.#closed.add(each);
      }
      calls = [...new Set(calls.flatMap((each) => [...(this.#undone.get(each) ?? [])]))].filter((each) => !seen.has(each));
      isInEffect = !isInEffect;
    }
  }

  /** The last change to `path`, or to what is below it. */
  lastOf(path: string): RecordPlace | undefined {
    let last: RecordPlace | undefined;
    for (const [name, top] of this.#top) if (top !== undefined && isAtOrBelow(name, path) && top.at > (last?.at ?? -1)) last = top;
    return last;
  }

  /** True if a change to `path`, or to what is below it, was recorded, in effect or not. */
  knows(path: string): boolean {
    for (const name of this.#top.keys()) if (isAtOrBelow(name, path)) return true;
    return false;
  }

  /** The session's own calls that have changes in effect and were not taken back, each by its last change, newest first. */
  ownCalls(): readonly RecordPlace[] {
    const calls = new Map<string, RecordPlace>();
    for (const top of this.#top.values()) {
      for (let layer = top; layer !== undefined; layer = layer.below) {
        if (layer.isOwn && layer.at > (calls.get(layer.call)?.at ?? -1) && !this.#closed.has(layer.call)) calls.set(layer.call, layer);
      }
    }
    return [...calls.values()].sort((a, b) => b.at - a.at);
  }
}

export const isAtOrBelow = (name: string, path: string): boolean => path === "" || name === path || name.startsWith(`${path}/`);

/** True of a change that left bytes, kind, permission bits and time of modification as they were. */
function leftAsItWas({ before, after, old, new: left }: WriteRecord): boolean {
  if (before?.sha256 !== after?.sha256) return false;
  if (old === undefined || left === undefined) return old === left;
  return old?.kind === left?.kind && old?.permissions === left?.permissions && old?.modified_ns === left?.modified_ns;
}
