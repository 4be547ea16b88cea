/** The orders in which the entries of one directory are visited. */
import { isAbsolutePath } from "../glob/absolute-path.ts";
import { toBytes } from "../io/text.ts";
import type { OpenDirectory } from "../workspace/contract.ts";
import type { DirectoryEntry } from "../workspace/file-status.ts";

/** fts reads this many entries at a time, and sorts them by inode where there are more than the other. */
const ENTRIES_AT_A_TIME = 100_000;
const SORTED_PAST = 10_000;

/**
 * All entries of `directory` as GNU fts(3) visits them: in the kernel's own order, and past 10,000 entries by inode number,
 * so that the disk head need not jump (except on tmpfs and network file systems, which cannot be told from here). Throws
 * FileError.
 */
export function entriesInOrder(directory: OpenDirectory): readonly DirectoryEntry[] {
  const entries = directory.list("kernel");
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

/** All entries of `directory` from the kernel's last to its first. Throws FileError. */
export function entriesLastFirst(directory: OpenDirectory): readonly DirectoryEntry[] {
  return directory.list("kernel").reverse();
}

/** All entries of `directory` by name, in byte order. Throws FileError. */
export function entriesByName(directory: OpenDirectory): readonly DirectoryEntry[] {
  return directory.list("name");
}

/** Byte order: code units sort as UTF-8 does, but for surrogates and what stands above them. */
export function compareNames(a: string, b: string): number {
  if (BEYOND.test(a) || BEYOND.test(b)) return Buffer.compare(toBytes(a), toBytes(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

const BEYOND = /[\ud800-\uffff]/;

/** Paths component by component, as Rust's Path orders them: a directory stands in front of what is in it. */
export function comparePaths(a: string, b: string): number {
  const [left, right] = [componentsOf(a), componentsOf(b)];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const [one, other] = [left[at] as string, right[at] as string];
    const order = rankOf(one) - rankOf(other) || compareNames(one, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function componentsOf(path: string): readonly string[] {
  const names = path.split("/").filter((name, at) => name !== "" && (name !== "." || at === 0));
  return isAbsolutePath(path) ? ["/", ...names] : names;
}

const rankOf = (name: string): number => (name === "/" ? 0 : name === "." ? 1 : name === ".." ? 2 : 3);
