/**
 * The directory of the records, opened for writing: its lock is held, the journal is open, and killed writers' work is
 * finished.
 */
import type { LockOwner } from "../workspace/write/lock-owner.ts";
import { FileLock, isLeftBehind } from "../workspace/write/write-lock.ts";
import { FileError } from "../workspace/file-error.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableDirectory } from "../workspace/write/write-directory.ts";
import { makeIgnoreFile } from "./ignore-file.ts";
import { Journal } from "./journal.ts";
import { finishPrune } from "./pruned-leftovers.ts";
import { LOCK_NAME, RECORD_DIRECTORY_PERMISSIONS, STORE_PATH, unavailable } from "./record-paths.ts";
import { finishTransaction, namesOfLastTransaction, removeLeftovers } from "./recovery.ts";

/** A write of ordinary size holds the lock for some ten milliseconds. */
const LOCK_PATIENCE_MS = 10_000;

/**
 * Files and directories that a writer is about to make outside `.shelpa`, noted in the lock so that they are found if it is
 * killed.
 */
export interface PlannedNames {
  /** Paths of the temporary files. */
  readonly temporaries: readonly string[];
  /** Paths of the directories, outermost first. */
  readonly directories: readonly string[];
}

export class RecordStore {
  readonly journal: Journal;
  readonly #directory: WritableDirectory;
  readonly #lock: FileLock;

  /**
   * Opens (and creates) the directory, and finishes the transaction that a killed process left. Throws FileError
   * AUDIT_UNAVAILABLE. `planned` are the names that the caller is about to make; `gone`: see RunRequest.goneLockOwner.
   */
  static open(writer: WorkspaceWriter, planned: PlannedNames, nowNs: () => bigint, gone?: LockOwner): RecordStore {
    try {
      return new RecordStore(writer, planned, nowNs, gone);
    } catch (thrown) {
      throw unavailable(thrown);
    }
  }

  private constructor(writer: WorkspaceWriter, planned: PlannedNames, nowNs: () => bigint, gone: LockOwner | undefined) {
    this.#directory = writer.directory(STORE_PATH, RECORD_DIRECTORY_PERMISSIONS);
    let lock: FileLock | undefined;
    let journal: Journal | undefined;
    try {
      makeIgnoreFile(writer);
      lock = FileLock.acquire(this.#directory, LOCK_NAME, planned, LOCK_PATIENCE_MS, gone);
      journal = Journal.open(this.#directory, nowNs);
      this.journal = journal;
      const left = lock.inherited.filter(isPlannedNames);
      const held = lock;
      finishTransaction(writer, this.journal, new Set(left.flatMap(({ temporaries }) => temporaries)), () => held.checkHeld());
      // The writer may have been killed after its last outcome: what that made is no leftover, empty as it may be.
      const made = left.length > 0 ? namesOfLastTransaction(this.journal) : new Set();
      const isLeft = (path: string): boolean => !made.has(path);
      for (const { temporaries, directories } of left) {
        lock.checkHeld();
        removeLeftovers(writer, { temporaries: temporaries.filter(isLeft), directories: directories.filter(isLeft) });
      }
      finishPrune(writer, this.#directory);
      lock.forgetInherited();
      this.#lock = lock;
    } catch (thrown) {
      journal?.close();
      this.#giveUp(lock);
      throw thrown;
    }
  }

  /** Ends an opening that failed. Dead writers' notes stay for the next one. */
  #giveUp(lock: FileLock | undefined): void {
    try {
      if (lock !== undefined && lock.inherited.length > 0) lock.leave();
      else lock?.release();
    } finally {
      this.#directory.close();
    }
  }

  /** False once another server has taken the lock: it has finished or undone our work then, and nothing may be done any more. */
  get isHeld(): boolean {
    return this.#lock.isHeld;
  }

  /** Throws FileError EBUSY unless `isHeld`. Called before each step that changes what is not ours alone. */
  checkHeld(): void {
    this.#lock.checkHeld();
  }

  /**
   * Closes the journal and gives up the lock. `isFinished`: nothing is left for recovery. A lock that cannot be removed now
   * is stale as soon as this process ends.
   */
  close(isFinished: boolean): void {
    this.journal.close();
    try {
      if (isFinished) this.#lock.release();
      else this.#lock.leave();
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
    } finally {
      this.#directory.close();
    }
  }
}

/**
 * Finishes the transaction that a killed process left, if any. Cheap where there is none, and creates nothing then. Work
 * that cannot be finished now (a directory that must not be written) is left for the next write.
 */
export function recoverWrites(writer: WorkspaceWriter, nowNs: () => bigint, gone?: LockOwner): void {
  try {
    const directory = writer.directory(STORE_PATH);
    try {
      if (!isLeftBehind(directory, LOCK_NAME, gone)) return;
    } finally {
      directory.close();
    }
    RecordStore.open(writer, { temporaries: [], directories: [] }, nowNs, gone).close(true);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
  }
}

function isPlannedNames(note: unknown): note is PlannedNames {
  if (typeof note !== "object" || note === null || !("temporaries" in note) || !("directories" in note)) return false;
  return [note.temporaries, note.directories].every((list) => Array.isArray(list) && list.every((path) => typeof path === "string"));
}
