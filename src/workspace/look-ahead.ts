/**
 * Reads on the second core what a walk will want next: the entries of directories, the status of what is in them, the
 * content of small files. The walk says what it expects, asks for each thing as ever, and gets what was read; what the
 * thread has not come to, or could not read, it reads itself. So nothing but the time depends on the thread.
 *
 * What is read early is a moment older than it would be; a walk that changes files on its way expects nothing.
 */
import { release } from "./descriptor.ts";
import {
  DONE,
  FAILED,
  FREE,
  LIST_BY_NAME,
  LIST_DIRECTORY,
  LookAheadMemory,
  MOST_TASKS,
  NO_STATUSES,
  READ_FILES,
  REQUEST_BYTES,
  STAMPS,
  STATUSES,
  TAKEN,
  WAITING,
} from "./look-ahead-memory.ts";
import type { Expected, ExpectedListing } from "./contract.ts";
import { handleIn, readListing, type ReadListing } from "./look-ahead-results.ts";
import { KernelFileSystems } from "./kernel-file-systems.ts";
import { NOT_READ, readSmallFiles, sizesBytes } from "./small-files.ts";

/** Starts the thread that serves the memory (look-ahead-server.ts). */
export type StartLookAhead = (shared: SharedArrayBuffer) => { end(): void };

/** About how long it takes to read one, in microseconds: what is worth a thread, and how much each side gets. */
const COST_US = { content: 9, entries: 40 } as const;
const STAMP_US = 5;

const costOf = ({ what, stamps = 0 }: Expected): number => COST_US[what] + stamps * STAMP_US;
/** A thread takes some 20 ms to start. A walk that has expected so much goes on for longer, more often than not. */
const WORTH_US = 15_000;
/**
 * After directories of so much the walk keeps some for itself: its share, which grows when it must wait and shrinks
 * when it need not. Of files it keeps none: instead of waiting it reads others.
 */
const TURN_US = 120;
const MOST_SHARE_US = 120;
const GROW_US = 8;
const SHRINK_US = 4;
/** What the walk reads at once while it would wait, in bytes. */
const OWN_BYTES = 1 << 16;
/** Directories that are to be listed, or are listed and held open, at a time. */
const MOST_LISTINGS = 128;
/** Files of one task. */
const MOST_FILES = 8;
/** A thread that is not done with a task after this is taken for dead. */
const PATIENCE_MS = 10_000;

export class LookAhead {
  readonly #start: StartLookAhead;
  #memory: LookAheadMemory | undefined;
  #thread: { end(): void } | undefined;
  #expectedUs = 0;
  #isBroken = false;
  shareUs = 40;
  listings = 0;
  /** Memory for what the walk reads instead of waiting, while nothing is in it. */
  readonly spare: Buffer[] = [];
  readonly kernelFileSystems = new KernelFileSystems();

  constructor(start: StartLookAhead) {
    this.#start = start;
  }

  /** The memory, where the thread runs. */
  whenWorth(expected: readonly Expected[]): LookAheadMemory | undefined {
    if (this.#memory !== undefined) return this.#isBroken ? undefined : this.#memory;
    for (const one of expected) this.#expectedUs += costOf(one);
    if (this.#expectedUs < WORTH_US) return undefined;
    this.#memory = new LookAheadMemory();
    this.#thread = this.#start(this.#memory.shared);
    return this.#memory;
  }

  close(): void {
    this.#memory?.end();
    this.#thread?.end();
    this.#isBroken = true;
  }

  /** Whether a directory that the walk came to had been read. */
  learn(wasDone: boolean): void {
    this.shareUs = wasDone ? Math.max(0, this.shareUs - SHRINK_US) : Math.min(MOST_SHARE_US, this.shareUs + GROW_US);
  }

  /** Where the result of a task lies; undefined where there is none, and then the task is no more. */
  settle(memory: LookAheadMemory, task: number): number | undefined {
    while (memory.stateOf(task) === TAKEN) {
      if (memory.awaitTask(task, PATIENCE_MS) || memory.stateOf(task) !== TAKEN) continue;
      this.#isBroken = true;
      return undefined;
    }
    if (memory.stateOf(task) === DONE) return memory.resultAt(task);
    if (memory.stateOf(task) === FAILED || memory.take(task, FREE)) {
      free(memory, task);
      return undefined;
    }
    return this.settle(memory, task);
  }
}

function free(memory: LookAheadMemory, task: number): void {
  memory.releaseResult(task);
  memory.setState(task, FREE);
  let { height } = memory;
  while (height > 0 && memory.stateOf(height - 1) === FREE) height--;
  memory.height = height;
}

/** A file that was read: `bytes` are good until `release`. */
export interface ReadAhead {
  readonly bytes: Buffer;
  release(): void;
}

interface Batch {
  readonly task: number;
  readonly names: readonly string[];
  /** What its result lies in, and where, or that it has none; undefined before somebody asked. */
  results: Buffer | "none" | undefined;
  at: number;
  /** Files that nobody has asked for or that are in use. */
  left: number;
}

/** What is expected of one directory, which `handle` holds. */
export class Expectations {
  readonly #lookAhead: LookAhead;
  readonly #memory: LookAheadMemory;
  readonly #handle: number;
  readonly #files = new Map<string, Batch>();
  /** In the order in which they will be asked for. */
  readonly #batches: Batch[] = [];
  readonly #directories = new Map<string, number>();
  /** The walk keeps some directories for itself. */
  #hasShare = true;

  constructor(lookAhead: LookAhead, memory: LookAheadMemory, handle: number) {
    this.#lookAhead = lookAhead;
    this.#memory = memory;
    this.#handle = handle;
  }

  /** In the order in which they will be asked for. Each name is one component, and may be read. */
  add(expected: readonly Expected[], listing: ExpectedListing): void {
    const tasks: (readonly string[] | string)[] = [];
    let files: string[] = [];
    let turnUs = 0;
    // Directories with stamps are worth so much each that both go towards each other, and meet once.
    const isFromBothEnds = listing.withStatus === "stamps";
    this.#hasShare = !isFromBothEnds;
    let shareUs = isFromBothEnds ? 0 : this.#lookAhead.shareUs;
    for (const one of expected) {
      const { name, what } = one;
      if (what === "content") {
        if (files.length === 0 || files.length === MOST_FILES || lengthOf(files) + name.length * 3 > REQUEST_BYTES)
          tasks.push((files = []));
        files.push(name);
      } else if (shareUs > 0) {
        shareUs -= costOf(one);
      } else {
        tasks.push(name);
        turnUs += costOf(one);
        if (turnUs >= TURN_US && !isFromBothEnds) [turnUs, shareUs] = [0, this.#lookAhead.shareUs];
      }
    }
    const known = this.#batches.length;
    // What is needed first comes last onto the stack, and is taken first.
    if (!isFromBothEnds) tasks.reverse();
    for (const task of tasks) this.#post(task, listing);
    this.#batches.push(...this.#batches.splice(known).reverse());
    if (tasks.length > 0) this.#memory.ring();
  }

  #post(names: readonly string[] | string, { order, withStatus }: ExpectedListing): void {
    const memory = this.#memory;
    const task = memory.height;
    const text = typeof names === "string" ? names : names.join("\0");
    if (task >= MOST_TASKS || !text.isWellFormed() || (text.length * 3 > REQUEST_BYTES && Buffer.byteLength(text) > REQUEST_BYTES)) return;
    if (typeof names === "string" && this.#lookAhead.listings >= MOST_LISTINGS) return;
    const bytes = memory.requests.write(text, task * REQUEST_BYTES);
    if (typeof names === "string") {
      const statuses = withStatus === "stamps" ? STAMPS : withStatus ? STATUSES : NO_STATUSES;
      memory.describe(task, order === "name" ? LIST_BY_NAME : LIST_DIRECTORY, this.#handle, statuses, bytes);
      this.#directories.set(names, task);
      this.#lookAhead.listings++;
    } else {
      memory.describe(task, READ_FILES, this.#handle, NO_STATUSES, bytes);
      const batch: Batch = { task, names, results: undefined, at: 0, left: names.length };
      for (const name of names) this.#files.set(name, batch);
      this.#batches.push(batch);
    }
    memory.setState(task, WAITING);
    memory.height = task + 1;
  }

  /** The content of a file that was expected, if it was read. */
  takeFile(name: string): ReadAhead | undefined {
    const batch = this.#files.get(name);
    if (batch === undefined) return undefined;
    this.#files.delete(name);
    const results = this.#resultsOf(batch);
    if (results === "none") return undefined;
    let at = batch.at + sizesBytes(batch.names.length);
    for (let file = 0; file < batch.names.length; file++) {
      const size = results.readInt32LE(batch.at + file * 4);
      if (batch.names[file] !== name) at += Math.max(0, size);
      else if (size !== NOT_READ) return { bytes: results.subarray(at, at + size), release: () => this.#leave(batch) };
      else break;
    }
    this.#leave(batch);
    return undefined;
  }

  #resultsOf(batch: Batch): Buffer | "none" {
    const memory = this.#memory;
    while (batch.results === undefined && memory.stateOf(batch.task) === TAKEN && this.#readAnother());
    if (batch.results === undefined) {
      const at = this.#lookAhead.settle(memory, batch.task);
      batch.results = at === undefined ? "none" : memory.results;
      batch.at = at ?? 0;
    }
    return batch.results;
  }

  /** Reads what will be asked for last of what still waits; the thread comes from the other end. False: nothing waits. */
  #readAnother(): boolean {
    for (let batch = this.#batches.pop(); batch !== undefined; batch = this.#batches.pop()) {
      if (batch.results !== undefined || !this.#memory.take(batch.task, FREE)) continue;
      free(this.#memory, batch.task);
      const { spare, kernelFileSystems } = this.#lookAhead;
      batch.results = spare.pop() ?? Buffer.allocUnsafeSlow(OWN_BYTES);
      readSmallFiles(this.#handle, batch.names, kernelFileSystems, batch.results, 0, OWN_BYTES);
      return true;
    }
    return false;
  }

  /** Once nobody needs a batch's result any more, its memory is used again. */
  #leave(batch: Batch): void {
    if (--batch.left > 0) return;
    if (batch.results === this.#memory.results) free(this.#memory, batch.task);
    else if (batch.results instanceof Buffer) this.#lookAhead.spare.push(batch.results);
  }

  /** A directory that was expected, opened and listed, if it was. Its descriptor is the caller's. */
  takeDirectory(name: string): ReadListing | undefined {
    const task = this.#directories.get(name);
    if (task === undefined) return undefined;
    this.#directories.delete(name);
    this.#lookAhead.listings--;
    if (this.#hasShare) this.#lookAhead.learn(this.#memory.stateOf(task) === DONE);
    const at = this.#lookAhead.settle(this.#memory, task);
    if (at === undefined) return undefined;
    const listing = readListing(this.#memory.results, at);
    free(this.#memory, task);
    return listing;
  }

  /** Nothing is expected any more, and no task uses the directory's descriptor. Files that were taken stay. */
  close(): void {
    this.#lookAhead.listings -= this.#directories.size;
    for (const task of this.#directories.values()) {
      const at = this.#lookAhead.settle(this.#memory, task);
      if (at === undefined) continue;
      release(handleIn(this.#memory.results, at));
      free(this.#memory, task);
    }
    this.#directories.clear();
    this.#batches.length = 0;
    for (const batch of this.#files.values()) if (this.#resultsOf(batch) !== "none") this.#leave(batch);
    this.#files.clear();
  }
}

const lengthOf = (names: readonly string[]): number => names.reduce((sum, name) => sum + name.length * 3 + 1, 0);
