/** Reader of a git tree object (the names, modes and ids in one directory), entry by entry: two trees that are compared are mostly equal, and equal entries are passed over as bytes. */
import { GitError } from "../git-error.ts";
import type { ObjectFormat } from "./object-format.ts";
import type { TreeEntry } from "./objects.ts";

export class TreeReader {
  readonly bytes: Buffer;
  /** Offset of the next entry. */
  at = 0;
  readonly idBytes: number;
  #entry: TreeEntry | undefined;
  #end = 0;

  constructor(bytes: Buffer, { idBytes }: ObjectFormat) {
    this.bytes = bytes;
    this.idBytes = idBytes;
  }

  /** The next entry; undefined at the end. Throws GitError. */
  get entry(): TreeEntry | undefined {
    if (this.#entry === undefined && this.at < this.bytes.length) this.#read();
    return this.#entry;
  }

  /** Goes past `entry`. */
  advance(): void {
    this.skipTo(this.#end);
  }

  /** `at`: where an entry begins. */
  skipTo(at: number): void {
    this.at = at;
    this.#entry = undefined;
  }

  #read(): void {
    const { bytes, at, idBytes } = this;
    let mode = 0;
    let next = at;
    for (let byte = bytes[next++]; byte !== SPACE; byte = bytes[next++]) {
      if (byte === undefined || next - at > 7) throw new GitError("malformed tree object: too-short tree file");
      if (byte < 48 || byte > 55) throw new GitError("malformed mode in tree entry");
      mode = mode * 8 + byte - 48;
    }
    const end = bytes.indexOf(0, next);
    if (end < 0 || end + idBytes + 1 > bytes.length || next - at < 2) throw new GitError("malformed tree object: too-short tree file");
    this.#end = end + idBytes + 1;
    this.#entry = { mode, name: bytes.toString("latin1", next, end), id: bytes.toString("hex", end + 1, this.#end) };
  }
}

/** The entry of a tree as it is stored; undefined where there is none of that name. Throws GitError. */
export function entryNamed(tree: Buffer, name: string, format: ObjectFormat): TreeEntry | undefined {
  const reader = new TreeReader(tree, format);
  const { idBytes } = reader;
  for (let at = 0; at < tree.length; ) {
    const from = tree.indexOf(SPACE, at) + 1;
    const end = tree.indexOf(0, at);
    if (end - from === name.length && from > at && isAt(tree, from, name)) {
      reader.skipTo(at);
      return reader.entry;
    }
    if (end < 0 || end + idBytes + 1 > tree.length) throw new GitError("malformed tree object: too-short tree file");
    at = end + idBytes + 1;
  }
  return undefined;
}

function isAt(bytes: Buffer, from: number, name: string): boolean {
  for (let unit = 0; unit < name.length; unit++) if (bytes[from + unit] !== name.charCodeAt(unit)) return false;
  return true;
}

const SPACE = 32;

/** Moves both past the entries that come next in both and are the same, byte for byte. */
export function skipSame(one: TreeReader, other: TreeReader): void {
  const a = one.bytes;
  const b = other.bytes;
  const { idBytes } = one;
  let i = one.at;
  let j = other.at;
  const from = i;
  while (i < a.length && j < b.length) {
    let step = 0;
    while (a[i + step] === b[j + step] && a[i + step] !== 0 && i + step < a.length) step++;
    if (a[i + step] !== 0 || b[j + step] !== 0) break;
    const end = i + step + idBytes + 1;
    if (end > a.length || end - i + j > b.length) break;
    let same = step + 1;
    while (same < step + idBytes + 1 && a[i + same] === b[j + same]) same++;
    if (same < step + idBytes + 1) break;
    i += same;
    j += same;
  }
  if (i === from) return;
  one.skipTo(i);
  other.skipTo(j);
}
