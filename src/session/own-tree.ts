/** A workspace on a tree of our own: an overlay over a root, or files that a program gives. */
import type { WriteReceipt } from "../builtin/recorder.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import type { Policy } from "../config/policy.ts";
import type { ElsewhereRoot } from "../exec/runner.ts";
import { shortName } from "../display/visible.ts";
import { byteAmount } from "../numbers/byte-amount.ts";
import { toBytes } from "../io/text.ts";
import { FileError } from "../workspace/file-error.ts";
import { removeLeftIn, ScratchBase } from "../workspace/mount/scratch-base.ts";
import { PrivateTree } from "../workspace/private/private-tree.ts";
import type { TreeChange } from "../workspace/private/tree-changes.ts";
import { TooMuchToCopy, type CopyLimits } from "../workspace/private/tree-copy.ts";
import { CopiedRoot, GivenFiles, type TreeSource } from "../workspace/private/tree-source.ts";
import { applyChanges, type ApplyOptions } from "./apply-changes.ts";

/** Options of an overlay. */
export interface OverlayOptions {
  /**
   * Host directory that the copy is made in. Default: one in memory (/dev/shm), or the host's for temporary files. On
   * the root's own file system, where that shares bytes between files (btrfs, XFS), a file takes room when it is changed.
   */
  readonly directory?: string;
  /** Most bytes of the tree with its changes and their records. Default: 512 MiB. */
  readonly mostBytes?: number;
}

/** The name that files of a program have as their root. */
export const MEMORY_ROOT = "/workspace";

const OVERLAY_BYTES = 512 << 20;
const MEMORY_BYTES = 64 << 20;
/** Longest path and name in bytes, as on Linux, and most names in one path: what goes down a tree goes down the stack with it. */
const MOST_PATH_BYTES = 4095;
const MOST_NAME_BYTES = 255;
const MOST_NAMES = 256;
/** Most names in a tree of our own when it is made. */
const MOST_ENTRIES = 100_000;

export class OwnTree {
  readonly #tree: PrivateTree;
  readonly #overlaid: CopiedRoot | undefined;
  readonly #limits: CopyLimits;

  private constructor(tree: PrivateTree, limits: CopyLimits, overlaid: CopiedRoot | undefined) {
    this.#tree = tree;
    this.#limits = limits;
    this.#overlaid = overlaid;
  }

  /**
   * A copy of `root`, a host path. Rejects with FileError where the root cannot be read, and with ConfigurationError where it is too much,
   * or there is no place for it.
   */
  static async over(root: string, { directory, mostBytes = OVERLAY_BYTES }: OverlayOptions): Promise<OwnTree> {
    checkSize(mostBytes, "overlay.mostBytes");
    if (directory !== undefined && !directory.startsWith("/"))
      throw new ConfigurationError(`overlay.directory: '${directory}' is no absolute path`);
    const limits = { mostBytes, mostEntries: MOST_ENTRIES };
    const source = new CopiedRoot(root, limits);
    if (directory !== undefined) removeLeftIn(directory);
    const outside = [source.canonical];
    const base = directory === undefined ? ScratchBase.inMemory(outside) : ScratchBase.outside(outside, directory);
    if (base === undefined) {
      source.close();
      const where = directory === undefined ? "the host's directory for temporary files" : `'${directory}'`;
      throw new ConfigurationError(
        `an overlay over ${root} would lie in that itself, or nowhere, in ${where}; give overlay.directory another`,
      );
    }
    return new OwnTree(await treeIn(base, source, `an overlay over ${root}`, limits), limits, source);
  }

  /** A tree of the files of a program. Rejects with FileError for a path that cannot be, and with ConfigurationError for too much. */
  static async of(files: Readonly<Record<string, string | Uint8Array>>, mostBytes = MEMORY_BYTES): Promise<OwnTree> {
    checkSize(mostBytes, "mostBytes");
    const limits = { mostBytes, mostEntries: MOST_ENTRIES };
    for (const path of Object.keys(files)) checkLength(path);
    const given = new Map(Object.entries(files).map(([path, content]) => [path, bytesOf(path, content)]));
    const base = ScratchBase.inMemory([]);
    if (base === undefined) throw new ConfigurationError("the host has no directory for temporary files");
    return new OwnTree(await treeIn(base, new GivenFiles(given, limits), "a workspace in memory", limits), limits, undefined);
  }

  /** For the runner of its lines. */
  get elsewhere(): ElsewhereRoot {
    return { directory: this.#tree.directory, copyOf: this.#overlaid?.canonical, mostBytes: this.#limits.mostBytes };
  }

  changes(): Promise<readonly TreeChange[]> {
    return this.#tree.changes();
  }

  files(): Promise<Map<string, Buffer>> {
    return this.#tree.files();
  }

  /** Rejects with FileError where a change cannot be made: nothing has changed then. */
  async apply(options: Omit<ApplyOptions, "root">): Promise<readonly WriteReceipt[]> {
    if (this.#overlaid === undefined)
      throw new ConfigurationError("a workspace in memory has no root that changes could go to: take files()");
    const receipts = await applyChanges(this.#tree, { ...options, root: this.#overlaid.canonical });
    if (receipts.length > 0) await this.#tree.renew();
    return receipts;
  }

  discard(): Promise<void> {
    return this.#tree.renew();
  }

  close(): void {
    this.#tree.close();
  }
}

async function treeIn(base: ScratchBase, source: TreeSource, what: string, { mostBytes, mostEntries }: CopyLimits): Promise<PrivateTree> {
  try {
    return await PrivateTree.in(base, source);
  } catch (thrown) {
    if (thrown instanceof TooMuchToCopy)
      throw new ConfigurationError(
        `${what} would hold more than ${byteAmount(mostBytes)} or ${mostEntries} names, and all of it is copied; allow it more with mostBytes, or open a smaller root`,
      );
    if (thrown instanceof FileError && thrown.code === "ENOSPC")
      throw new ConfigurationError(`${what}: no room for it where it would be; give it another directory`);
    throw thrown;
  }
}

function checkSize(bytes: number, where: string): void {
  if (!Number.isSafeInteger(bytes) || bytes < 1)
    throw new ConfigurationError(`${where}: ${String(bytes)} is not a whole number of bytes of at least 1`);
}

function checkLength(path: string): void {
  const names = path.split("/");
  const lack =
    toBytes(path).length > MOST_PATH_BYTES
      ? `a path has at most ${MOST_PATH_BYTES} bytes`
      : names.length > MOST_NAMES
        ? `a path has at most ${MOST_NAMES} names`
        : names.some((name) => toBytes(name).length > MOST_NAME_BYTES)
          ? `a name has at most ${MOST_NAME_BYTES} bytes`
          : undefined;
  if (lack !== undefined) throw new ConfigurationError(`files: '${shortName(path, 60)}': ${lack}`);
}

function bytesOf(path: string, content: unknown): Uint8Array {
  if (typeof content === "string") return toBytes(content);
  if (content instanceof Uint8Array) return content;
  throw new ConfigurationError(`files: '${path}' is neither text nor bytes`);
}

/** Refuses mounts that a line could write to: what it did there would not be in the tree. */
export function checkMountsBeside({ mounts }: Policy): void {
  const written = mounts.find(({ access }) => access === "write");
  if (written !== undefined)
    throw new ConfigurationError(
      `the mount ${written.name}: what is written there would be in no overlay and in no memory; mount it for reading`,
    );
}
