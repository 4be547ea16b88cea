/**
 * Files whose content one call has read, each with the stamp it had when it was opened: a removal asks whether the file is still
 * the one that was read.
 *
 * Stamps are compared with stamps, and never with a clock: a file that was written directly before the call, or lies on a host whose
 * clock goes differently, is as it was read. What is missed is a change within one tick of the file system's time (some milliseconds)
 * of the file's change before it, of the same length and in place. Reading that cannot be noted file by file (of more than
 * MOST_STAMPS, and by a tool in a thread of its own) is noted as one instant of the host's clock: every file that changes after it
 * counts as changed since it was read, whether it was read or not, and one that changes within a tick of it does not.
 *
 * The last reading counts, so that a line may wait for a file to change. It is the one before where an edit is open: what mv
 * itself reads to move it is not what the decision was made on.
 */
import { millisecondsOf, type FileStatus } from "../file-status.ts";

/** Parts of a status by which a file is known to be still the same. Times as in FileStamp. */
export interface ReadStamp {
  readonly inode: number;
  /** Bytes. */
  readonly size: number;
  readonly modifiedMs: number;
  /** Time of the last change of the bytes or the status. */
  readonly changedMs: number;
  /** True if the file has other names: what is done to those changes its status. */
  readonly isShared: boolean;
}

/** Bytes of a stamp that is written down. */
export const STAMP_BYTES = 5 * 8;
/** Most files that are noted one by one, at some 200 bytes each; and most notes that are kept as they came. */
const MOST_STAMPS = 100_000;

/** Notes as they come: putting them in order takes longer, and is only done for a line that comes to a removal. */
interface Note {
  /** Canonical path: of the file or, with `names`, of the directory, which then ends in a slash unless it is the root. */
  readonly path: string;
  readonly names: readonly string[] | undefined;
  /** The stamp; of several files, their written stamps. */
  readonly stamp: ReadStamp | Buffer;
  /** An edit was open. */
  readonly isOfEdit: boolean;
}

export class CallReads {
  #notes: Note[] = [];
  /** Files in `#notes`. */
  #noted = 0;
  #notedSinceMs = 0;
  /** By canonical path. */
  readonly #stamps = new Map<string, ReadStamp>();
  /** Canonical paths that the call itself has changed. */
  readonly #own = new Set<string>();
  /** Any file may have been read since, as of the host's clock. */
  #anySinceMs: number | undefined;
  #edits = 0;
  readonly #nowMs: () => number;
  readonly #spelled: (path: string) => string;

  /**
   * `nowMs`: the host's clock, in milliseconds since the epoch. `spelled`: a path as its directory has it, where it may have been read by
   * another spelling (Workspace.spelled).
   */
  constructor(nowMs: () => number, spelled = (path: string): string => path) {
    this.#nowMs = nowMs;
    this.#spelled = spelled;
  }

  note(canonical: string, stamp: ReadStamp): void {
    this.#add({ path: canonical, names: undefined, stamp, isOfEdit: this.#edits > 0 }, 1);
  }

  /** Notes files of one directory. `stamps`: written one after another; a size of NOT_STAMPED is that of a file that was not read. */
  noteAll(directory: string, names: readonly string[], stamps: Buffer): void {
    this.#add({ path: directory === "" ? "" : `${directory}/`, names, stamp: stamps, isOfEdit: this.#edits > 0 }, names.length);
  }

  #add(note: Note, files: number): void {
    if (this.#noted === 0) this.#notedSinceMs = this.#nowMs();
    this.#notes.push(note);
    this.#noted += files;
    if (this.#noted >= MOST_STAMPS) this.#sort();
  }

  /** Puts the notes in order. */
  #sort(): void {
    const notes = this.#notes;
    this.#notes = [];
    this.#noted = 0;
    for (const { path, names, stamp, isOfEdit } of notes) {
      if (!(stamp instanceof Uint8Array)) this.#put(path, stamp, isOfEdit);
      else
        names?.forEach((name, file) => {
          const read = readStamp(stamp, file * STAMP_BYTES);
          if (read.size !== NOT_STAMPED) this.#put(path + name, read, isOfEdit);
        });
    }
  }

  #put(path: string, stamp: ReadStamp, isOfEdit: boolean): void {
    const canonical = this.#spelled(path);
    if (this.#stamps.has(canonical)) {
      if (!isOfEdit) this.#stamps.set(canonical, stamp);
    } else if (this.#stamps.size < MOST_STAMPS) this.#stamps.set(canonical, stamp);
    else this.#anySinceMs ??= this.#notedSinceMs;
  }

  /** From now on any file may be read without being noted. */
  noteAny(): void {
    this.#anySinceMs = this.#nowMs();
  }

  /** The call itself has changed `canonical`, whatever was read of it before. */
  forget(canonical: string): void {
    this.#sort();
    this.#stamps.delete(canonical);
    this.#own.add(canonical);
  }

  /** An edit has begun. Returns what is to be called at its end. */
  beginEdit(): () => void {
    let isOpen = true;
    this.#edits++;
    return () => {
      if (isOpen) this.#edits--;
      isOpen = false;
    };
  }

  /** A test of what `canonical` is when it is removed: true if it has changed since it was read. */
  changedSince(canonical: string): (now: FileStatus) => boolean {
    this.#sort();
    const stamp = this.#stamps.get(canonical);
    if (stamp !== undefined) return (now) => !isSameStamp(stamp, stampOf(now));
    const sinceMs = this.#own.has(canonical) ? undefined : this.#anySinceMs;
    return (now) => sinceMs !== undefined && stampOf(now).changedMs > sinceMs;
  }
}

export const stampOf = ({ inode, size, modifiedNs, changedNs, links }: FileStatus): ReadStamp => ({
  inode: Number(inode),
  size,
  modifiedMs: millisecondsOf(modifiedNs),
  changedMs: millisecondsOf(changedNs),
  isShared: links > 1,
});

/** Tells whether a file is still the one that it was. */
export const isSameStamp = (then: ReadStamp, now: ReadStamp): boolean =>
  now.inode === then.inode &&
  now.size === then.size &&
  now.modifiedMs === then.modifiedMs &&
  (now.changedMs === then.changedMs || now.isShared || then.isShared);

/** In the place of the size of a file that was not read. */
const NOT_STAMPED = -1;

export function writeStamp(into: Buffer, at: number, { inode, size, modifiedMs, changedMs, isShared }: ReadStamp): void {
  into.writeDoubleLE(inode, at);
  into.writeDoubleLE(size, at + 8);
  into.writeDoubleLE(modifiedMs, at + 16);
  into.writeDoubleLE(changedMs, at + 24);
  into.writeDoubleLE(isShared ? 1 : 0, at + 32);
}

export function writeNoStamp(into: Buffer, at: number): void {
  into.writeDoubleLE(NOT_STAMPED, at + 8);
}

const readStamp = (from: Buffer, at: number): ReadStamp => ({
  inode: from.readDoubleLE(at),
  size: from.readDoubleLE(at + 8),
  modifiedMs: from.readDoubleLE(at + 16),
  changedMs: from.readDoubleLE(at + 24),
  isShared: from.readDoubleLE(at + 32) === 1,
});
