/**
 * System calls on held descriptors, which is how Node reaches openat(2): `/proc/self/fd/N/name` opens `name` in the
 * directory that N holds, whatever has happened to the path meanwhile. The only file that builds such a path.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  opendirSync,
  readlinkSync,
  statSync,
  type BigIntStats,
  type Dir,
} from "node:fs";
import { toBytes, toText } from "../io/text.ts";
import type { FileKind, FileStatus } from "./file-status.ts";

/** Linux's O_PATH, which node:fs does not name: a handle to the place, without opening what is there. */
const O_PATH = 0o10000000;
const { O_CLOEXEC = 0o2000000 } = constants as { O_CLOEXEC?: number };

/** A handle to the host directory `path`, following symbolic links: the root's own path may be one. */
export function holdHostDirectory(path: string): number {
  return openSync(path, O_PATH | constants.O_DIRECTORY | O_CLOEXEC);
}

/** A handle to the directory `name` in `parent`; throws ENOTDIR where it is a symbolic link or no directory. */
export function holdDirectory(parent: number, name: string): number {
  return openSync(inDirectory(parent, name), O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW | O_CLOEXEC);
}

/** A handle to whatever `name` in `parent` is, a symbolic link included. */
export function holdAny(parent: number, name: string): number {
  return openSync(inDirectory(parent, name), O_PATH | constants.O_NOFOLLOW | O_CLOEXEC);
}

/** Opens what a handle holds. O_NONBLOCK: a FIFO that took a file's place must not hang us. */
export function reopen(handle: number, flags: number): number {
  return openSync(`/proc/self/fd/${handle}`, flags | constants.O_NONBLOCK | constants.O_NOCTTY | O_CLOEXEC);
}

export function openDirectoryStream(handle: number): Dir {
  return opendirSync(`/proc/self/fd/${handle}`, { encoding: "buffer" as BufferEncoding, bufferSize: 256 });
}

export function statusOfHandle(handle: number): FileStatus {
  return toStatus(fstatSync(handle, { bigint: true }));
}

export function linkStatus(parent: number, name: string): FileStatus {
  return toStatus(lstatSync(inDirectory(parent, name), { bigint: true }));
}

/** stat(2) through the handle itself: what it holds is already resolved. */
export function followedStatus(handle: number): FileStatus {
  return toStatus(statSync(`/proc/self/fd/${handle}`, { bigint: true }));
}

export function readLinkIn(parent: number, name: string): string {
  return toText(readlinkSync(inDirectory(parent, name), { encoding: "buffer" }));
}

export function release(descriptor: number): void {
  closeSync(descriptor);
}

/** The path of `name` in the directory that `parent` holds. Bytes where the name is not valid UTF-8. */
export function inDirectory(parent: number, name: string): string | Buffer {
  const path = `/proc/self/fd/${parent}/${name}`;
  return name.isWellFormed() ? path : toBytes(path);
}

/** The path of the thing that `handle` holds. */
export const ofHandle = (handle: number): string => `/proc/self/fd/${handle}`;

function toStatus(stats: BigIntStats): FileStatus {
  return {
    kind: kindOf(stats.mode),
    permissions: Number(stats.mode & 0o7777n),
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
function kindOf(mode: bigint): FileKind {
  switch (mode & 0o170000n) {
    case 0o040000n:
      return "directory";
    case 0o120000n:
      return "symlink";
    case 0o010000n:
      return "fifo";
    case 0o140000n:
      return "socket";
    case 0o020000n:
      return "character-device";
    case 0o060000n:
      return "block-device";
    default:
      return "file";
  }
}
