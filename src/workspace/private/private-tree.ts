/**
 * A tree of our own in the place of a root: a copy of one, or files that a program gives. It is in a directory that nobody else may enter,
 * in memory where the host has such a place, and goes with the process (scratch-base.ts).
 */
import { FileError } from "../file-error.ts";
import type { FileStatus } from "../file-status.ts";
import type { ScratchBase } from "../mount/scratch-base.ts";
import type { WritableDirectory } from "../write/write-directory.ts";
import type { WritableFile } from "../write/write-file.ts";
import type { CopiedEntry, CopiedTree } from "./tree-copy.ts";
import { entriesBelow, treeChanges, type TreeChange } from "./tree-changes.ts";
import { atPath } from "./tree-path.ts";
import { blocksOf, type TreeSource } from "./tree-source.ts";

const NAME = "root";
const NEXT = "next";
const OLD = "old";
const OWN_MODE = 0o700;

/** An entry of a tree. */
export interface PrivateEntry {
  readonly status: FileStatus;
  /** Of a file; to be read once. */
  readonly content: Iterable<Uint8Array>;
  /** Of a symbolic link. */
  readonly text?: string | undefined;
}

export class PrivateTree {
  readonly #base: ScratchBase;
  readonly #source: TreeSource;
  #before: CopiedTree = new Map();

  private constructor(base: ScratchBase, source: TreeSource) {
    this.#base = base;
    this.#source = source;
  }

  /** Makes the tree in `base`; both are closed with it, or where this rejects with FileError and TooMuchToCopy. */
  static async in(base: ScratchBase, source: TreeSource): Promise<PrivateTree> {
    const tree = new PrivateTree(base, source);
    try {
      await tree.renew();
      return tree;
    } catch (thrown) {
      tree.close();
      throw thrown;
    }
  }

  /** Host path of the files. */
  get directory(): string {
    return `${this.#base.path}/${NAME}`;
  }

  /** The entry at `path` as it was when the tree was filled. */
  before(path: string): CopiedEntry | undefined {
    return this.#before.get(path);
  }

  /** Fills the tree anew, with what its source has now; what was changed in it is gone. Rejects with FileError and TooMuchToCopy. */
  async renew(): Promise<void> {
    const base = this.#base.directory();
    try {
      this.#base.remove(NEXT);
      base.makeDirectory(NEXT, OWN_MODE);
      const next = base.directory(NEXT) as WritableDirectory;
      try {
        this.#before = await this.#source.fill(next);
      } finally {
        next.close();
      }
      base.changePermissions(NEXT, this.#source.permissions);
      // Whoever holds the old one finds another directory at its path, and goes on to that (Root.follow).
      if (base.status(NAME) !== undefined) base.rename(NAME, OLD);
      base.rename(NEXT, NAME);
      this.#base.remove(OLD);
    } finally {
      base.close();
    }
  }

  /** The names that are not as they were. */
  async changes(): Promise<readonly TreeChange[]> {
    return this.#within((top) =>
      treeChanges(top, this.#before, (path, directory, name) => {
        const entry = this.#before.get(path);
        const now = directory.open(name);
        if (entry === undefined || now === undefined) return false;
        try {
          const original = this.#source.original(path, entry);
          return original !== undefined && hasBytes(now, original);
        } finally {
          now.close();
        }
      }),
    );
  }

  /** The content of every file, by path. */
  async files(): Promise<Map<string, Buffer>> {
    return this.#within(async (top) => {
      const found = new Map<string, Buffer>();
      for await (const { path, directory, name, status } of entriesBelow(top)) {
        if (status.kind !== "file") continue;
        const file = directory.open(name);
        if (file === undefined) continue;
        found.set(path, file.bytes(0, file.size));
        file.close();
      }
      return found;
    });
  }

  /** The entry at `path` as it is; undefined where there is none. Throws FileError. */
  now(path: string): PrivateEntry | undefined {
    return atPath(this.#top(), path, (directory, name) => {
      const status = directory.status(name);
      if (status?.kind === "symlink") return { status, content: [], text: directory.linkTarget(name) };
      return status && { status, content: this.#content(path) };
    });
  }

  /** Opened when the first block is asked for. */
  *#content(path: string): Generator<Uint8Array, void> {
    const file = atPath(this.#top(), path, (directory, name) => directory.open(name));
    if (file !== undefined) yield* blocksOf(file);
  }

  close(): void {
    this.#source.close();
    this.#base.close();
  }

  #top(): WritableDirectory {
    const base = this.#base.directory();
    try {
      const top = base.directory(NAME);
      if (top === undefined) throw new FileError("ROOT_GONE", ".");
      return top;
    } finally {
      base.close();
    }
  }

  async #within<T>(use: (top: WritableDirectory) => Promise<T>): Promise<T> {
    const top = this.#top();
    try {
      return await use(top);
    } finally {
      top.close();
    }
  }
}

function hasBytes(file: WritableFile, blocks: Iterable<Uint8Array>): boolean {
  let at = 0;
  for (const block of blocks) {
    if (!file.bytes(at, at + block.length).equals(block)) return false;
    at += block.length;
  }
  return at === file.size;
}
