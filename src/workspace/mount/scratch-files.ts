/** The changes that a builtin may make in the session's scratch: files that nobody else sees and that are not recorded. Its name, and types. */
import type { FileStatus } from "../file-status.ts";

export const SCRATCH_PREFIX = "/tmp";

export interface ScratchFiles {
  /** Its absolute name: "/tmp". */
  readonly prefix: string;
  /** Tells whether `path` leads there, by its text. */
  holds(path: string): boolean;
  /** Throws FileError where `path` could not be opened. Changes nothing. */
  check(path: string): void;
  /** Opens a regular file for writing, which is made where it is missing. Throws FileError: ENOSPC where there is no room. */
  open(path: string, mode: "overwrite" | "append"): ScratchFile;
  /** Makes an empty file (`permissions` less the umask). False where something of that name is there. */
  create(path: string, permissions: number): boolean;
  makeDirectory(path: string, permissions: number): boolean;
  /** What `path` names, a symbolic link not followed; undefined where there is nothing. Throws FileError. */
  entry(path: string): { readonly canonical: string; readonly kind: FileStatus["kind"] } | undefined;
  /** The names in the directory `path`, in any order. */
  names(path: string): readonly string[];
  /** Removes a name that is no directory's. False where it is not there. */
  remove(path: string): boolean;
  /** Removes an empty directory. */
  removeDirectory(path: string): void;
  /** Sets the permission bits and times of a file or a directory; what is left out stays. */
  setAttributes(path: string, attributes: ScratchAttributes): void;
}

export interface ScratchAttributes {
  readonly mode?: number;
  readonly modifiedNs?: bigint | "now";
  readonly accessedNs?: bigint | "now";
}

export interface ScratchFile {
  readonly path: string;
  /** Throws FileError ENOSPC where not all of it has room; the part that has is written. */
  write(bytes: Uint8Array): void;
  close(): void;
}
