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
  READ_FILES,
  REQUEST_BYTES,
  TAKEN,
  WAITING,
} from "./look-ahead-memory.ts";
import { handleIn, NOT_READ, readListing, sizesBytes, type ReadListing } from "./look-ahead-results.ts";

/** Starts the thread that serves the memory (look-ahead-server.ts). */
export type StartLookAhead = (shared: SharedArrayBuffer) => { end(): void };

export interface Expected {
  readonly name: string;
  readonly what: "content" | "entries";
}

export interface ExpectedListing {
  readonly order: "kernel" | "name";
  /** The status of the regular files too. */
  readonly withStatus: boolean;
}

/** About how long it takes to read one, in microseconds: what is worth a thread, and how much each side gets. */
const COST_US = { content: 9, entries: 40 } as const;
/** A thread takes some 20 ms to start. A walk that has expected so much goes on for longer, more often than not. */
const WORTH_US = 15_000;
/** After tasks of so much the walk gets its share, which grows when it must wait and shrinks when it need not. */
const TURN_US = 70;
const MOST_SHARE_US = 100;
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
  shareUs = 30;

  constructor(start: StartLookAhead) {
    this.#start = start;
  }

  /** The memory, where the thread runs. */
  whenWorth(expected: readonly Expected[]): LookAheadMemory | undefined {
    if (this.#memory !== undefined) return this.#isBroken ? undefined : this.#memory;
    for (const { what } of expected) this.#expectedUs += COST_US[what];
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

  /** Where the result of a task lies; undefined where there is none, and then the task is no more. */
  settle(memory: LookAheadMemory, task: number): number | undefined {
    this.shareUs = memory.stateOf(task) === DONE ? Math.max(0, this.shareUs - 4) : Math.min(MOST_SHARE_US, this.shareUs + 8);
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
  /** Where its result lies, or that it has none; undefined before somebody asked. */
  at: number | "none" | undefined;
  /** Files that nobody has asked for or that are in use. */
  left: number;
}

/** What is expected of one directory, which `handle` holds. */
export class Expectations {
  readonly #lookAhead: LookAhead;
  readonly #memory: LookAheadMemory;
  readonly #handle: number;
  readonly #files = new Map<string, Batch>();
  readonly #directories = new Map<string, number>();

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
    let shareUs = this.#lookAhead.shareUs;
    for (const { name, what } of expected) {
      const costUs = COST_US[what];
      if (shareUs > 0) {
        shareUs -= costUs;
        continue;
      }
      if (what === "entries") tasks.push(name);
      else {
        if (files.length === 0 || files.length === MOST_FILES || lengthOf(files) + name.length * 3 > REQUEST_BYTES)
          tasks.push((files = []));
        files.push(name);
      }
      turnUs += costUs;
      if (turnUs < TURN_US) continue;
      turnUs = 0;
      shareUs = this.#lookAhead.shareUs;
      files = [];
    }
    // What is needed first comes last onto the stack, and is taken first.
    for (let at = tasks.length - 1; at >= 0; at--) this.#post(tasks[at] as readonly string[] | string, listing);
    if (tasks.length > 0) this.#memory.ring();
  }

  #post(names: readonly string[] | string, { order, withStatus }: ExpectedListing): void {
    const memory = this.#memory;
    const task = memory.height;
    const text = typeof names === "string" ? names : names.join("\0");
    if (task >= MOST_TASKS || !text.isWellFormed() || (text.length * 3 > REQUEST_BYTES && Buffer.byteLength(text) > REQUEST_BYTES)) return;
    const bytes = memory.requests.write(text, task * REQUEST_BYTES);
    if (typeof names === "string") {
      memory.describe(task, order === "name" ? LIST_BY_NAME : LIST_DIRECTORY, this.#handle, withStatus, bytes);
      this.#directories.set(names, task);
    } else {
      memory.describe(task, READ_FILES, this.#handle, false, bytes);
      const batch: Batch = { task, names, at: undefined, left: names.length };
      for (const name of names) this.#files.set(name, batch);
    }
    memory.setState(task, WAITING);
    memory.height = task + 1;
  }

  /** The content of a file that was expected, if it was read. */
  takeFile(name: string): ReadAhead | undefined {
    const batch = this.#files.get(name);
    if (batch === undefined) return undefined;
    this.#files.delete(name);
    batch.at ??= this.#lookAhead.settle(this.#memory, batch.task) ?? "none";
    if (batch.at === "none") return undefined;
    const memory = this.#memory;
    const leave = (): void => {
      if (--batch.left === 0) free(memory, batch.task);
    };
    let at = batch.at + sizesBytes(batch.names.length);
    for (const [file, other] of batch.names.entries()) {
      const size = memory.results.readInt32LE(batch.at + file * 4);
      if (other !== name) at += Math.max(0, size);
      else if (size !== NOT_READ) return { bytes: memory.results.subarray(at, at + size), release: leave };
      else break;
    }
    leave();
    return undefined;
  }

  /** A directory that was expected, opened and listed, if it was. Its descriptor is the caller's. */
  takeDirectory(name: string): ReadListing | undefined {
    const task = this.#directories.get(name);
    if (task === undefined) return undefined;
    this.#directories.delete(name);
    const at = this.#lookAhead.settle(this.#memory, task);
    if (at === undefined) return undefined;
    const listing = readListing(this.#memory.results, at);
    free(this.#memory, task);
    return listing;
  }

  /** Nothing is expected any more, and no task uses the directory's descriptor. Files that were taken stay. */
  close(): void {
    for (const task of this.#directories.values()) {
      const at = this.#lookAhead.settle(this.#memory, task);
      if (at === undefined) continue;
      release(handleIn(this.#memory.results, at));
      free(this.#memory, task);
    }
    this.#directories.clear();
    for (const batch of this.#files.values()) {
      batch.at ??= this.#lookAhead.settle(this.#memory, batch.task) ?? "none";
      if (batch.at !== "none" && --batch.left === 0) free(this.#memory, batch.task);
    }
    this.#files.clear();
  }
}

const lengthOf = (names: readonly string[]): number => names.reduce((sum, name) => sum + name.length * 3 + 1, 0);
