/** Reads small files of one directory, one after another, into memory that is already allocated. */
import { readSync } from "node:fs";
import { kindAndSize, openListed, release } from "../walk/descriptor.ts";
import type { KernelFileSystems } from "./kernel-file-systems.ts";

/** Instead of the size of a file that was not read: it is no regular file, does not fit, or something failed. */
export const NOT_READ = -1;

/** Bytes of the sizes with which `readSmallFiles` begins its output: 32 bits for each file. */
export const sizesBytes = (files: number): number => files * 4;

/**
 * Reads files that their directory has listed as regular, whole or not at all, into `into` from `at` on, where there
 * is room for `room` bytes. Returns how many bytes are used: the sizes, then one content after another.
 *
 * Without `kernelFileSystems` nobody looks at what was opened, which takes as long as opening it: what is read is a
 * regular file, or has been put in its place meanwhile, and is not to be given out. A FIFO or a terminal is not read
 * even then, because neither is read from a position.
 */
export function readSmallFiles(
  parent: number,
  names: readonly string[],
  kernelFileSystems: KernelFileSystems | undefined,
  into: Buffer,
  at: number,
  room: number,
): number {
  let used = sizesBytes(names.length);
  for (let file = 0; file < names.length; file++) {
    const size = readSmallFile(parent, names[file] as string, kernelFileSystems, into, at + used, room - used);
    into.writeInt32LE(size, at + file * 4);
    if (size !== NOT_READ) used += size;
  }
  return used;
}

/** Room is needed for a byte more, to see where the file ends. */
function readSmallFile(
  parent: number,
  name: string,
  kernelFileSystems: KernelFileSystems | undefined,
  into: Buffer,
  at: number,
  room: number,
): number {
  let descriptor: number;
  try {
    descriptor = openListed(parent, name);
  } catch {
    return NOT_READ;
  }
  try {
    if (kernelFileSystems === undefined) {
      const most = Math.min(room, MOST_UNSEEN_BYTES);
      const count = readSync(descriptor, into, at, most, 0);
      return count < most ? count : NOT_READ;
    }
    const { kind, size, device } = kindAndSize(descriptor);
    if (kind !== "file" || size >= room || kernelFileSystems.has(descriptor, device)) return NOT_READ;
    return readSync(descriptor, into, at, size + 1, 0) === size ? size : NOT_READ;
  } catch {
    return NOT_READ;
  } finally {
    release(descriptor);
  }
}

/** Bytes read of a file whose size is not known. A file of this size or more counts as not read, and the read was for nothing. */
const MOST_UNSEEN_BYTES = 1 << 16;
