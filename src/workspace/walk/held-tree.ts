/** A directory tree that paths lead into: the root of the workspace (root.ts), or a mount (mount/). */
import type { LookAhead } from "../ahead/look-ahead.ts";
import type { ListedNames } from "./listed-names.ts";

export interface HeldTree {
  /** A handle to its directory; every walk starts from it. Throws FileError where a mount's directory cannot be made. */
  readonly handle: number;
  /** Names by which its directories list what is in them; undefined where each is as it was asked for. */
  readonly names: ListedNames | undefined;
  readonly lookAhead: LookAhead;
  /** True if some of its files may not be read. */
  readonly deniesReading: boolean;
  /** A name at its top that listings pass over. */
  readonly hiddenName: string | undefined;
  /** Tells whether what the handle holds had been removed and is there again: then the failed operation is worth another try. */
  foundAgain(typed: string): boolean;
  /** The path of `canonical`, which is relative to its directory, as a view names it: absolute in a mount. */
  named(canonical: string): string;
  /** `canonical`, each name as its directory has it: another spelling may lead there too. Throws FileError. */
  spelled(canonical: string): string;
  /** The components of an absolute path below it; undefined where the path is not in it. */
  componentsOf(absolute: string): readonly string[] | undefined;
  /** Throws FileError EACCES where the policy does not let the file or directory `canonical` be opened. */
  checkReadable(canonical: string, typed: string, asStore?: boolean): void;
  /** Tells whether a handle on `device` holds one of the kernel's pseudo files. */
  isKernelFile(handle: number, device: bigint): boolean;
  /** Tells whether one of the kernel's file systems may be somewhere in it. */
  mayHoldKernelFiles(): boolean;
}
