/**
 * The root held open for a process that inherits it: an executor may open no host path, so it is given the directory as a
 * descriptor. The path given at the start is followed once; from then on the root is at that directory's canonical path.
 */
import { holdCanonicalDirectory, holdHostDirectory, hostDirectoryStatus, isSameDirectory, pathOfHandle, release } from "./descriptor.ts";
import { fileErrorFrom } from "../system-error.ts";
import { aboveOf } from "./host-path.ts";
import type { FileStatus } from "../file-status.ts";

export class RootHold {
  readonly descriptor: number;
  readonly aboveRoot: FileStatus;
  /** Free of symbolic links. */
  readonly canonical: string;

  private constructor(descriptor: number) {
    this.descriptor = descriptor;
    this.canonical = pathOfHandle(descriptor);
    this.aboveRoot = hostDirectoryStatus(aboveOf(this.canonical));
  }

  /** Opens the host directory `path`, which may be a symbolic link. Throws FileError ENOENT, ENOTDIR or EACCES. */
  static open(path: string): RootHold {
    try {
      return new RootHold(holdHostDirectory(path, { follow: true }));
    } catch (thrown) {
      throw fileErrorFrom(thrown, path);
    }
  }

  /**
   * The root as it is now: this one, or another where the directory was removed or moved away and a new one was made at its
   * canonical path. undefined if nothing is there, or only a symbolic link: nobody widens the authority by putting one
   * there.
   */
  current(): RootHold | undefined {
    try {
      const now = holdCanonicalDirectory(this.canonical);
      if (!isSameDirectory(now, this.descriptor)) return new RootHold(now);
      release(now);
      return this;
    } catch {
      return undefined;
    }
  }

  release(): void {
    release(this.descriptor);
  }
}
