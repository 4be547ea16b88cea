/** Packed files by the ends of their names, as ripgrep tells them (grep-cli, decompress.rs). */
import type { OpenFile } from "../../src/workspace/contract.ts";
import { GzipFault, unpacked } from "../../src/io/gzip-members.ts";

const PROGRAMS: readonly (readonly [ends: readonly string[], program: string])[] = [
  [[".gz", ".tgz"], "gzip"],
  [[".bz2", ".tbz2"], "bzip2"],
  [[".xz", ".txz", ".lzma"], "xz"],
  [[".lz4"], "lz4"],
  [[".br"], "brotli"],
  [[".zst", ".zstd"], "zstd"],
  [[".Z"], "uncompress"],
];

/** The program that unpacks a file of this name; undefined for one that is searched as it is. */
export const unpackerOf = (path: string): string | undefined => PROGRAMS.find(([ends]) => ends.some((end) => path.endsWith(end)))?.[1];

const RULE = "-".repeat(79);

/** Blocks of what a file of gzip holds. Returns ripgrep's message for what is wrong with it. */
export async function* unpackedBlocks(file: OpenFile, path: string): AsyncGenerator<Uint8Array, string | undefined> {
  async function* blocks(): AsyncGenerator<Uint8Array, void> {
    yield* file.blocks();
  }
  try {
    yield* unpacked(blocks(), { copiesOther: false });
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof GzipFault)) throw thrown;
    return `${path}: \n${RULE}\ngzip: ${path}: ${thrown.message}\n${RULE}`;
  }
}
