/** The index, versions 2 to 4 (gitformat-index(5)). */
import { GitError } from "./git-error.ts";
import type { Repository } from "./repository.ts";

/** One file of the index; what is asked of few entries is read out of the bytes when it is. */
export class IndexEntry {
  readonly name: string;
  readonly #bytes: Buffer;
  readonly #at: number;
  readonly #flags: number;
  readonly #moreFlags: number;

  /** `at`: where the entry begins. */
  constructor(name: string, bytes: Buffer, at: number, moreFlags: number) {
    this.name = name;
    this.#bytes = bytes;
    this.#at = at;
    this.#flags = ((bytes[at + 60] as number) << 8) | (bytes[at + 61] as number);
    this.#moreFlags = moreFlags;
  }

  get mode(): number {
    return this.#word(24);
  }

  get id(): string {
    return this.#bytes.toString("hex", this.#at + 40, this.#at + 60);
  }

  /** 0, or 1–3 of a conflict. */
  get stage(): number {
    return (this.#flags >> 12) & 3;
  }

  get size(): number {
    return this.#word(36);
  }

  get modifiedSeconds(): number {
    return this.#word(8);
  }

  get modifiedNanoseconds(): number {
    return this.#word(12);
  }

  get assumedUnchanged(): boolean {
    return (this.#flags & 0x8000) !== 0;
  }

  get intentToAdd(): boolean {
    return (this.#moreFlags & 0x2000) !== 0;
  }

  get skipsWorktree(): boolean {
    return (this.#moreFlags & 0x4000) !== 0;
  }

  #word(from: number): number {
    const bytes = this.#bytes;
    const at = this.#at + from;
    const high = ((bytes[at] as number) << 24) | ((bytes[at + 1] as number) << 16);
    return (high | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)) >>> 0;
  }
}

/** A directory of the index whose tree is known. */
export interface KnownTree {
  readonly id: string;
  /** How many entries it has, those of directories below included. */
  readonly count: number;
}

export interface IndexFile {
  readonly entries: readonly IndexEntry[];
  /** When the index was written, in nanoseconds: a file as new as that is compared by its content. */
  readonly writtenNs: bigint;
  /** By path with a slash at the end; "" is the whole. */
  readonly trees: ReadonlyMap<string, KnownTree>;
}

/** Throws GitError where it is malformed. An index that is not there is empty. It is read once. */
export const readIndex = (repository: Repository): IndexFile => repository.index(() => parsedIndex(repository));

/** The entry of a file that is not in conflict. */
export function entryOf({ entries }: IndexFile, path: string): IndexEntry | undefined {
  let low = 0;
  for (let high = entries.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as IndexEntry).name < path) low = middle + 1;
    else high = middle;
  }
  const found = entries[low];
  return found?.name === path && found.stage === 0 ? found : undefined;
}

function parsedIndex(repository: Repository): IndexFile {
  const path = `${repository.gitDirectory}/index`;
  const bytes = repository.disk.read(path);
  if (bytes === undefined) return { entries: [], writtenNs: 0n, trees: new Map() };
  const writtenNs = repository.disk.status(path, true)?.modifiedNs ?? 0n;
  if (bytes.length < 32) throw new GitError(".git/index: index file smaller than expected");
  if (bytes.toString("latin1", 0, 4) !== "DIRC")
    throw new GitError("index file corrupt", {
      prefix: `error: bad signature 0x${bytes.readUInt32BE(0).toString(16).padStart(8, "0")}\nfatal: `,
    });
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) throw new GitError("index file corrupt", { prefix: `error: bad index version ${version}\nfatal: ` });
  const count = bytes.readUInt32BE(8);
  const end = bytes.length - 20;
  const entries: IndexEntry[] = [];
  // Names are parts of it, which cost nothing to make.
  const text = version === 4 ? "" : bytes.toString("latin1", 0, end);
  let at = 12;
  let previous = "";
  const corrupt = (): GitError => new GitError("index file corrupt");
  for (let number = 0; number < count; number++) {
    if (at + 62 > end) throw corrupt();
    const start = at;
    const flags = ((bytes[at + 60] as number) << 8) | (bytes[at + 61] as number);
    let more = 0;
    at += 62;
    if ((flags & 0x4000) !== 0) {
      more = bytes.readUInt16BE(at);
      at += 2;
    }
    let name: string;
    if (version === 4) {
      let strip = 0;
      for (let byte = bytes[at++] as number; ; byte = bytes[at++] as number) {
        strip += byte & 0x7f;
        if ((byte & 0x80) === 0) break;
        strip = (strip + 1) * 128;
        if (at >= end) throw corrupt();
      }
      const zero = bytes.indexOf(0, at);
      if (zero < 0 || zero > end || strip > previous.length) throw corrupt();
      name = previous.slice(0, previous.length - strip) + bytes.toString("latin1", at, zero);
      at = zero + 1;
    } else {
      // The length is among the flags, unless it is too long for them.
      const length = flags & 0xfff;
      const zero = length < 0xfff && bytes[at + length] === 0 ? at + length : bytes.indexOf(0, at);
      if (zero < 0 || zero > end) throw corrupt();
      name = text.slice(at, zero);
      at = start + ((zero - start + 8) & ~7);
    }
    previous = name;
    entries.push(new IndexEntry(name, bytes, start, more));
  }
  return { entries, writtenNs, trees: knownTrees(bytes, at, end) };
}

/** The extension TREE among those from `from` on; what does not follow its form is left out, as it only saves work. */
function knownTrees(bytes: Buffer, from: number, end: number): ReadonlyMap<string, KnownTree> {
  const trees = new Map<string, KnownTree>();
  for (let at = from; at + 8 <= end; ) {
    const size = bytes.readUInt32BE(at + 4);
    if (bytes.toString("latin1", at, at + 4) === "TREE") {
      readTrees(bytes.subarray(at + 8, Math.min(end, at + 8 + size)), trees);
      break;
    }
    at += 8 + size;
  }
  return trees;
}

/** Directories in order, each before those below it: name NUL count space directories newline, and its id where count is not -1. */
function readTrees(bytes: Buffer, trees: Map<string, KnownTree>): void {
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
      if (at + 20 > bytes.length) return;
      trees.set(path, { id: bytes.toString("hex", at, at + 20), count: Number(count) });
      at += 20;
    }
    open.push({ path, left: Number(below) });
  }
}
