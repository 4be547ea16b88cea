/** Trees of directories that the index knows: its extension TREE (gitformat-index(5)). */
/** A directory of the index whose tree is known. */
export interface KnownTree {
  readonly id: string;
  /** Number of entries, those of directories below included. */
  readonly count: number;
}

/** The extension TREE among those from `from` on; what does not follow its form is left out, as it only saves work. */
export function knownTrees(bytes: Buffer, idBytes: number, from: number, end: number): ReadonlyMap<string, KnownTree> {
  const trees = new Map<string, KnownTree>();
  for (let at = from; at + 8 <= end; ) {
    const size = bytes.readUInt32BE(at + 4);
    if (bytes.toString("latin1", at, at + 4) === "TREE") {
      readTrees(bytes.subarray(at + 8, Math.min(end, at + 8 + size)), idBytes, trees);
      break;
    }
    at += 8 + size;
  }
  return trees;
}

/** Directories in order, each before those below it: name NUL count space directories newline, and its id where count is not -1. */
function readTrees(bytes: Buffer, idBytes: number, trees: Map<string, KnownTree>): void {
  const open: { readonly path: string; left: number }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const zero = bytes.indexOf(0, at);
    const newline = bytes.indexOf(10, zero);
    if (zero < 0 || newline < 0 || newline - zero > 24) return;
    const [, count, below] = /^(-?[0-9]+) ([0-9]+)$/.exec(bytes.toString("latin1", zero + 1, newline)) ?? [];
    if (count === undefined || below === undefined) return;
    while (open.at(-1)?.left === 0) open.pop();
    const above = open.at(-1);
    if ((above === undefined) !== (at === 0)) return;
    const path = above === undefined ? "" : `${above.path}${bytes.toString("latin1", at, zero)}/`;
    if (path.length > 4096) return;
    if (above !== undefined) above.left--;
    at = newline + 1;
    if (!count.startsWith("-")) {
      if (at + idBytes > bytes.length) return;
      trees.set(path, { id: bytes.toString("hex", at, at + idBytes), count: Number(count) });
      at += idBytes;
    }
    open.push({ path, left: Number(below) });
  }
}
