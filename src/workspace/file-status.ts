/** The result of stat(2), in the units the builtins print. */
export interface FileStatus {
  readonly kind: FileKind;
  /** Permission bits with set-uid, set-gid and sticky: mode & 07777. */
  readonly permissions: number;
  /** Bytes. */
  readonly size: number;
  /** Nanoseconds since the epoch. */
  readonly modifiedNs: bigint;
  readonly accessedNs: bigint;
  readonly changedNs: bigint;
  readonly bornNs: bigint;
  readonly inode: bigint;
  readonly device: bigint;
  /** For devices: the device number; else 0. */
  readonly specialDevice: bigint;
  /** Number of hard links. */
  readonly links: number;
  readonly userId: number;
  readonly groupId: number;
  /** Allocated space in units of 512 bytes. */
  readonly blocks: number;
  /** Preferred I/O size in bytes. */
  readonly ioBytes: number;
}

/** The status of a file that no disk holds. */
export function statusOfNone(kind: FileKind, permissions: number, specialDevice = 0n): FileStatus {
  const never = { modifiedNs: 0n, accessedNs: 0n, changedNs: 0n, bornNs: 0n };
  return {
    kind,
    permissions,
    size: 0,
    ...never,
    inode: 0n,
    device: 0n,
    specialDevice,
    links: 1,
    userId: 0,
    groupId: 0,
    blocks: 0,
    ioBytes: 4096,
  };
}

/** The part of a FileStatus that is asked for of every file of a working tree. */
export interface FileStamp {
  readonly kind: FileKind;
  readonly permissions: number;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch with their fraction, as `seconds * 1000 + nanoseconds / 1e6` gives it: to 0.25 µs. */
  readonly modifiedMs: number;
  /** The same of the last change of anything. */
  readonly changedMs: number;
  /** Of a large one the last bits may be lost. */
  readonly inode: number;
}

/** A time as a FileStamp has it, and node:fs in a status that is not in integers. */
export const millisecondsOf = (ns: bigint): number => Number(ns / 1_000_000_000n) * 1000 + Number(ns % 1_000_000_000n) / 1e6;

/** Stamps of many files as numbers: st_mode, and size, times and inode as in FileStamp. */
export const STAMP_WORDS = 5;
/**
 * In the place of st_mode: NO_FILE if the file does not exist; NOT_TOLD if its stamp was not read, and must be asked for by
 * itself.
 */
export const NO_FILE = -1;
export const NOT_TOLD = -2;

export type FileKind = "file" | "directory" | "symlink" | "fifo" | "socket" | "character-device" | "block-device";

/** One name in a directory, in the kernel's own order. `kind` is undefined where the file system does not say. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind | undefined;
}
