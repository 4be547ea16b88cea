/**
 * The directory that holds the scratch of every session of a process, in the host's directory for temporary files; and that of a tree of
 * our own (private-tree.ts), in memory where the host has such a place. It is held by descriptor, nobody else may enter it, and it is
 * removed with the process. One that a killed process left is removed by a later.
 */
import { accessSync, constants, mkdirSync, readdirSync, realpathSync, rmdirSync } from "node:fs";
import { createHash, randomBytes } from "node:crypto";
import { hostname, tmpdir } from "node:os";
import { posix } from "node:path";
import { isWindows } from "../../io/platform.ts";
import { FileError } from "../file-error.ts";
import { fileErrorFrom } from "../system-error.ts";
import { descriptorsCanBeInherited, holdAny, holdHostDirectory, linkStamp, ofHandle, release, statusOfHandle } from "../walk/descriptor.ts";
import { fromHostPath, toHostPath } from "../walk/host-path.ts";
import { isAlive, processSpace } from "../write/process-identity.ts";
import { WritableDirectory } from "../write/write-directory.ts";

const OWN_MODE = 0o700;
const MOST_LISTENERS = 9;
const FILE_MODE = 0o600;
const NAME_BYTES = 16;
const PREFIX = "shelpa-scratch-";
/** Names removed for one session: more than it may have. */
const MOST_REMOVED = 1_000_000;
/** Rounds of removal: an executor that is being killed may still make a file. */
const MOST_ROUNDS = 5;

export class ScratchBase {
  /** Host path; undefined where it is another's, and only its descriptor is known. */
  readonly #path: string | undefined;
  #handle: number | undefined;
  readonly #atExit = (): void => this.close();

  private constructor(path: string | undefined, handle: number | undefined) {
    this.#path = path;
    this.#handle = handle;
  }

  /**
   * A base that is made when it is first asked for; undefined where the host's directory for temporary files is at or below one of
   * `directories` (host paths without links): there it would be files of the workspace.
   */
  static outside(directories: readonly string[], directory = tmpdir()): ScratchBase | undefined {
    const place = attempt(() => fromHostPath(realpathSync.native(directory)));
    const isInside = directories.some((directory) => `${place}/`.startsWith(directory.endsWith("/") ? directory : `${directory}/`));
    if (place === undefined || isInside) return undefined;
    const name = `${PREFIX}${process.pid}-${spaceDigest()}-${randomBytes(NAME_BYTES).toString("hex")}`;
    return new ScratchBase(posix.join(place, name), undefined);
  }

  /** The same in memory where the host has a file system there that this process may write, and else as `outside`. */
  static inMemory(directories: readonly string[]): ScratchBase | undefined {
    return (isWritable(MEMORY) ? ScratchBase.outside(directories, MEMORY) : undefined) ?? ScratchBase.outside(directories);
  }

  /** The base of another process or thread, by a descriptor of this process that holds it. */
  static of(descriptor: number): ScratchBase {
    return new ScratchBase(undefined, descriptor);
  }

  /** The base of another process, opened by what was handed over. Throws FileError. */
  static inherited({ descriptor, path }: { readonly descriptor: number; readonly path: string }): ScratchBase {
    return ScratchBase.of(
      descriptorsCanBeInherited ? holdHostDirectory(ofHandle(descriptor), { follow: true }) : holdHostDirectory(path, { follow: false }),
    );
  }

  /** Throws FileError where it cannot be made. */
  get handle(): number {
    this.#handle ??= this.#made();
    return this.#handle;
  }

  /** Host path, for a process that cannot be handed a descriptor. */
  get path(): string {
    if (this.#path === undefined) throw new Error("the base of another process");
    return this.#path;
  }

  /** The base itself, open for changes; the caller closes it. */
  directory(): WritableDirectory {
    return new WritableDirectory(holdAny(this.handle, "."), "");
  }

  /** The name of a copy of the session's directory `name`. */
  copyOf(name: string): string {
    const copy = randomBytes(NAME_BYTES).toString("hex");
    const base = this.directory();
    try {
      if (base.status(name) !== undefined) copied(base, name, base, copy);
    } finally {
      base.close();
    }
    return copy;
  }

  /** Removes a session's directory with all that is in it. Never throws: what cannot be removed goes with the next start. */
  remove(name: string): void {
    const handle = this.#handle;
    // Most sessions have none.
    if (handle === undefined || attempt(() => linkStamp(handle, name)) === undefined) return;
    attempt(() => removeBelow(this.directory(), name));
  }

  /** Removes everything, and the base itself. Harmless when repeated. */
  close(): void {
    const handle = this.#handle;
    this.#handle = undefined;
    if (handle === undefined) return;
    process.off("exit", this.#atExit);
    const path = this.#path;
    if (path !== undefined) {
      attempt(() => emptied(new WritableDirectory(holdAny(handle, "."), "")));
      // Only an empty directory is removed by its name, and no link is followed.
      attempt(() => rmdirSync(toHostPath(path)));
    }
    release(handle);
  }

  #made(): number {
    const { path } = this;
    try {
      mkdirSync(toHostPath(path), OWN_MODE);
      const handle = holdHostDirectory(path, { follow: false });
      if (!isOurs(handle)) {
        release(handle);
        throw new FileError("EACCES", path);
      }
      // Node warns of more; what is left then goes with the next start.
      if (process.listenerCount("exit") < MOST_LISTENERS) process.on("exit", this.#atExit);
      return handle;
    } catch (thrown) {
      throw new FileError(fileErrorFrom(thrown, path).code, "/tmp");
    }
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Directory of a file system in memory, on Linux. */
const MEMORY = "/dev/shm";

/** Removes the bases of dead processes of this user, PID namespace and boot. Never throws. */
export function removeLeftBases(): void {
  for (const place of [tmpdir(), MEMORY]) removeLeftIn(place);
}

/** The same in the host directory `place` alone. */
export function removeLeftIn(place: string): void {
  const names = attempt(() => readdirSync(place)) ?? [];
  const digest = spaceDigest();
  for (const name of names) {
    const [, pid, space] = /^shelpa-scratch-(\d+)-([0-9a-f]+)-[0-9a-f]+$/.exec(name) ?? [];
    if (pid === undefined || space !== digest || digest === "" || Number(pid) === process.pid || isAlive(Number(pid))) continue;
    attempt(() => {
      const path = posix.join(fromHostPath(place), name);
      const handle = holdHostDirectory(path, { follow: false });
      if (isOurs(handle)) emptied(new WritableDirectory(handle, ""));
      else return release(handle);
      rmdirSync(toHostPath(path));
    });
  }
}

function isOurs(handle: number): boolean {
  const { kind, userId, permissions } = statusOfHandle(handle);
  if (kind !== "directory") return false;
  // Windows has neither: what is in the user's own directory for temporary files is the user's.
  return isWindows || (userId === process.geteuid?.() && (permissions & 0o777) === OWN_MODE);
}

/** PID namespace and boot, in which a number of a process means something; "" where the host shows neither. Windows has one for all. */
function spaceDigest(): string {
  const space = isWindows ? hostname() : processSpace();
  return space.trim() === "" ? "" : createHash("sha256").update(space).digest("hex").slice(0, 16);
}

/** Closes `directory`, and removes everything in it. Throws FileError. */
function emptied(directory: WritableDirectory): void {
  try {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const names = directory.names();
      if (names.length === 0) return;
      const room = { names: MOST_REMOVED };
      for (const name of names) removeEntry(directory, name, room);
    }
  } finally {
    directory.close();
  }
}

function removeBelow(base: WritableDirectory, name: string): void {
  try {
    for (let round = 0; round < MOST_ROUNDS && base.status(name) !== undefined; round++) removeEntry(base, name, { names: MOST_REMOVED });
  } finally {
    base.close();
  }
}

/** Copies a directory with its files and directories; anything else nobody has put there. */
function copied(from: WritableDirectory, name: string, to: WritableDirectory, copy: string): void {
  const source = from.directory(name);
  to.makeDirectory(copy, OWN_MODE);
  const target = to.directory(copy);
  try {
    if (source === undefined || target === undefined) return;
    for (const each of source.names()) {
      const kind = source.status(each)?.kind;
      if (kind === "directory") copied(source, each, target, each);
      if (kind !== "file") continue;
      const [read, written] = [source.open(each), target.create(each, FILE_MODE)];
      if (read !== undefined) for (const block of read.blocks(0, read.size)) written?.write(block);
      read?.close();
      written?.close();
    }
  } finally {
    source?.close();
    target?.close();
  }
}

/** Links are removed and not followed. */
function removeEntry(directory: WritableDirectory, name: string, room: { names: number }): void {
  if (room.names-- <= 0) return;
  if (directory.status(name)?.kind !== "directory") {
    directory.remove(name);
    return;
  }
  const below = directory.directory(name);
  if (below !== undefined) {
    try {
      for (const each of below.names()) removeEntry(below, each, room);
    } finally {
      below.close();
    }
  }
  directory.removeEmptyDirectory(name);
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
