/**
 * A lock file shared by processes of one host: the process that creates it holds the lock, and removes it to release it. A holder
 * that was killed leaves its file behind; the next process sees that the holder is gone, takes the file over, and is given the
 * note that the dead holder had written in it, if that ran on this machine since it was started. Anybody may have put such a
 * file there (a repository can bring one), but nobody elsewhere knows the id of this boot. Anything with one of these names
 * that is not a regular file is nobody's lock, and is moved aside as it is.
 */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { showName } from "../../display/visible.ts";
import { FileError } from "../file-error.ts";
import { boot, isAlive, processSpace } from "./process-identity.ts";
import type { WritableDirectory } from "./write-directory.ts";

/** Tells a process from every other that lives. A later one may get the same number: then age decides. */
interface Owner {
  readonly pid: number;
  /** PID namespace and boot: where `pid` means something. */
  readonly space: string;
  readonly host: string;
}

interface LockText {
  readonly owner: Owner;
  readonly note: unknown;
  /** Notes of holders that died, oldest first. */
  readonly inherited: readonly unknown[];
}

const PERMISSIONS = 0o600;
const WAIT_MS = 3;
/** A lock without an owner in it was made by somebody who is about to write it, or died doing so. */
const EMPTY_IS_STALE_MS = 1_000;
/** No write takes this long: what is older is left behind, also where we cannot see whether its owner lives. */
const OLD_IS_STALE_MS = 120_000;
/** Clocks of hosts that share a file system differ by less: what is further in the future was never made by a writer. */
const FUTURE_IS_STALE_MS = 60_000;
const MOST_HOST_CHARACTERS = 64;
/** More than the names of all that one line could write. A repository may bring a lock of any size. */
const MOST_LOCK_BYTES = 16 << 20;
/** Notes are lists of names; what nests deeper could not be written again. */
const MOST_DEPTH = 8;

export class FileLock {
  /** Notes of holders of this boot that died, oldest first. Empty in ordinary times. */
  readonly inherited: readonly unknown[];
  readonly #directory: WritableDirectory;
  readonly #name: string;

  private constructor(directory: WritableDirectory, name: string, inherited: readonly unknown[]) {
    this.#directory = directory;
    this.#name = name;
    this.inherited = inherited;
  }

  /**
   * Waits until the lock `name` in `directory` is ours and notes `note` (plain data) in it for whoever comes after us
   * if we die. Throws FileError EBUSY after `patienceMs`.
   */
  static acquire(directory: WritableDirectory, name: string, note: unknown, patienceMs: number): FileLock {
    for (const each of [name, leftName(name), guardName(name), nextName(name)]) moveAside(directory, each);
    const inherited = (of: readonly unknown[]): readonly unknown[] => [...notesLeft(directory, name), ...of];
    const text: LockText = { owner: ownIdentity(), note, inherited: [] };
    const deadlineMs = Date.now() + patienceMs;
    for (;;) {
      const file = directory.create(name, PERMISSIONS);
      if (file !== undefined) {
        try {
          file.write(Buffer.from(JSON.stringify(text)));
          // Had we been stopped before writing, somebody may have taken the empty file for a dead one's.
          if (directory.status(name)?.inode === file.status.inode) return new FileLock(directory, name, inherited([]));
        } catch (thrown) {
          directory.remove(name);
          throw thrown;
        } finally {
          file.close();
        }
      }
      if (isStale(directory, name)) {
        const dead = takeOver(directory, name, text);
        if (dead !== undefined) return new FileLock(directory, name, inherited(dead));
      }
      if (Date.now() > deadlineMs) throw new FileError("EBUSY", name, `Another server is writing here${holderOf(directory, name)}`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
  }

  /** Removes the notes that earlier holders had left: their work is done. */
  forgetInherited(): void {
    if (this.inherited.length > 0) this.#directory.remove(leftName(this.#name));
  }

  release(): void {
    this.#directory.remove(this.#name);
  }

  /** Releases the lock, and leaves the note for the next holder: the work that it names could not be brought to its end. */
  leave(): void {
    this.#directory.rename(this.#name, leftName(this.#name));
  }
}

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
function notesLeft(directory: WritableDirectory, name: string): readonly unknown[] {
  const left = readLock(directory, leftName(name));
  return left === undefined || !isOfThisBoot(left.owner) ? [] : [...left.inherited, left.note];
}

/** Tells whether a next holder has something to finish: a holder is gone, or has left a note. */
export const isLeftBehind = (directory: WritableDirectory, name: string): boolean =>
  isStale(directory, name) || notesLeft(directory, name).length > 0;

/** ": process 12 on host", as far as the lock says who holds it. */
function holderOf(directory: WritableDirectory, name: string): string {
  const owner = readLock(directory, name)?.owner;
  if (owner === undefined) return "";
  const where = owner.host === hostname() ? "this host" : showName(owner.host.slice(0, MOST_HOST_CHARACTERS));
  return `: process ${owner.pid} on ${where}, as that file says`;
}

/** Tells whether the lock `name` exists and its maker is gone. */
function isStale(directory: WritableDirectory, name: string): boolean {
  const status = directory.status(name);
  if (status === undefined) return false;
  if (status.kind !== "file") return true;
  const text = readLock(directory, name);
  const ageMs = Date.now() - Number(status.modifiedNs / 1_000_000n);
  if (ageMs < -FUTURE_IS_STALE_MS) return true;
  if (text === undefined) return ageMs > EMPTY_IS_STALE_MS;
  const { owner } = text;
  const own = ownIdentity();
  if (owner.host === own.host && owner.space === own.space && !isAlive(owner.pid)) return true;
  if (owner.host === own.host && bootOf(owner.space) !== bootOf(own.space)) return true;
  return ageMs > OLD_IS_STALE_MS;
}

/**
 * Puts our text in the place of a dead owner's. Only one process at a time may, so that nobody takes over a lock that
 * somebody else has just taken over: a second lock guards the step. Gives undefined where the lock is no longer stale.
 */
function takeOver(directory: WritableDirectory, name: string, text: LockText): readonly unknown[] | undefined {
  const guard = guardName(name);
  const next = nextName(name);
  const file = directory.create(guard, PERMISSIONS);
  if (file === undefined) {
    if (isStale(directory, guard)) directory.remove(guard);
    return undefined;
  }
  try {
    file.write(Buffer.from(JSON.stringify({ ...text, note: null })));
    if (!isStale(directory, name)) return undefined;
    const dead = readLock(directory, name);
    const inherited = dead === undefined || !isOfThisBoot(dead.owner) ? [] : [...dead.inherited, dead.note];
    directory.remove(next);
    const replacement = directory.create(next, PERMISSIONS);
    if (replacement === undefined) return undefined;
    replacement.write(Buffer.from(JSON.stringify({ ...text, inherited })));
    replacement.close();
    directory.rename(next, name);
    return inherited;
  } finally {
    file.close();
    directory.remove(guard);
  }
}

/** Content of a lock; undefined if it is not one of ours: then its maker is taken to be gone. */
function readLock(directory: WritableDirectory, name: string): LockText | undefined {
  if (!isFileOrFree(directory, name)) return undefined;
  const file = directory.open(name);
  if (file === undefined) return undefined;
  try {
    if (file.size > MOST_LOCK_BYTES) return undefined;
    const parsed: unknown = JSON.parse(file.bytes(0, file.size).toString("utf8"));
    return isLockText(parsed) ? parsed : undefined;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  } finally {
    file.close();
  }
}

function isLockText(value: unknown): value is LockText {
  if (typeof value !== "object" || value === null || !("owner" in value) || !("inherited" in value)) return false;
  const { owner, inherited } = value;
  return (
    typeof owner === "object" &&
    owner !== null &&
    "pid" in owner &&
    Number.isSafeInteger(owner.pid) &&
    "space" in owner &&
    typeof owner.space === "string" &&
    "host" in owner &&
    typeof owner.host === "string" &&
    Array.isArray(inherited) &&
    !nestsDeeper(value, MOST_DEPTH)
  );
}

const nestsDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" && value !== null && (levels === 0 || Object.values(value).some((inner) => nestsDeeper(inner, levels - 1)));

function ownIdentity(): Owner {
  return { pid: process.pid, space: processSpace(), host: hostname() };
}

/** Tells whether an owner names this machine's current boot. False if the host shows no id of its boot. */
function isOfThisBoot({ space }: Owner): boolean {
  const own = boot();
  return own !== "" && bootOf(space) === own;
}

const bootOf = (space: string): string => space.slice(space.lastIndexOf(" ") + 1);
