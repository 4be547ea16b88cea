/**
 * A session's directory for temporary files, at `/tmp`: a directory of its own in the base (scratch-base.ts), made when a path
 * first leads there. It is bounded in bytes and in files, nothing in it is recorded, and it ends with its session.
 */
import type { HandedScratch, ScratchLimits } from "../contract.ts";
import { FileError } from "../file-error.ts";
import { fileErrorFrom } from "../system-error.ts";
import { holdDirectory, release } from "../walk/descriptor.ts";
import { WritableDirectory } from "../write/write-directory.ts";
import { SCRATCH_PREFIX } from "./scratch-files.ts";
import { ScratchBase } from "./scratch-base.ts";

const OWN_MODE = 0o700;
/** Age at which the files are counted anew, in milliseconds: other calls of the session write, too. */
const COUNTED_FOR_MS = 100;
/** Directories within one another: nothing is made deeper, and what somebody else has put there is not counted further down. */
const MOST_DEPTH = 64;

export class Scratch {
  readonly prefix = SCRATCH_PREFIX;
  readonly limits: ScratchLimits;
  readonly #base: ScratchBase;
  readonly #name: string;
  #handle: number | undefined;
  #used = { bytes: 0, files: 0 };
  /** As of performance.now(). */
  #countedAtMs = -Infinity;

  /** `name` is the session's: nobody can guess it. */
  constructor(base: ScratchBase, name: string, limits: ScratchLimits) {
    this.#base = base;
    this.#name = name;
    this.limits = limits;
  }

  /** The scratch that another thread of this process has handed over. */
  static takeOver({ baseDescriptor, name, ...limits }: HandedScratch): Scratch {
    return new Scratch(ScratchBase.of(baseDescriptor), name, limits);
  }

  handOver(): HandedScratch {
    return { baseDescriptor: this.#base.handle, name: this.#name, ...this.limits };
  }

  /** True if a path has led here. */
  get isUsed(): boolean {
    return this.#handle !== undefined;
  }

  readonly hold = (): number => {
    if (this.#handle !== undefined) return this.#handle;
    try {
      const base = this.#base.directory();
      try {
        base.makeDirectory(this.#name, OWN_MODE);
      } finally {
        base.close();
      }
      this.#handle = holdDirectory(this.#base.handle, this.#name);
      return this.#handle;
    } catch (thrown) {
      // Its own name is nobody's business.
      throw new FileError(fileErrorFrom(thrown, this.prefix).code, this.prefix);
    }
  };

  /** Bytes that may still be written. */
  get roomBytes(): number {
    return Math.max(0, this.limits.mostBytes - this.#counted().bytes);
  }

  /**
   * Throws FileError ENOSPC where there are as many files as may be, or where the new one, at the canonical path `canonical`, would be
   * deeper than is counted.
   */
  checkRoomForFile(typed: string, canonical: string): void {
    if (canonical.split("/").length > MOST_DEPTH) throw new FileError("ENOSPC", typed);
    if (this.#counted().files >= this.limits.mostFiles) throw new FileError("ENOSPC", typed);
  }

  /** Notes a change by this call, until the files are counted anew. */
  note(change: { readonly bytes?: number; readonly files?: number }): void {
    this.#used.bytes += change.bytes ?? 0;
    this.#used.files += change.files ?? 0;
  }

  release(): void {
    if (this.#handle !== undefined) release(this.#handle);
    this.#handle = undefined;
  }

  #counted(): { readonly bytes: number; readonly files: number } {
    const nowMs = performance.now();
    if (nowMs >= this.#countedAtMs + COUNTED_FOR_MS) {
      this.#used = { bytes: 0, files: 0 };
      this.#count(new WritableDirectory(holdDirectory(this.hold(), "."), this.prefix), MOST_DEPTH);
      this.#countedAtMs = performance.now();
    }
    return this.#used;
  }

  /** Closes `directory`. Counts until the limit on files is reached: more does not matter. */
  #count(directory: WritableDirectory, depth: number): void {
    try {
      for (const name of directory.names()) {
        if (++this.#used.files > this.limits.mostFiles) return;
        const status = directory.status(name);
        if (status?.kind === "file") this.#used.bytes += status.size;
        const below = status?.kind === "directory" && depth > 0 ? directory.directory(name) : undefined;
        if (below !== undefined) this.#count(below, depth - 1);
      }
    } finally {
      directory.close();
    }
  }
}
