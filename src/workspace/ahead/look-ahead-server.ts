/**
 * The look-ahead thread's side: opens, lists and reads what a walk will want soon (look-ahead.ts), by the same system calls
 * and with the same care as the walk itself. A failure here is left to the walk, which then meets it itself.
 */
import { KernelFileSystems } from "../read/kernel-file-systems.ts";
import { listAhead } from "./listed-directory.ts";
import {
  DONE,
  FAILED,
  LEAST_ROOM,
  LIST_BY_NAME,
  LookAheadMemory,
  PART_BYTES,
  PARTS,
  READ_FILES,
  READ_STAMPED,
  READ_UNCHECKED,
  TAKEN,
  WAITING,
} from "./look-ahead-memory.ts";
import { readSmallFiles, type Look } from "../read/small-files.ts";
import { StampReader } from "./stamp-reader.ts";

/** Serves until the memory says that it has ended. Blocks its thread. */
export function serveLookAhead(shared: SharedArrayBuffer): void {
  const server = new LookAheadServer(new LookAheadMemory(shared));
  server.serve();
}

class LookAheadServer {
  readonly #memory: LookAheadMemory;
  readonly #kernelFileSystems = new KernelFileSystems();
  #part = 0;
  /** Bytes used of the part. */
  #used = 0;

  constructor(memory: LookAheadMemory) {
    this.#memory = memory;
  }

  serve(): void {
    const { plan } = this.#memory;
    const stamps = new StampReader(plan);
    while (!this.#memory.ended) {
      stamps.work();
      const task = this.#next();
      if (task < 0) this.#memory.sleep(!this.#hasRoom(), () => plan.hasPart || this.#next() >= 0);
      else if (this.#memory.take(task, TAKEN)) this.#do(task);
    }
  }

  /** The uppermost task that waits; -1 if none does, or its result would have no room. */
  #next(): number {
    if (!this.#hasRoom()) return -1;
    for (let task = this.#memory.height - 1; task >= 0; task--) if (this.#memory.stateOf(task) === WAITING) return task;
    return -1;
  }

  #hasRoom(): boolean {
    if (PART_BYTES - this.#used >= LEAST_ROOM) return true;
    for (let part = 0; part < PARTS; part++) {
      if (this.#memory.heldIn(part) > 0) continue;
      this.#part = part;
      this.#used = 0;
      return true;
    }
    return false;
  }

  get #at(): number {
    return this.#part * PART_BYTES + this.#used;
  }

  get #room(): number {
    return PART_BYTES - this.#used;
  }

  #do(task: number): void {
    const memory = this.#memory;
    let bytes = 0;
    try {
      const kind = memory.kindOf(task);
      const look = LOOKS.get(kind);
      if (look !== undefined) bytes = this.#readFiles(task, look);
      else bytes = this.#list(task, kind === LIST_BY_NAME);
    } catch {
      // The walk does it itself and meets the error.
    }
    if (bytes > 0) {
      memory.setResult(task, this.#at, bytes);
      // Statuses are numbers of 8 bytes.
      this.#used += (bytes + 7) & ~7;
    }
    memory.setState(task, bytes > 0 ? DONE : FAILED);
  }

  #readFiles(task: number, look: Look): number {
    const { results } = this.#memory;
    const names = this.#memory.namesOf(task).split("\0");
    return readSmallFiles(this.#memory.handleOf(task), names, look, this.#kernelFileSystems, results, this.#at, this.#room);
  }

  #list(task: number, byName: boolean): number {
    const memory = this.#memory;
    const directory = { handle: memory.handleOf(task), name: memory.namesOf(task), byName, statuses: memory.statusesOf(task) };
    return listAhead(directory, memory.results, this.#at, this.#room);
  }
}

/** Of the tasks that read files. */
const LOOKS: ReadonlyMap<number, Look> = new Map([
  [READ_FILES, "kind"],
  [READ_UNCHECKED, "none"],
  [READ_STAMPED, "stamp"],
]);
