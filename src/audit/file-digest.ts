/** How long a file is that is held open, and what its bytes are. */
import { createHash } from "node:crypto";
import type { WritableFile } from "../workspace/write/write-file.ts";
import type { Digest } from "./journal-lines.ts";

/** Of the first `mostBytes` of it. Throws FileError. */
export function fileDigest(file: WritableFile, mostBytes = Number.POSITIVE_INFINITY): Digest {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const block of file.blocks(0, mostBytes)) {
    hash.update(block);
    bytes += block.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}
