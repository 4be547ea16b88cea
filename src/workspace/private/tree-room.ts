/** Room in a private tree, which may hold so many bytes with the records of its changes. */
import type { WritableDirectory } from "../write/write-directory.ts";

/** Age at which the files are counted anew, in milliseconds: lines in other processes write, too. */
const COUNTED_FOR_MS = 100;
/** Least part of the time that is not spent on counting, as a multiple of the time that it takes. */
const REST = 20;
/** Directories within one another that are counted. */
const MOST_DEPTH = 1000;

export class TreeRoom {
  readonly #mostBytes: number;
  readonly #top: () => WritableDirectory;
  #usedBytes = 0;
  /** As of performance.now(). */
  #countAgainMs = -Infinity;

  /** `top`: opens the tree, to be closed by who asked for it. */
  constructor(mostBytes: number, top: () => WritableDirectory) {
    this.#mostBytes = mostBytes;
    this.#top = top;
  }

  /** Bytes that may still be added. Throws FileError. */
  left(): number {
    const startedMs = performance.now();
    if (startedMs >= this.#countAgainMs) {
      this.#usedBytes = bytesBelow(this.#top(), MOST_DEPTH);
      const endedMs = performance.now();
      this.#countAgainMs = endedMs + Math.max(COUNTED_FOR_MS, REST * (endedMs - startedMs));
    }
    return this.#mostBytes - this.#usedBytes;
  }

  /** Notes bytes that were added, until the files are counted anew. */
  take(bytes: number): void {
    this.#usedBytes += bytes;
  }
}

/** Bytes in the files below `directory`, which is closed. Symbolic links are not followed. */
function bytesBelow(directory: WritableDirectory, depth: number): number {
  let bytes = 0;
  try {
    for (const name of directory.names()) {
      const status = directory.status(name);
      if (status?.kind === "file") bytes += status.size;
      const below = status?.kind === "directory" && depth > 0 ? directory.directory(name) : undefined;
      if (below !== undefined) bytes += bytesBelow(below, depth - 1);
    }
  } finally {
    directory.close();
  }
  return bytes;
}
