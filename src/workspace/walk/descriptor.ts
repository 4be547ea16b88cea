/**
 * System calls on held descriptors, which is how Node reaches openat(2): `/proc/self/fd/N/name` opens `name` in the
 * directory that N holds, whatever has happened to the path meanwhile. The only file that builds such a path. Other
 * systems than Linux have none: there each of these goes by name (named-handle.ts), with a weaker guarantee.
 */
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  lchownSync,
  lstatSync,
  lutimesSync,
  openSync,
  readlinkSync,
  statSync,
  statfsSync,
  utimesSync,
  type BigIntStats,
} from "node:fs";
import { isWindows } from "../../io/platform.ts";
import { toBytes, toText } from "../../io/text.ts";
import { isSystemError } from "../system-error.ts";
import { millisecondsOf, type FileKind, type FileStamp, type FileStatus } from "../file-status.ts";
import { stampOf, type ReadStamp } from "../read/call-reads.ts";
import { NamedHandles, namedHostStatus } from "./named-handle.ts";

const named = process.platform === "linux" ? undefined : new NamedHandles(process.platform);

/** True if a held directory can be handed to another process or thread as a descriptor; else that one opens the path itself. */
export const descriptorsCanBeInherited = named === undefined;

/** Linux's O_PATH, which node:fs does not name: a handle to the place, without opening what is there. */
const O_PATH = 0o10000000;
/** Node does not name it either; it sets it on every descriptor itself. */
const O_CLOEXEC = 0o2000000;

const HOLD_ANY = O_PATH | constants.O_NOFOLLOW | O_CLOEXEC;
const HOLD_DIRECTORY = HOLD_ANY | constants.O_DIRECTORY;

/** A handle to the host directory `path`. With `follow`, symbolic links are followed: the root may be given by one, once. */
export function holdHostDirectory(path: string, options: { readonly follow: boolean }): number {
  if (named !== undefined) return named.holdHost(path, options.follow);
  return openSync(toBytes(path), O_PATH | constants.O_DIRECTORY | O_CLOEXEC | (options.follow ? 0 : constants.O_NOFOLLOW));
}

/**
 * A handle to the host directory at `canonical`, a path that was free of symbolic links when it was found. Throws ENOTDIR
 * where one stands in it now, its last component included: what it leads to is another directory.
 */
export function holdCanonicalDirectory(canonical: string): number {
  // By name the path is resolved anew, and held against what it was.
  const handle = holdHostDirectory(canonical, { follow: named !== undefined });
  if (pathOfHandle(handle) === canonical) return handle;
  release(handle);
  throw Object.assign(new Error("a symbolic link leads elsewhere"), { code: "ENOTDIR" });
}

/** Tells whether two handles hold one directory. */
export function isSameDirectory(a: number, b: number): boolean {
  try {
    const [one, other] = [statusOfHandle(a), statusOfHandle(b)];
    return one.inode === other.inode && one.device === other.device;
  } catch (thrown) {
    // A handle by name whose directory is gone has no status.
    if (isGone(thrown) || (named !== undefined && thrown instanceof Error && "code" in thrown)) return false;
    throw thrown;
  }
}

/** The status of the host directory `path`. */
export function hostDirectoryStatus(path: string): FileStatus {
  return toStatus(named === undefined ? statSync(toBytes(path), { bigint: true }) : namedHostStatus(path));
}

/** A handle to the directory `name` in `parent`; throws ENOTDIR where it is a symbolic link or no directory. */
export function holdDirectory(parent: number, name: string): number {
  if (named !== undefined) return named.holdDirectory(parent, name);
  return openSync(inDirectory(parent, name), HOLD_DIRECTORY);
}

/** A handle to whatever `name` in `parent` is, a symbolic link included. */
export function holdAny(parent: number, name: string): number {
  if (named !== undefined) return named.holdAny(parent, name);
  return openSync(inDirectory(parent, name), HOLD_ANY);
}

/** The name that the directory of what `handle` holds lists it by, where it was asked for by `name`. */
export const ownName = (handle: number, name: string): string => (named === undefined || name === "." ? name : named.nameOf(handle));

/** Opens what a handle holds. O_NONBLOCK: nothing that took a file's place may hang us. */
export function reopen(handle: number, flags: number): number {
  if (named !== undefined) return named.reopen(handle, flags);
  return openSync(ofHandle(handle), flags | constants.O_NONBLOCK | constants.O_NOCTTY | O_CLOEXEC);
}

/**
 * True where Node's permission model lets this process open for reading alone what `handle` holds, as in an executor that has nothing to
 * write: what is written there is refused by the policy.
 */
export const opensForReadingOnly = (handle: number): boolean =>
  process.permission?.has("fs.write", named?.pathOf(handle) ?? ofHandle(handle)) === false;

/**
 * Opens `name` in `parent` at once; a symbolic link is ELOOP. For what a directory has just listed as a regular file:
 * what somebody puts in its place in between is opened without waiting for anything, and its kind is still to be seen.
 */
export function openListed(parent: number, name: string): number {
  // By name the long way is the safe one.
  if (named !== undefined) throw new Error("not opened at once");
  return openSync(
    inDirectory(parent, name),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY | O_CLOEXEC,
  );
}

/** The fields needed of every file that is read; a whole status takes twice as long. */
export type KindAndSize = Pick<FileStatus, "kind" | "size" | "device">;

export function kindAndSize(handle: number): KindAndSize {
  if (named?.owns(handle) === true) return statusOfHandle(handle);
  const { mode, size, dev } = fstatSync(handle);
  return { kind: kindOfMode(mode), size, device: BigInt(dev) };
}

/** As `kindAndSize`, with the stamp by which the file will be known to be still the same. */
export function kindAndStamp(handle: number): KindAndSize & { readonly stamp: ReadStamp } {
  if (named?.owns(handle) === true) {
    const status = statusOfHandle(handle);
    return { ...status, stamp: stampOf(status) };
  }
  const { mode, size, dev, ino, mtimeMs, ctimeMs, nlink } = fstatSync(handle);
  const stamp = { inode: ino, size, modifiedMs: mtimeMs, changedMs: ctimeMs, isShared: nlink > 1 };
  return { kind: kindOfMode(mode), size, device: BigInt(dev), stamp };
}

export function statusOfHandle(handle: number): FileStatus {
  return toStatus(named?.owns(handle) === true ? named.status(handle) : fstatSync(handle, { bigint: true }));
}

export function linkStatus(parent: number, name: string): FileStatus {
  return toStatus(named === undefined ? lstatSync(inDirectory(parent, name), { bigint: true }) : named.linkStatus(parent, name));
}

/** The stamp of `name` in `parent`, without following it; undefined if it does not exist. */
export function linkStamp(parent: number, name: string): FileStamp | undefined {
  const stats = named === undefined ? lstatSync(inDirectory(parent, name), { throwIfNoEntry: false }) : named.linkStatus(parent, name);
  if (stats === undefined) return undefined;
  const mode = Number(stats.mode);
  const size = Number(stats.size);
  // Whole milliseconds are all that a status in integers has of its own.
  const times =
    "mtimeNs" in stats
      ? { modifiedMs: millisecondsOf(stats.mtimeNs), changedMs: millisecondsOf(stats.ctimeNs) }
      : { modifiedMs: stats.mtimeMs, changedMs: stats.ctimeMs };
  return { kind: kindOfMode(mode), permissions: mode & 0o7777, size, ...times, inode: Number(stats.ino) };
}

export function readLinkIn(parent: number, name: string): string {
  return toText(named === undefined ? readlinkSync(inDirectory(parent, name), { encoding: "buffer" }) : named.readLink(parent, name));
}

/** access(2) on the file that `handle` holds: throws its error if this process may not use it so. */
export function accessHandle(handle: number, mode: number): void {
  if (named === undefined) accessSync(ofHandle(handle), mode);
  else named.access(handle, mode);
}

/** Tells whether this process may use the file that `handle` holds so. Throws the error of access(2) where it says neither. */
export function allowsUse(handle: number, wanted: keyof typeof ACCESS_MODE): boolean {
  try {
    accessHandle(handle, ACCESS_MODE[wanted]);
    return true;
  } catch (thrown) {
    if (["EACCES", "EPERM", "EROFS", "ETXTBSY"].some((code) => isSystemError(thrown, code))) return false;
    throw thrown;
  }
}

const ACCESS_MODE = { read: constants.R_OK, write: constants.W_OK, execute: constants.X_OK } as const;

/** The host's absolute path of what `handle` holds, free of symbolic links. */
export function pathOfHandle(handle: number): string {
  return named === undefined ? toText(readlinkSync(ofHandle(handle), { encoding: "buffer" })) : named.pathOf(handle);
}

/** Tells whether the directory that `handle` holds has been removed. */
export function isDead(handle: number): boolean {
  if (named !== undefined) return named.isDead(handle);
  try {
    return fstatSync(handle).nlink === 0;
  } catch (thrown) {
    if (isGone(thrown)) return true;
    throw thrown;
  }
}

/** Errors of a descriptor whose file was removed, on file systems that keep nothing of it: in user space, and over a network. */
const isGone = (thrown: unknown): boolean => isSystemError(thrown, "ENOENT") || isSystemError(thrown, "ESTALE");

/** statfs(2) f_type of the file system that `handle` is on. */
export function fileSystemOf(handle: number): number {
  if (named !== undefined) return named.fileSystem(handle);
  return statfsSync(ofHandle(handle)).type;
}

export function release(descriptor: number): void {
  if (named?.owns(descriptor) === true) named.release(descriptor);
  else closeSync(descriptor);
}

/** An open file, and the entry by which it was opened: in a directory that is still held. */
export interface OpenEntry {
  readonly descriptor: number;
  readonly parent: number;
  readonly name: string;
}

/** chown(2) and chmod(2) of an open file: by its path, because Node's permission model forbids those on descriptors. */
export function changeOwner({ descriptor, parent, name }: OpenEntry, userId: number, groupId: number): void {
  if (isWindows) return;
  if (named === undefined) chownSync(ofHandle(descriptor), userId, groupId);
  else lchownSync(inDirectory(parent, name), userId, groupId);
}

const OWNER_WRITE = 0o200;

export function changePermissions({ descriptor, parent, name }: OpenEntry, permissions: number): void {
  // All that Windows has of them is a mark against writing, which says nothing to who has the file open already.
  if (isWindows && (permissions & OWNER_WRITE) !== 0) return;
  if (named === undefined) chmodSync(ofHandle(descriptor), permissions);
  else changeEntryPermissions(parent, name, permissions);
}

/** chmod(2) of `name` in `parent`; ELOOP for a symbolic link. */
export function changeEntryPermissions(parent: number, name: string, permissions: number): void {
  const place = holdAny(parent, name);
  try {
    if (statusOfHandle(place).kind === "symlink") throw Object.assign(new Error("a symbolic link"), { code: "ELOOP" });
    chmodSync(named === undefined ? ofHandle(place) : inDirectory(parent, name), permissions);
  } finally {
    release(place);
  }
}

/** Sets the times of `name` in `parent`, which is not followed. Node takes seconds as a double: good to the microsecond. */
export function changeEntryTimes(parent: number, name: string, accessedNs: bigint, modifiedNs: bigint): void {
  const times = [seconds(accessedNs), seconds(modifiedNs)] as const;
  if (named !== undefined) return lutimesSync(inDirectory(parent, name), ...times);
  const place = holdAny(parent, name);
  try {
    if (statusOfHandle(place).kind === "symlink") lutimesSync(inDirectory(parent, name), ...times);
    else utimesSync(ofHandle(place), ...times);
  } finally {
    release(place);
  }
}

/**
 * Nanoseconds as seconds, cut to microseconds, and a part of one more so that the double never falls below them. Node takes
 * the time before 1970 as a Date alone.
 */
const seconds = (ns: bigint): number | Date =>
  ns < 0n
    ? new Date(Math.floor(Number(ns / 1000n) / 1000))
    : Number(ns / 1_000_000_000n) + (Number((ns / 1000n) % 1_000_000n) + 0.25) / 1e6;

/**
 * The path of `name` in the directory that `parent` holds. Bytes where the name is not valid UTF-8. A name of more than
 * one component, or one that leads up, would be resolved by the kernel and could leave the root: only a fault of ours
 * brings it here, and it is an error before any system call.
 */
export function inDirectory(parent: number, name: string): string | Buffer {
  if (name === "" || name === ".." || name.includes("/")) throw new Error("not the name of a directory entry");
  if (named !== undefined) return named.pathIn(parent, name);
  const path = `/proc/self/fd/${parent}/${name}`;
  return name.isWellFormed() ? path : toBytes(path);
}

/** Lists the directory that `handle` holds, by a path: `read` is given it. */
export function listHeld<T>(handle: number, read: (path: string | Buffer) => T): T {
  return named === undefined ? read(ofHandle(handle)) : named.list(handle, read);
}

/** The path of the thing that `handle` holds. */
export const ofHandle = (handle: number): string => `/proc/self/fd/${handle}`;

function toStatus(stats: BigIntStats): FileStatus {
  const mode = Number(stats.mode);
  return {
    kind: kindOfMode(mode),
    permissions: mode & 0o7777,
    size: Number(stats.size),
    modifiedNs: stats.mtimeNs,
    accessedNs: stats.atimeNs,
    changedNs: stats.ctimeNs,
    bornNs: stats.birthtimeNs,
    inode: stats.ino,
    device: stats.dev,
    specialDevice: stats.rdev,
    links: Number(stats.nlink),
    userId: Number(stats.uid),
    groupId: Number(stats.gid),
    blocks: Number(stats.blocks),
    ioBytes: Number(stats.blksize),
  };
}

/** inode(7): the file type bits of st_mode. */
export function kindOfMode(mode: number): FileKind {
  switch (mode & 0o170000) {
    case 0o040000:
      return "directory";
    case 0o120000:
      return "symlink";
    case 0o010000:
      return "fifo";
    case 0o140000:
      return "socket";
    case 0o020000:
      return "character-device";
    case 0o060000:
      return "block-device";
    default:
      return "file";
  }
}
