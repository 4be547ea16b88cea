/**
 * A lock file shared by processes of one host: the process that creates it holds the lock, and removes it to release it. A holder
 * that was killed leaves its file behind; the next process sees that the holder is gone, takes the file over, and is given the
 * note that the dead holder had written in it, if that ran on this machine since it was started. Anybody may have put such a
 * file there (a repository can bring one), but nobody elsewhere knows the id of this boot. Anything with one of these names
 * that is not a regular file is nobody's lock, and is moved aside as it is.
 *
 * Interleavings. A and B are processes, and A is stopped for any time between two of its steps.
 * - A is stopped while it holds the lock. Of this boot and namespace, it lives and keeps it, however old the lock is. Of another, B
 *   takes it by its age and finishes A's work; A compares the file that it made with the one that is there before each step
 *   (`checkHeld`), and then stops without another. At most the one step goes through that A had checked for already.
 * - A is stopped before its owner is in the new file. B takes the file for a dead maker's after EMPTY_IS_STALE_MS. A looks for B's
 *   guard once it has written: without one, a later guard's owner reads who A is; with one, A waits until it is gone, and then
 *   looks whether the file is still A's.
 * - A is stopped in the take-over, and its guard is removed by B. A looks for its guard once more before it renames.
 * - A is killed. It is gone in the eyes of B even where its number is given to another process, since that started later; in the
 *   executor, which cannot see that, the supervisor does (`gone`). What A had inherited is in A's own lock, and passed on with it.
 */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { isWindows } from "../../io/platform.ts";
import { showName } from "../../display/visible.ts";
import { FileError } from "../file-error.ts";
import { fateOf, isOfThisBoot, isOwner, isSameOwner, ownerOf, ownIdentity, type LockOwner } from "./lock-owner.ts";
import type { WritableDirectory } from "./write-directory.ts";
import type { WritableFile } from "./write-file.ts";

interface LockText {
  readonly owner: LockOwner;
  readonly note: unknown;
  /** Notes of holders that died, oldest first. */
  readonly inherited: readonly unknown[];
}

const PERMISSIONS = 0o600;
const WAIT_MS = 3;
/** A lock without an owner in it was made by somebody who is about to write it, or died doing so. */
const EMPTY_IS_STALE_MS = 1_000;
/** Age at which a lock is left behind where we cannot see whether its owner lives. */
const OLD_IS_STALE_MS = 120_000;
/** Clocks of hosts that share a file system differ by less: what is further in the future was never made by a writer. */
const FUTURE_IS_STALE_MS = 60_000;
const MOST_HOST_CHARACTERS = 64;
/** Largest note that is written. More than the names of all that one line could write, unless their paths are of the longest. */
const MOST_NOTE_BYTES = 16 << 20;
/** Largest lock that is read, and written: with the notes of some holders that died one after the other. */
const MOST_LOCK_BYTES = 4 * MOST_NOTE_BYTES;
/** A note of this size is one of a process that comes to finish what others have left, and has room where others have not. */
const SMALL_NOTE_BYTES = 4096;
/** Notes are lists of names; what nests deeper could not be written again. */
const MOST_DEPTH = 8;

export class FileLock {
  /** Notes of holders of this boot that died, oldest first. Empty in ordinary times. */
  readonly inherited: readonly unknown[];
  readonly #directory: WritableDirectory;
  readonly #name: string;
  readonly #note: unknown;
  /** Held open, so that no other file gets its inode number. */
  #file: WritableFile;

  private constructor(directory: WritableDirectory, name: string, note: unknown, { file, inherited }: Taken) {
    this.#directory = directory;
    this.#name = name;
    this.#note = note;
    this.#file = file;
    this.inherited = inherited;
  }

  /**
   * Waits until the lock `name` in `directory` is ours and notes `note` (plain data) in it for whoever comes after us
   * if we die. Throws FileError EBUSY after `patienceMs`, and EFBIG where the note is too long to be read again. `gone`: see fateOf.
   */
  static acquire(directory: WritableDirectory, name: string, note: unknown, patienceMs: number, gone?: LockOwner): FileLock {
    const seeker: Seeker = { directory, name, note, owner: ownIdentity(), gone, deadlineMs: Date.now() + patienceMs };
    lockBytes(seeker, []);
    for (const each of [name, leftName(name), guardName(name), nextName(name)]) moveAside(directory, each);
    for (;;) {
      const taken = create(seeker) ?? (isStale(directory, name, gone) ? takeOver(seeker) : undefined);
      if (taken !== undefined) return new FileLock(directory, name, note, taken).#withoutLeft();
      waitOrThrow(seeker);
    }
  }

  /** Removes the notes beside the lock: they are in it now. */
  #withoutLeft(): this {
    try {
      if (this.inherited.length > 0) this.#directory.remove(leftName(this.#name));
      return this;
    } catch (thrown) {
      this.leave();
      throw thrown;
    }
  }

  /** True while the lock is the file that we made, and not another's nor nobody's. */
  get isHeld(): boolean {
    return isFile(this.#directory, this.#name, this.#file);
  }

  /** Throws FileError EBUSY where the lock is no longer ours. Whoever has taken it has also finished or undone our work. */
  checkHeld(): void {
    if (!this.isHeld) throw new FileError("EBUSY", pathOf(this.#directory, this.#name), LOST);
  }

  /** Forgets the notes of earlier holders, in the lock too: their work is done. */
  forgetInherited(): void {
    if (this.inherited.length === 0) return;
    const file = written(this.#directory, nextName(this.#name), { owner: ownIdentity(), note: this.#note, inherited: [] });
    this.checkHeld();
    // Windows keeps the name of a file that is open.
    if (isWindows) this.#file.close();
    this.#directory.rename(nextName(this.#name), this.#name);
    this.#file.close();
    this.#file = file;
  }

  /** Harmless where the lock is no longer ours. */
  release(): void {
    this.#end(() => this.#directory.remove(this.#name));
  }

  /** Releases the lock, and leaves its notes for the next holder: the work that they name could not be brought to its end. */
  leave(): void {
    this.#end(() => this.#directory.rename(this.#name, leftName(this.#name)));
  }

  #end(action: () => void): void {
    try {
      if (this.isHeld) action();
    } finally {
      this.#file.close();
    }
  }
}

const LOST = "Another server has taken over the lock of the records, and has finished or undone this write: see history";

/** One who wants the lock. */
interface Seeker {
  readonly directory: WritableDirectory;
  readonly name: string;
  readonly note: unknown;
  readonly owner: LockOwner;
  readonly gone: LockOwner | undefined;
  readonly deadlineMs: number;
}

/** The lock's file as it was made, open, and the notes of dead holders that are in it. */
interface Taken {
  readonly file: WritableFile;
  readonly inherited: readonly unknown[];
}

function waitOrThrow({ directory, name, deadlineMs }: Seeker): void {
  if (Date.now() > deadlineMs)
    throw new FileError("EBUSY", pathOf(directory, name), `Another server is writing here${holderOf(directory, name)}`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
}

/** Makes the lock where there is none. */
function create(seeker: Seeker): Taken | undefined {
  const { directory, name } = seeker;
  const file = directory.create(name, PERMISSIONS);
  if (file === undefined) return undefined;
  let isTaken = false;
  try {
    const inherited = notesLeft(directory, name);
    file.write(lockBytes(seeker, inherited));
    while (directory.status(guardName(name)) !== undefined) {
      if (isLeftGuard(seeker)) directory.remove(guardName(name));
      else waitOrThrow(seeker);
    }
    isTaken = isFile(directory, name, file);
    return isTaken ? { file, inherited } : undefined;
  } finally {
    if (!isTaken) {
      if (isFile(directory, name, file)) directory.remove(name);
      file.close();
    }
  }
}

/** Bytes of the lock. Throws FileError EFBIG where they could not be read again. */
function lockBytes(
  { directory, name, owner, note }: Pick<Seeker, "directory" | "name" | "owner" | "note">,
  inherited: readonly unknown[],
): Buffer {
  const noteBytes = Buffer.byteLength(JSON.stringify(note));
  const bytes = Buffer.from(JSON.stringify({ owner, note, inherited } satisfies LockText));
  const room = noteBytes <= SMALL_NOTE_BYTES ? MOST_LOCK_BYTES : MOST_LOCK_BYTES - MOST_NOTE_BYTES;
  if (noteBytes <= MOST_NOTE_BYTES && bytes.length <= room) return bytes;
  throw new FileError(
    "EFBIG",
    pathOf(directory, name),
    `The paths of all that it changes take more than ${MOST_NOTE_BYTES >> 20} MiB: change fewer at a time`,
  );
}

/** The new file `name` with this text, open. Whatever had that name is removed: it is the name of a step, under a lock. */
function written(directory: WritableDirectory, name: string, text: LockText): WritableFile {
  directory.remove(name);
  const file = directory.create(name, PERMISSIONS);
  if (file === undefined) throw new FileError("EBUSY", pathOf(directory, name));
  try {
    file.write(lockBytes({ directory, name, ...text }, text.inherited));
    return file;
  } catch (thrown) {
    file.close();
    directory.remove(name);
    throw thrown;
  }
}

const isFile = (directory: WritableDirectory, name: string, file: WritableFile): boolean =>
  directory.status(name)?.inode === file.status.inode;

const pathOf = (directory: WritableDirectory, name: string): string => `${directory.path}/${name}`;
const leftName = (name: string): string => `${name}.left`;
const guardName = (name: string): string => `${name}.takeover`;
const nextName = (name: string): string => `${name}.next`;

/** Gives `name` another name where it is no regular file. It is neither followed nor removed. */
function moveAside(directory: WritableDirectory, name: string): void {
  if (isFileOrFree(directory, name)) return;
  const aside = `${name}.aside-${randomBytes(8).toString("hex")}`;
  try {
    directory.rename(name, aside);
  } catch (thrown) {
    if (thrown instanceof FileError && thrown.code === "ENOENT") return;
    throw thrown;
  }
  // Another process has moved it first, and this is the lock that it made then.
  if (directory.status(aside)?.kind === "file" && directory.link(aside, name)) directory.remove(aside);
}

function isFileOrFree(directory: WritableDirectory, name: string): boolean {
  const kind = directory.status(name)?.kind;
  return kind === undefined || kind === "file";
}

/** Notes that holders of this boot have left beside the lock. */
const notesLeft = (directory: WritableDirectory, name: string): readonly unknown[] => notesIn(directory, leftName(name));

/** The notes in the lock `name`, oldest first; none where its owner is not of this boot. */
function notesIn(directory: WritableDirectory, name: string): readonly unknown[] {
  const text = readLock(directory, name);
  return text === undefined ? [] : [...text.inherited, text.note];
}

/** Tells whether a next holder has something to finish: a holder is gone, or has left a note. `gone`: see fateOf. */
export const isLeftBehind = (directory: WritableDirectory, name: string, gone?: LockOwner): boolean =>
  isStale(directory, name, gone) || notesLeft(directory, name).length > 0;

/** The owner of the lock `name` if it is known to be gone, in the eyes of this process. */
export function goneOwner(directory: WritableDirectory, name: string): LockOwner | undefined {
  const owner = directory.status(name)?.kind === "file" ? ownerOf(directory, name) : undefined;
  return owner !== undefined && isOfThisBoot(owner) && fateOf(owner, undefined) === "gone" ? owner : undefined;
}

/** ": process 12 on host", as far as the lock says who holds it. */
function holderOf(directory: WritableDirectory, name: string): string {
  const owner = directory.status(name)?.kind === "file" ? ownerOf(directory, name) : undefined;
  if (owner === undefined) return "";
  const where = owner.host === hostname() ? "this host" : showName(owner.host.slice(0, MOST_HOST_CHARACTERS));
  return `: process ${owner.pid} on ${where}, as that file says`;
}

/** Tells whether the lock `name` exists and its maker is gone. A clock that was set says nothing of one that is seen to live. */
function isStale(directory: WritableDirectory, name: string, gone: LockOwner | undefined): boolean {
  const status = directory.status(name);
  if (status === undefined) return false;
  if (status.kind !== "file") return true;
  const owner = ownerOf(directory, name);
  const fate = owner === undefined ? "unseen" : fateOf(owner, gone);
  if (fate !== "unseen") return fate === "gone";
  const ageMs = Date.now() - Number(status.modifiedNs / 1_000_000n);
  return ageMs < -FUTURE_IS_STALE_MS || ageMs > (owner === undefined ? EMPTY_IS_STALE_MS : OLD_IS_STALE_MS);
}

/**
 * Puts our text in the place of a dead owner's. Only one process at a time may, so that nobody takes over a lock that
 * somebody else has just taken over: a second lock guards the step. Gives undefined where the lock is no longer stale.
 */
function takeOver(seeker: Seeker): Taken | undefined {
  const { directory, name, note, owner, gone } = seeker;
  const guard = guardName(name);
  const file = directory.create(guard, PERMISSIONS);
  if (file === undefined) {
    if (isLeftGuard(seeker)) directory.remove(guard);
    return undefined;
  }
  let next: WritableFile | undefined;
  try {
    file.write(lockBytes({ directory, name, owner, note: null }, []));
    if (!isStale(directory, name, gone)) return undefined;
    const inherited = [...notesLeft(directory, name), ...notesIn(directory, name)];
    next = written(directory, nextName(name), { owner, note, inherited });
    if (!isFile(directory, guard, file)) return undefined;
    directory.rename(nextName(name), name);
    const taken = { file: next, inherited };
    next = undefined;
    return taken;
  } finally {
    next?.close();
    removeGuard(directory, guard, file);
    file.close();
  }
}

/** Removes our guard. Where that fails it goes with our next lock: what was taken over is ours all the same. */
function removeGuard(directory: WritableDirectory, guard: string, file: WritableFile): void {
  try {
    if (isFile(directory, guard, file)) directory.remove(guard);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
  }
}

/** True for the guard of a process that is gone, and for one that we could not remove. */
function isLeftGuard({ directory, name, owner, gone }: Seeker): boolean {
  const guard = guardName(name);
  if (isStale(directory, guard, gone)) return true;
  const found = directory.status(guard)?.kind === "file" ? ownerOf(directory, guard) : undefined;
  return found !== undefined && isSameOwner(found, owner);
}

/** Content of a lock whose owner is of this boot. Others are not even read: a repository may bring one of any size. */
function readLock(directory: WritableDirectory, name: string): LockText | undefined {
  if (directory.status(name)?.kind !== "file") return undefined;
  const owner = ownerOf(directory, name);
  const file = owner !== undefined && isOfThisBoot(owner) ? directory.open(name) : undefined;
  if (file === undefined) return undefined;
  try {
    if (file.size > MOST_LOCK_BYTES) return undefined;
    const parsed: unknown = JSON.parse(file.bytes(0, file.size).toString("utf8"));
    return isLockText(parsed) && isOfThisBoot(parsed.owner) ? parsed : undefined;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  } finally {
    file.close();
  }
}

function isLockText(value: unknown): value is LockText {
  if (typeof value !== "object" || value === null || !("owner" in value) || !("inherited" in value)) return false;
  return isOwner(value.owner) && "note" in value && Array.isArray(value.inherited) && !nestsDeeper(value, MOST_DEPTH);
}

const nestsDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" && value !== null && (levels === 0 || Object.values(value).some((inner) => nestsDeeper(inner, levels - 1)));
