/** Reads small files of one directory, one after another, into memory that is already allocated. */
import { readSync } from "node:fs";
import { kindAndSize, kindAndStamp, openListed, release } from "../walk/descriptor.ts";
import { STAMP_BYTES, writeNoStamp, writeStamp } from "./call-reads.ts";
import type { KernelFileSystems } from "./kernel-file-systems.ts";

/** Instead of the size of a file that was not read: it is no regular file, does not fit, or something failed. */
export const NOT_READ = -1;

/** Extent of the look at what was opened: none; its kind and size; these, and its stamp, which is put behind the sizes. */
export type Look = "none" | "kind" | "stamp";

const SIZE_BYTES = 4;

/** Bytes with which `readSmallFiles` begins its output: the size of each file, then their stamps. */
export const headBytes = (files: number, look: Look): number => files * (look === "stamp" ? SIZE_BYTES + STAMP_BYTES : SIZE_BYTES);

/**
 * Reads files that their directory has listed as regular, whole or not at all, into `into` from `at` on, where there
 * is room for `room` bytes. Returns how many bytes are used: the sizes, the stamps, then one content after another.
 *
 * With the look "none" nobody looks at what was opened, which takes as long as opening it: what is read is a
 * regular file, or has been put in its place meanwhile, and is not to be given out. A FIFO or a terminal is not read
 * even then, because neither is read from a position.
 */
export function readSmallFiles(
  parent: number,
  names: readonly string[],
  look: Look,
  kernelFileSystems: KernelFileSystems,
  into: Buffer,
  at: number,
  room: number,
): number {
  let used = headBytes(names.length, look);
  const stamps = at + names.length * SIZE_BYTES;
  for (let file = 0; file < names.length; file++) {
    const stampTo = stamps + file * STAMP_BYTES;
    const size = readSmallFile(parent, names[file] as string, look, kernelFileSystems, into, at + used, room - used, stampTo);
    into.writeInt32LE(size, at + file * 4);
    if (size !== NOT_READ) used += size;
    else if (look === "stamp") writeNoStamp(into, stampTo);
  }
  return used;
}

/** Room is needed for a byte more, to see where the file ends. */
function readSmallFile(
  parent: number,
  name: string,
  look: Look,
  kernelFileSystems: KernelFileSystems,
  into: Buffer,
  at: number,
  room: number,
  stampTo: number,
): number {
  let descriptor: number;
  try {
    descriptor = openListed(parent, name);
  } catch {
    return NOT_READ;
  }
  try {
    if (look === "none") {
      const most = Math.min(room, MOST_UNSEEN_BYTES);
      const count = readSync(descriptor, into, at, most, 0);
      return count < most ? count : NOT_READ;
    }
    const stamped = look === "stamp" ? kindAndStamp(descriptor) : undefined;
    const { kind, size, device } = stamped ?? kindAndSize(descriptor);
    if (kind !== "file" || size >= room || kernelFileSystems.has(descriptor, device)) return NOT_READ;
    if (stamped !== undefined) writeStamp(into, stampTo, stamped.stamp);
    return readSync(descriptor, into, at, size + 1, 0) === size ? size : NOT_READ;
  } catch {
    return NOT_READ;
  } finally {
    release(descriptor);
  }
}

/** Where the stamps are in an output that begins at `at`. */
export const stampsIn = (output: Buffer, at: number, files: number): Buffer =>
  output.subarray(at + files * SIZE_BYTES, at + headBytes(files, "stamp"));

/** Bytes read of a file whose size is not known. A file of this size or more counts as not read, and the read was for nothing. */
const MOST_UNSEEN_BYTES = 1 << 16;
