/** What a walk expects of one directory, and gets when it comes to it (look-ahead.ts). */
import type { Expected, ExpectedListing, MayHold } from "./contract.ts";
import { release } from "./descriptor.ts";
import { anyMayHold, isUtf16, placeOf, type FileBatch } from "./file-batch.ts";
import { costOf, free, type LookAhead } from "./look-ahead.ts";
import {
  DONE,
  FREE,
  LIST_BY_NAME,
  LIST_DIRECTORY,
  type LookAheadMemory,
  MOST_TASKS,
  NO_STATUSES,
  READ_FILES,
  READ_UNCHECKED,
  REQUEST_BYTES,
  STAMPS,
  STATUSES,
  WAITING,
} from "./look-ahead-memory.ts";
import { handleIn, readListing, type ReadListing } from "./look-ahead-results.ts";
import { NOT_READ } from "./small-files.ts";

/**
 * After directories of so much the walk keeps some for itself: its share, which grows when it must wait and shrinks
 * when it need not. Of files it keeps none: instead of waiting it reads others.
 */
const TURN_US = 120;
/** Directories that are to be listed, or are listed and held open, at a time. */
const MOST_LISTINGS = 128;
/** Files of one task. */
const MOST_FILES = 8;

/** A file that was read: `bytes` are good until `release`. */
export interface ReadAhead {
  readonly bytes: Buffer;
  release(): void;
}

/** What is expected of one directory, which `handle` holds. */
export class Expectations {
  readonly #lookAhead: LookAhead;
  readonly #handle: number;
  #memory: LookAheadMemory | undefined;
  readonly #files = new Map<string, FileBatch>();
  readonly #directories = new Map<string, number>();
  /** The walk keeps some directories for itself. */
  #hasShare = true;

  constructor(lookAhead: LookAhead, handle: number) {
    this.#lookAhead = lookAhead;
    this.#handle = handle;
  }

  /** In the order in which they will be asked for. Each name is one component, and may be read. `memory`: the thread's. */
  add(expected: readonly Expected[], listing: ExpectedListing, memory: LookAheadMemory | undefined): void {
    this.#memory = memory;
    const tasks: (readonly string[] | string)[] = [];
    let files: string[] = [];
    let filesBytes = 0;
    let turnUs = 0;
    // Directories with stamps are worth so much each that both go towards each other, and meet once.
    const isFromBothEnds = listing.withStatus === "stamps";
    this.#hasShare = !isFromBothEnds;
    let shareUs = isFromBothEnds ? 0 : this.#lookAhead.shareUs;
    for (const one of expected) {
      const { name, what } = one;
      if (what === "content") {
        filesBytes += name.length * 3 + 1;
        if (files.length === 0 || files.length === MOST_FILES || filesBytes > REQUEST_BYTES) {
          tasks.push((files = []));
          filesBytes = name.length * 3 + 1;
        }
        files.push(name);
      } else if (memory === undefined) {
        // Each is opened by itself, as it would be then.
      } else if (shareUs > 0) {
        shareUs -= costOf(one);
      } else {
        tasks.push(name);
        turnUs += costOf(one);
        if (turnUs >= TURN_US && !isFromBothEnds) [turnUs, shareUs] = [0, this.#lookAhead.shareUs];
      }
    }
    const batches: FileBatch[] = [];
    // What is needed first comes last onto the stack, and is taken first.
    if (!isFromBothEnds) tasks.reverse();
    for (const names of tasks) {
      if (typeof names === "string") this.#postListing(names, listing);
      else batches.push(this.#postFiles(names, listing));
    }
    if (memory !== undefined) this.#lookAhead.keep(batches.reverse());
    if (tasks.length > 0) memory?.ring();
  }

  #postListing(name: string, { order, withStatus }: ExpectedListing): void {
    if (this.#lookAhead.listings >= MOST_LISTINGS) return;
    const statuses = withStatus === "stamps" ? STAMPS : withStatus ? STATUSES : NO_STATUSES;
    const task = this.#post(name, order === "name" ? LIST_BY_NAME : LIST_DIRECTORY, statuses);
    if (task === undefined) return;
    this.#directories.set(name, task);
    this.#lookAhead.listings++;
  }

  #postFiles(names: readonly string[], { mayPass }: ExpectedListing): FileBatch {
    const isChecked = mayPass !== true || !this.#lookAhead.mostlyPasses;
    const task = this.#post(names.join("\0"), isChecked ? READ_FILES : READ_UNCHECKED, NO_STATUSES);
    const batch: FileBatch = {
      handle: this.#handle,
      task,
      names,
      isChecked,
      results: undefined,
      at: 0,
      left: names.length,
      mayHold: undefined,
    };
    for (const name of names) this.#files.set(name, batch);
    return batch;
  }

  /** A task for the thread; undefined where there is none, or no room. */
  #post(text: string, kind: number, statuses: number): number | undefined {
    const memory = this.#memory;
    if (memory === undefined) return undefined;
    const task = memory.height;
    if (task >= MOST_TASKS || !text.isWellFormed()) return undefined;
    if (text.length * 3 > REQUEST_BYTES && Buffer.byteLength(text) > REQUEST_BYTES) return undefined;
    memory.describe(task, kind, this.#handle, statuses, memory.requests.write(text, task * REQUEST_BYTES));
    memory.setState(task, WAITING);
    memory.height = task + 1;
    return task;
  }

  /** The content of a file that was expected, if it was read. */
  takeFile(name: string): ReadAhead | undefined {
    const batch = this.#files.get(name);
    if (batch === undefined) return undefined;
    this.#files.delete(name);
    const results = this.#resultsOf(batch);
    if (results === "none") return undefined;
    const { at, size } = placeOf(batch, results, name);
    this.#lookAhead.learnOf(false);
    if (size !== NOT_READ && batch.isChecked) return { bytes: results.subarray(at, at + size), release: () => this.#leave(batch) };
    this.#leave(batch);
    return undefined;
  }

  /** Whether a file that was expected was read, and `mayHold` is false of it. Then it is expected no more. */
  passes(name: string, mayHold: MayHold): boolean {
    const batch = this.#files.get(name);
    const results = batch && this.#resultsOf(batch);
    if (batch === undefined || results === undefined || results === "none") return false;
    const { at, size } = placeOf(batch, results, name);
    if (size === NOT_READ) return false;
    batch.mayHold ??= anyMayHold(batch, results, mayHold);
    if (batch.mayHold && (isUtf16(results, at, size) || mayHold(results, at, at + size))) return false;
    this.#files.delete(name);
    this.#lookAhead.learnOf(true);
    this.#leave(batch);
    return true;
  }

  #resultsOf(batch: FileBatch): Buffer | "none" {
    if (batch.results !== undefined) return batch.results;
    const { task } = batch;
    const memory = this.#memory;
    if (task === undefined || memory === undefined) return this.#lookAhead.read(batch);
    if (memory.take(task, FREE)) {
      free(memory, task);
      return this.#lookAhead.read(batch);
    }
    this.#lookAhead.readMeanwhile(memory, task);
    return this.#settled(batch, memory, task);
  }

  #settled(batch: FileBatch, memory: LookAheadMemory, task: number): Buffer | "none" {
    const at = this.#lookAhead.settle(memory, task);
    batch.results = at === undefined ? "none" : memory.results;
    batch.at = at ?? 0;
    return batch.results;
  }

  /** Once nobody needs a batch's result any more, its memory is used again. */
  #leave(batch: FileBatch): void {
    if (--batch.left > 0) return;
    const { results, task } = batch;
    if (this.#memory !== undefined && task !== undefined && results === this.#memory.results) free(this.#memory, task);
    else if (results instanceof Buffer) this.#lookAhead.spare.push(results);
  }

  /** A directory that was expected, opened and listed, if it was. Its descriptor is the caller's. */
  takeDirectory(name: string): ReadListing | undefined {
    const task = this.#directories.get(name);
    const memory = this.#memory;
    if (memory === undefined || task === undefined) return undefined;
    this.#directories.delete(name);
    this.#lookAhead.listings--;
    if (this.#hasShare) this.#lookAhead.learn(memory.stateOf(task) === DONE);
    this.#lookAhead.readMeanwhile(memory, task);
    const at = this.#lookAhead.settle(memory, task);
    if (at === undefined) return undefined;
    const listing = readListing(memory.results, at);
    free(memory, task);
    return listing;
  }

  /** Nothing is expected any more, and no task uses the directory's descriptor. Files that were taken stay. */
  close(): void {
    const memory = this.#memory;
    this.#lookAhead.listings -= this.#directories.size;
    for (const task of this.#directories.values()) {
      const at = memory && this.#lookAhead.settle(memory, task);
      if (memory === undefined || at === undefined) continue;
      release(handleIn(memory.results, at));
      free(memory, task);
    }
    this.#directories.clear();
    for (const batch of this.#files.values()) {
      if (batch.results === undefined && memory !== undefined && batch.task !== undefined) this.#settled(batch, memory, batch.task);
      // What nobody has begun to read nobody will.
      if (batch.results !== undefined && batch.results !== "none") this.#leave(batch);
    }
    this.#files.clear();
  }
}
