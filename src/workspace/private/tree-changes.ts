/** Differences between a private tree and what it was made of. */
import type { FileStatus } from "../file-status.ts";
import { isSameStamp, stampOf } from "../read/call-reads.ts";
import { RECORD_DIRECTORY } from "../write/mirror-path.ts";
import type { WritableDirectory } from "../write/write-directory.ts";
import type { CopiedEntry, CopiedTree, EntryKind } from "./tree-copy.ts";

/** A name that is not as it was. */
export interface TreeChange {
  /** Relative to the root. */
  readonly path: string;
  /** "attributes": permission bits or time of modification alone. What is another kind of entry now is "changed". */
  readonly change: "created" | "changed" | "attributes" | "removed";
  /** Of the name now; of one that was removed, as it was. */
  readonly kind: EntryKind;
}

/** Names looked at before others get a turn. */
const NAMES_A_TURN = 256;

/**
 * The names in `tree` that are not as in `before`, in the order of their paths. `hasOriginalBytes` compares a file of the same length with
 * its original, byte by byte.
 */
export async function treeChanges(
  tree: WritableDirectory,
  before: CopiedTree,
  hasOriginalBytes: (path: string, directory: WritableDirectory, name: string) => boolean,
): Promise<readonly TreeChange[]> {
  const changes: TreeChange[] = [];
  const seen = new Set<string>();
  for await (const { path, directory, name, status } of entriesBelow(tree)) {
    const { kind } = status;
    if (kind !== "file" && kind !== "directory" && kind !== "symlink") continue;
    seen.add(path);
    const was = before.get(path);
    if (was === undefined) changes.push({ path, change: "created", kind });
    else if (was.kind !== kind) changes.push({ path, change: "changed", kind });
    else {
      const change =
        kind === "symlink"
          ? directory.linkTarget(name) === was.text
            ? undefined
            : "changed"
          : changeOf(was, status, () => was.copy.size === status.size && hasOriginalBytes(path, directory, name));
      if (change !== undefined) changes.push({ path, change, kind });
    }
  }
  for (const [path, { kind }] of before) if (!seen.has(path)) changes.push({ path, change: "removed", kind });
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function changeOf(was: CopiedEntry, now: FileStatus, hasBytes: () => boolean): "changed" | "attributes" | undefined {
  const hasMode = was.permissions === now.permissions;
  // Names made and removed in a directory change its times.
  if (was.kind === "directory") return hasMode ? undefined : "attributes";
  const stamp = stampOf(now);
  if (hasMode && isSameStamp(was.copy, stamp)) return undefined;
  if (!hasBytes()) return "changed";
  return hasMode && Math.abs(was.copy.modifiedMs - stamp.modifiedMs) <= SETTABLE_MS ? undefined : "attributes";
}

/** Times that we set are good to the microsecond, and a stamp to a quarter of one, in milliseconds: what `undo` gives back is as it was. */
const SETTABLE_MS = 0.0015;

/** A name of a tree, in its directory, which is open until the next is asked for. */
export interface TreeEntry {
  readonly path: string;
  readonly directory: WritableDirectory;
  readonly name: string;
  readonly status: FileStatus;
}

/** Everything below `top` but the records, each directory before what is in it. Symbolic links are not followed. */
export async function* entriesBelow(top: WritableDirectory, above = ""): AsyncGenerator<TreeEntry, void> {
  let names = 0;
  for (const name of top.names()) {
    if (above === "" && name === RECORD_DIRECTORY) continue;
    if (++names % NAMES_A_TURN === 0) await new Promise(setImmediate);
    const status = top.status(name);
    if (status === undefined) continue;
    const path = above + name;
    yield { path, directory: top, name, status };
    const below = status.kind === "directory" ? top.directory(name) : undefined;
    if (below === undefined) continue;
    try {
      yield* entriesBelow(below, `${path}/`);
    } finally {
      below.close();
    }
  }
}
