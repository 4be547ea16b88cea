/**
 * The files below a directory in the order GNU fts(3) gives them: the kernel's own directory order, each directory
 * entered where it stands. Descriptor-relative: what is named is reached from the directory that holds it.
 */
import { FileError } from "../workspace/file-error.ts";
import type { Files, OpenDirectory } from "../workspace/contract.ts";
import type { DirectoryEntry, FileKind } from "../workspace/file-status.ts";

export interface WalkOptions {
  /** Follow symbolic links below the starting point. The starting point itself is always followed. */
  readonly followLinks: boolean;
  /** Whether a directory below the starting point is entered. */
  readonly enters: (name: string, path: string) => boolean;
}

export type WalkStep =
  /** Anything but a directory. `kind` is that of the target where links are followed. */
  | { readonly what: "file"; readonly path: string; readonly name: string; readonly kind: FileKind; readonly directory: OpenDirectory }
  /** A directory that one of its own ancestors is. */
  | { readonly what: "loop"; readonly path: string }
  | { readonly what: "error"; readonly path: string; readonly error: FileError };

/** Walks the directory `path`; steps show `shown` where they name it. Throws FileError where it cannot be opened. */
export function* walkTree(files: Files, path: string, shown: string, options: WalkOptions): Generator<WalkStep, void> {
  const top = files.openDirectory(path);
  yield* walkDirectory(top, shown, options, []);
}

interface Ancestor {
  readonly device: bigint;
  readonly inode: bigint;
}

function* walkDirectory(
  directory: OpenDirectory,
  path: string,
  options: WalkOptions,
  above: readonly Ancestor[],
): Generator<WalkStep, void> {
  try {
    const ancestors = options.followLinks ? [...above, directory.status] : above;
    let entries: readonly DirectoryEntry[];
    try {
      entries = inTraversalOrder(directory);
    } catch (thrown) {
      if (!(thrown instanceof FileError)) throw thrown;
      yield { what: "error", path, error: thrown };
      return;
    }
    const prefix = path === "" || path.endsWith("/") ? path : `${path}/`;
    for (const entry of entries) yield* walkEntry(directory, entry, `${prefix}${entry.name}`, options, ancestors);
  } finally {
    directory.close();
  }
}

function* walkEntry(
  directory: OpenDirectory,
  entry: DirectoryEntry,
  path: string,
  options: WalkOptions,
  ancestors: readonly Ancestor[],
): Generator<WalkStep, void> {
  const { name } = entry;
  let below: OpenDirectory;
  try {
    let kind = entry.kind ?? directory.statusOf(name).kind;
    const isLink = kind === "symlink";
    if (isLink && options.followLinks) kind = directory.statusOf(name, { follow: true }).kind;
    if (kind !== "directory") {
      yield { what: "file", path, name, kind, directory };
      return;
    }
    if (!options.enters(name, path)) return;
    below = directory.openDirectory(name, { follow: isLink });
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    yield { what: "error", path, error: thrown };
    return;
  }
  if (options.followLinks) {
    const { device, inode } = below.status;
    if (ancestors.some((ancestor) => ancestor.inode === inode && ancestor.device === device)) {
      below.close();
      yield { what: "loop", path };
      return;
    }
  }
  yield* walkDirectory(below, path, options, ancestors);
}

/** fts reads this many entries at a time, and sorts them by inode where there are more than the other. */
const ENTRIES_AT_A_TIME = 100_000;
const SORTED_PAST = 10_000;

/**
 * Entries as fts visits them. In a very large directory it goes by inode number, so that the disk head need not jump
 * (except on tmpfs and network file systems, which cannot be told from here).
 */
function inTraversalOrder(directory: OpenDirectory): readonly DirectoryEntry[] {
  const entries = [...directory.entries()];
  if (entries.length <= SORTED_PAST) return entries;
  const ordered: DirectoryEntry[] = [];
  for (let from = 0; from < entries.length; from += ENTRIES_AT_A_TIME) {
    const batch = entries.slice(from, from + ENTRIES_AT_A_TIME);
    if (batch.length > SORTED_PAST) {
      const inodes = new Map(batch.map((entry) => [entry, directory.statusOf(entry.name).inode]));
      batch.sort((a, b) => Number((inodes.get(a) as bigint) - (inodes.get(b) as bigint)));
    }
    ordered.push(...batch);
  }
  return ordered;
}
