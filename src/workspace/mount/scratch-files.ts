/** The changes that a builtin may make in the session's scratch: files that nobody else sees and that are not recorded. Its name, and types. */
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
  /** Removes a name that is no directory's. False where it is not there. */
  remove(path: string): boolean;
}

export interface ScratchFile {
  readonly path: string;
  /** Throws FileError ENOSPC where not all of it has room; the part that has is written. */
  write(bytes: Uint8Array): void;
  close(): void;
}
