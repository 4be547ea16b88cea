/** Length and SHA-256 of an open file. */
import { createHash } from "node:crypto";
import type { WritableFile } from "../workspace/write/write-file.ts";
import type { Digest } from "./journal-lines.ts";

/** Digest of the first `mostBytes` of `file`. Throws FileError. */
export function fileDigest(file: WritableFile, mostBytes = Number.POSITIVE_INFINITY): Digest {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const block of file.blocks(0, mostBytes)) {
    hash.update(block);
    bytes += block.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}
