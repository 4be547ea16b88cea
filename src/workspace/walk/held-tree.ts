/** A directory tree that paths lead into: the root of the workspace (root.ts), or a mount (mount/mount.ts). */
import type { LookAhead } from "../ahead/look-ahead.ts";

export interface HeldTree {
  /** A handle to its directory; every walk starts from it. Throws FileError where a mount's directory cannot be made. */
  readonly handle: number;
  readonly lookAhead: LookAhead;
  /** Rules for files that may not be read. */
  readonly denyRead: readonly string[];
  /** A name at its top that listings pass over. */
  readonly hiddenName: string | undefined;
  /** The components of an absolute path below it; undefined where the path is not in it. */
  componentsOf(absolute: string): readonly string[] | undefined;
  /** Throws FileError EACCES where the policy does not let the file or directory `canonical` be opened. */
  checkReadable(canonical: string, typed: string, asStore?: boolean): void;
  /** Tells whether a handle on `device` holds one of the kernel's pseudo files. */
  isKernelFile(handle: number, device: bigint): boolean;
  /** Tells whether one of the kernel's file systems may be somewhere in it. */
  mayHoldKernelFiles(): boolean;
}
