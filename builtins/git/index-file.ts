/** The index, versions 2 to 4 (gitformat-index(5)). */
import { GitError } from "./git-error.ts";
import type { Repository } from "./repository.ts";

export interface IndexEntry {
  readonly name: string;
  readonly mode: number;
  readonly id: string;
  /** 0, or 1–3 of a conflict. */
  readonly stage: number;
  readonly size: number;
  readonly modifiedSeconds: number;
  readonly modifiedNanoseconds: number;
  readonly inode: number;
  readonly assumedUnchanged: boolean;
  readonly intentToAdd: boolean;
  readonly skipsWorktree: boolean;
}

export interface IndexFile {
  readonly entries: readonly IndexEntry[];
  /** When the index was written, in nanoseconds: a file as new as that is compared by its content. */
  readonly writtenNs: bigint;
}

/** Throws GitError where it is malformed. An index that is not there is empty. */
export function readIndex(repository: Repository): IndexFile {
  const path = `${repository.gitDirectory}/index`;
  const bytes = repository.disk.read(path);
  if (bytes === undefined) return { entries: [], writtenNs: 0n };
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
  let at = 12;
  let previous = "";
  const corrupt = (): GitError => new GitError("index file corrupt");
  for (let number = 0; number < count; number++) {
    if (at + 62 > end) throw corrupt();
    const start = at;
    const flags = bytes.readUInt16BE(at + 60);
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
      const zero = bytes.indexOf(0, at);
      if (zero < 0 || zero > end) throw corrupt();
      name = bytes.toString("latin1", at, zero);
      at = start + ((zero - start + 8) & ~7);
    }
    previous = name;
    entries.push({
      name,
      mode: bytes.readUInt32BE(start + 24),
      id: bytes.toString("hex", start + 40, start + 60),
      stage: (flags >> 12) & 3,
      size: bytes.readUInt32BE(start + 36),
      modifiedSeconds: bytes.readUInt32BE(start + 8),
      modifiedNanoseconds: bytes.readUInt32BE(start + 12),
      inode: bytes.readUInt32BE(start + 20),
      assumedUnchanged: (flags & 0x8000) !== 0,
      intentToAdd: (more & 0x2000) !== 0,
      skipsWorktree: (more & 0x4000) !== 0,
    });
  }
  return { entries, writtenNs };
}
