/**
 * The root held open for a process that inherits it: an executor may open no host path, so it is given the directory
 * as a descriptor.
 */
import { dirname } from "node:path";
import { holdHostDirectory, hostDirectoryStatus, pathOfHandle, release, statusOfHandle } from "./descriptor.ts";
import { fileErrorFrom } from "./file-error.ts";
import type { FileStatus } from "./file-status.ts";

export class RootHold {
  readonly descriptor: number;
  readonly aboveRoot: FileStatus;
  readonly #path: string;

  /** Throws FileError ENOENT, ENOTDIR or EACCES. */
  constructor(path: string) {
    this.#path = path;
    try {
      this.descriptor = holdHostDirectory(path, { follow: true });
      this.aboveRoot = hostDirectoryStatus(dirname(pathOfHandle(this.descriptor)));
    } catch (thrown) {
      throw fileErrorFrom(thrown, path);
    }
  }

  /** Whether the path still leads to the directory that is held: false once that was removed or replaced. */
  isCurrent(): boolean {
    try {
      const now = holdHostDirectory(this.#path, { follow: true });
      try {
        const [there, held] = [statusOfHandle(now), statusOfHandle(this.descriptor)];
        return there.inode === held.inode && there.device === held.device;
      } finally {
        release(now);
      }
    } catch {
      return false;
    }
  }

  release(): void {
    release(this.descriptor);
  }
}
