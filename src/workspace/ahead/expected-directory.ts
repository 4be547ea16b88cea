/** The names of one directory that a walk has announced, and their contents and listings once read (look-ahead.ts). */
import type { Expected, ExpectedListing, MayHold } from "../contract.ts";
import { release } from "../walk/descriptor.ts";
import { anyMayHold, isUtf16, placeOf, stampsOf, type FileBatch } from "../read/file-batch.ts";
import { free, type LookAhead } from "./look-ahead.ts";
import type { ExpectedDirectory } from "./listed-directory.ts";
import {
  FREE,
  LIST_BY_NAME,
  LIST_DIRECTORY,
  type LookAheadMemory,
  MOST_TASKS,
  NO_STATUSES,
  READ_FILES,
  READ_STAMPED,
  READ_UNCHECKED,
  REQUEST_BYTES,
  STATUSES,
  WAITING,
} from "./look-ahead-memory.ts";
import { readListing, type ReadListing } from "./look-ahead-results.ts";
import { NOT_READ, type Look } from "../read/small-files.ts";

/** Directories that are to be listed, or are listed and held open, at a time. */
const MOST_LISTINGS = 128;
/** Files of one task. */
const MOST_FILES = 8;

const KINDS: Readonly<Record<Look, number>> = { none: READ_UNCHECKED, kind: READ_FILES, stamp: READ_STAMPED };

/** A file that was read: `bytes` are good until `release`. */
export interface ReadAhead {
  readonly bytes: Buffer;
  release(): void;
}

/** Files and directories expected in one directory, which `handle` holds. */
export class Expectations {
  readonly #lookAhead: LookAhead;
  readonly #handle: number;
  /** Called with files of which one is given out or passed, and their written stamps (call-reads.ts). */
  readonly #note: ((names: readonly string[], stamps: Buffer) => void) | undefined;
  #memory: LookAheadMemory | undefined;
  readonly #files = new Map<string, FileBatch>();
  readonly #directories = new Map<string, ExpectedDirectory>();

  constructor(lookAhead: LookAhead, handle: number, note?: (names: readonly string[], stamps: Buffer) => void) {
    this.#note = note;
    this.#lookAhead = lookAhead;
    this.#handle = handle;
  }

  /**
   * Announces files and directories, in the order in which the walk will ask for them. Each name is one component, and may
   * be read. `memory`: the thread's.
   */
  add(expected: readonly Expected[], listing: ExpectedListing, memory: LookAheadMemory | undefined): void {
    this.#memory = memory;
    const tasks: (readonly string[] | string)[] = [];
    let files: string[] = [];
    let filesBytes = 0;
    for (const { name, what } of expected) {
      if (what === "content") {
        filesBytes += name.length * 3 + 1;
        if (files.length === 0 || files.length === MOST_FILES || filesBytes > REQUEST_BYTES) {
          tasks.push((files = []));
          filesBytes = name.length * 3 + 1;
        }
        files.push(name);
      } else {
        tasks.push(name);
      }
    }
    const wanted: (FileBatch | ExpectedDirectory)[] = [];
    // The names needed first go last onto the stack, so that they are taken first.
    for (const names of tasks.reverse()) {
      const posted = typeof names === "string" ? this.#postListing(names, listing) : this.#postFiles(names, listing);
      if (posted !== undefined) wanted.push(posted);
    }
    if (memory !== undefined) this.#lookAhead.keep(wanted.reverse());
    if (tasks.length > 0) memory?.ring();
  }

  /** undefined where the walk opens it when it comes to it. */
  #postListing(name: string, { order, withStatus }: ExpectedListing): ExpectedDirectory | undefined {
    if (this.#lookAhead.listings >= MOST_LISTINGS) return undefined;
    const statuses = withStatus ? STATUSES : NO_STATUSES;
    const byName = order === "name";
    const task = this.#post(name, byName ? LIST_BY_NAME : LIST_DIRECTORY, statuses);
    if (task === undefined) return undefined;
    const directory: ExpectedDirectory = { handle: this.#handle, name, byName, statuses, task, listing: undefined };
    this.#directories.set(name, directory);
    this.#lookAhead.listings++;
    return directory;
  }

  #postFiles(names: readonly string[], { mayPass }: ExpectedListing): FileBatch {
    const isUnseen = mayPass === true && this.#lookAhead.mostlyPasses;
    const look = this.#note !== undefined ? "stamp" : isUnseen ? "none" : "kind";
    const task = this.#post(names.join("\0"), KINDS[look], NO_STATUSES);
    const batch: FileBatch = {
      handle: this.#handle,
      task,
      names,
      look,
      results: undefined,
      at: 0,
      isNoted: false,
      left: names.length,
      mayHold: undefined,
    };
    for (const name of names) this.#files.set(name, batch);
    return batch;
  }

  /** Posts a task for the thread; undefined if no thread runs or the task has no room. */
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
    if (size !== NOT_READ && batch.look !== "none") {
      this.#noteRead(batch, results);
      return { bytes: results.subarray(at, at + size), release: () => this.#leave(batch) };
    }
    this.#leave(batch);
    return undefined;
  }

  /** Tells whether an expected file was read and `mayHold` is false of it. Such a file is then expected no more. */
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
    this.#noteRead(batch, results);
    this.#leave(batch);
    return true;
  }

  #noteRead(batch: FileBatch, results: Buffer): void {
    if (this.#note === undefined || batch.isNoted) return;
    batch.isNoted = true;
    const stamps = stampsOf(batch, results);
    if (stamps !== undefined) this.#note(batch.names, stamps);
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
    const directory = this.#directories.get(name);
    const memory = this.#memory;
    if (memory === undefined || directory === undefined) return undefined;
    this.#directories.delete(name);
    this.#lookAhead.listings--;
    if (directory.listing === undefined) this.#lookAhead.readMeanwhile(memory, directory.task);
    return this.#listingOf(directory, memory);
  }

  #listingOf(directory: ExpectedDirectory, memory: LookAheadMemory): ReadListing | undefined {
    if (directory.listing === undefined) {
      const at = this.#lookAhead.settle(memory, directory.task);
      directory.listing = at === undefined ? "none" : readListing(memory.results, at);
      if (at !== undefined) free(memory, directory.task);
    }
    return directory.listing === "none" ? undefined : directory.listing;
  }

  /** Drops everything that is still expected, so that no task uses the directory's descriptor. Files that were taken stay. */
  close(): void {
    const memory = this.#memory;
    this.#lookAhead.listings -= this.#directories.size;
    for (const directory of this.#directories.values()) {
      const listing = memory && this.#listingOf(directory, memory);
      if (listing !== undefined) release(listing.handle);
    }
    this.#directories.clear();
    for (const batch of this.#files.values()) {
      if (batch.results === undefined && memory !== undefined && batch.task !== undefined) this.#settled(batch, memory, batch.task);
      // A batch that nobody has begun to read is not read any more.
      if (batch.results !== undefined && batch.results !== "none") this.#leave(batch);
    }
    this.#files.clear();
  }
}
