/**
 * Stamps (file-status.ts) of a list of files: the look-ahead thread begins to read them when the list is made, the walk when
 * it wants them.
 */
import type { PathList, StampsBelow } from "../contract.ts";
import { NOT_TOLD, STAMP_WORDS } from "../file-status.ts";
import type { LookAheadMemory } from "./look-ahead-memory.ts";
import { MOST_PLANNED, PLAN_BYTES } from "./stamp-plan.ts";
import { StampReader } from "./stamp-reader.ts";

export class StampList implements StampsBelow {
  readonly #memory: LookAheadMemory;
  readonly #handle: number;
  readonly #paths: PathList;
  readonly #patienceMs: number;
  #isOpen = false;
  #isStuck = false;
  /** The files that the plan has now. */
  #from = 0;
  #to = 0;

  /** `memory`: its plan is not open. `handle`: of the directory; it is held until `take` or `close` returns. */
  constructor(memory: LookAheadMemory, handle: number, paths: PathList, patienceMs: number) {
    this.#memory = memory;
    this.#handle = handle;
    this.#paths = paths;
    this.#patienceMs = patienceMs;
    this.#open();
  }

  take(): Float64Array {
    const { plan } = this.#memory;
    const stamps = new Float64Array(this.#count * STAMP_WORDS).fill(NOT_TOLD);
    const reader = new StampReader(plan);
    while (this.#isOpen) {
      reader.work();
      if (!this.close()) break;
      stamps.set(plan.stamps.subarray(0, (this.#to - this.#from) * STAMP_WORDS), this.#from * STAMP_WORDS);
      this.#from = this.#to;
      this.#open();
    }
    return stamps;
  }

  /** False where the thread is not done with what it has begun: then the memory is not used any more. */
  close(): boolean {
    if (this.#isOpen) this.#isStuck = !this.#memory.plan.close(this.#patienceMs);
    this.#isOpen = false;
    return !this.#isStuck;
  }

  get #count(): number {
    return this.#paths.bounds.length / 2;
  }

  /** The next files, as many as there is room for. */
  #open(): void {
    const { bytes, bounds } = this.#paths;
    const { plan } = this.#memory;
    const start = bounds[this.#from * 2] as number;
    let to = this.#from;
    while (to < this.#count && to - this.#from < MOST_PLANNED && (bounds[to * 2 + 1] as number) - start <= PLAN_BYTES) to++;
    this.#to = to;
    // One that is too long for the memory is no path: it and what follows is not told.
    if (to === this.#from) return;
    bytes.copy(plan.bytes, 0, start, bounds[to * 2 - 1]);
    for (let word = this.#from * 2; word < to * 2; word++) plan.bounds[word - this.#from * 2] = (bounds[word] as number) - start;
    plan.open(this.#handle, to - this.#from);
    this.#isOpen = true;
    this.#memory.ring();
  }
}
