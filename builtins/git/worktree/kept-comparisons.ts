/** Files whose content was found to be the index's although their stamps are others, kept from one call to the next. */
import type { KeptKey } from "../../../src/builtin/kept-values.ts";
import type { FileStamp } from "../../../src/workspace/file-status.ts";
import { ByteCache } from "../objects/byte-cache.ts";
import { isSettledAt, KeptByIndex } from "./kept-indexes.ts";

const MOST_BYTES = 8 << 20;
/** Bytes counted for a file beside its name. */
const FILE_BYTES = 224;

/** The files that one index has, by their paths. */
export class ComparedFiles {
  readonly #stamps = new ByteCache<string, string>(MOST_BYTES);

  /** `id`: of the content that it is to have, for an entry may be one of a conflict, or of a tree that is laid over the index. */
  isSame(path: string, id: string, stamp: FileStamp): boolean {
    return this.#stamps.get(path) === textOf(id, stamp);
  }

  /** `stamp`: from before the file was read, at `nowMs` or later. */
  keep(path: string, id: string, stamp: FileStamp, nowMs: number): void {
    const [changedNs, modifiedNs] = [stamp.changedMs, stamp.modifiedMs].map((ms) => BigInt(Math.floor(ms * 1e6)));
    if (changedNs === undefined || modifiedNs === undefined || !isSettledAt({ changedNs, modifiedNs }, nowMs)) return;
    this.#stamps.set(path, textOf(id, stamp), path.length + FILE_BYTES);
  }
}

const textOf = (id: string, { kind, permissions, size, modifiedMs, changedMs, inode }: FileStamp): string =>
  [id, kind, permissions, size, modifiedMs, changedMs, inode].join(" ");

export const KEPT_COMPARISONS: KeptKey<KeptByIndex<ComparedFiles>> = { make: () => new KeptByIndex(() => new ComparedFiles()) };
