/**
 * Reads ahead of a walk on a second thread: the entries of directories, the status of their files, the content of small ones.
 * The walk announces what it expects, asks for each thing as ever, and gets it as it was read; whatever the thread has not come
 * to, or could not read, the walk reads itself. So nothing but the time depends on the thread.
 *
 * What is read early is a moment older than it would be; a walk that changes files on its way expects nothing.
 */
import type { Expected, PathList } from "../contract.ts";
import type { FileBatch } from "../read/file-batch.ts";
import { KernelFileSystems } from "../read/kernel-file-systems.ts";
import { listAhead, type ExpectedDirectory } from "./listed-directory.ts";
import { DONE, FAILED, FREE, LookAheadMemory, MOST_TASKS, TAKEN } from "./look-ahead-memory.ts";
import { readListing } from "./look-ahead-results.ts";
import { readSmallFiles } from "../read/small-files.ts";
import { StampList } from "./stamp-list.ts";

/** Starts the thread that serves the memory (look-ahead-server.ts). */
export type StartLookAhead = (shared: SharedArrayBuffer) => { end(): void };

/** Approximate time to read one of each, in microseconds: tells how much is worth a thread. */
const COST_US = { content: 9, entries: 40 } as const;
const STAMP_US = 5;
/** A thread takes some 20 ms to start. A walk that has announced this much work goes on for longer, more often than not. */
const WORTH_US = 15_000;
/** Bytes that the walk itself reads at once. */
const OWN_BYTES = 1 << 17;
/**
 * Weight of a file that is taken: it makes it this much less likely, and one that is passed 1 more likely, that the next is
 * passed.
 */
const TAKEN_COUNTS = 4;
/** Score from which most files count as passed, and the highest score. */
const MOSTLY_PASSED = 16;
const MOST_LIKELY = 64;
/** A thread that is not done with a task after this is taken for dead. */
const PATIENCE_MS = 10_000;

type Wanted = FileBatch | ExpectedDirectory;

/** Tells whether nobody has read it yet, nor asked for it. */
const isOpen = (wanted: Wanted): boolean => ("names" in wanted ? wanted.results : wanted.listing) === undefined;

export class LookAhead {
  readonly #start: StartLookAhead | undefined;
  #memory: LookAheadMemory | undefined;
  #thread: { end(): void } | undefined;
  #expectedUs = 0;
  #isBroken = false;
  listings = 0;
  #passing = 0;
  /** Work the thread was asked for, in the order in which the walk needs it. Some of it is done already. */
  #wanted: Wanted[] = [];
  /** Memory for what the walk reads itself, while nothing is in it. */
  readonly spare: Buffer[] = [];
  readonly #kernelFileSystems = new KernelFileSystems();

  /** Without a thread the walk reads small files itself, several at a time. */
  constructor(start: StartLookAhead | undefined) {
    this.#start = start;
  }

  /** The memory, where the thread runs. */
  whenWorth(expected: readonly Expected[]): LookAheadMemory | undefined {
    if (this.#thread === undefined) for (const { what } of expected) this.#expectedUs += COST_US[what];
    return this.#whenRuns();
  }

  #whenRuns(): LookAheadMemory | undefined {
    if (this.#isBroken) return undefined;
    if (this.#thread !== undefined) return this.#memory;
    if (this.#start === undefined || this.#expectedUs < WORTH_US) return undefined;
    this.#memory ??= new LookAheadMemory();
    this.#thread = this.#start(this.#memory.shared);
    return this.#memory;
  }

  /** See OpenDirectory.stampsBelow. `handle`: of the directory, which is held until the list is closed. */
  stampsBelow(handle: number, paths: PathList): StampList | undefined {
    this.#expectedUs += (paths.bounds.length / 2) * STAMP_US;
    this.#whenRuns();
    const memory = (this.#memory ??= new LookAheadMemory());
    return this.#isBroken || memory.plan.isOpen ? undefined : new StampList(memory, handle, paths, PATIENCE_MS);
  }

  /** Ends what reads for a list; what it is of may then be let go. */
  end(list: StampList): void {
    if (!list.close()) this.#isBroken = true;
  }

  close(): void {
    this.#memory?.end();
    this.#thread?.end();
    this.#isBroken = true;
  }

  /** True if most files are passed, so that they may be read without checking that they are regular files. */
  get mostlyPasses(): boolean {
    return this.#passing >= MOSTLY_PASSED;
  }

  /** Records that a file was passed, or that it was taken. */
  learnOf(wasPassed: boolean): void {
    this.#passing = wasPassed ? Math.min(MOST_LIKELY, this.#passing + 1) : Math.max(0, this.#passing - TAKEN_COUNTS);
  }

  /** Adds work that the thread was asked for, in the order in which the walk will need it. */
  keep(wanted: readonly Wanted[]): void {
    if (this.#wanted.length > MOST_TASKS) this.#wanted = this.#wanted.filter(isOpen);
    this.#wanted.push(...wanted);
  }

  /** Reads what will be needed later while the thread is at a task. */
  readMeanwhile(memory: LookAheadMemory, task: number): void {
    while (memory.stateOf(task) === TAKEN) {
      // Takes what is needed last: the thread comes from the other end.
      const wanted = this.#wanted.pop();
      if (wanted === undefined) return;
      if (!isOpen(wanted) || wanted.task === undefined || !memory.take(wanted.task, FREE)) continue;
      free(memory, wanted.task);
      if ("names" in wanted) this.read(wanted);
      else this.#list(wanted);
    }
  }

  #list(directory: ExpectedDirectory): void {
    const results = this.#spareMemory();
    try {
      directory.listing = listAhead(directory, results, 0, OWN_BYTES) === 0 ? "none" : readListing(results, 0);
    } catch {
      // The walk meets the failure when it comes to it.
      directory.listing = "none";
    }
    this.spare.push(results);
  }

  read(batch: FileBatch): Buffer {
    const results = this.#spareMemory();
    readSmallFiles(batch.handle, batch.names, batch.look, this.#kernelFileSystems, results, 0, OWN_BYTES);
    batch.results = results;
    return results;
  }

  #spareMemory(): Buffer {
    return this.spare.pop() ?? Buffer.allocUnsafeSlow(OWN_BYTES);
  }

  /** Place of a task's result; undefined if it has none, and then the task is freed. */
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

export function free(memory: LookAheadMemory, task: number): void {
  memory.releaseResult(task);
  memory.setState(task, FREE);
  let { height } = memory;
  while (height > 0 && memory.stateOf(height - 1) === FREE) height--;
  memory.height = height;
}
