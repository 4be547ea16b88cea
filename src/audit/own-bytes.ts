/** Whether a file holds what we last wrote to it, and not what somebody else wrote since. */
import { createHash } from "node:crypto";
import type { WorkspaceWriter } from "../workspace/write-access.ts";
import { directoryOf, nameOf } from "./paths.ts";
import { writeRecords } from "./write-records.ts";

/** `path` is canonical. Throws FileError. */
export function holdsOurBytes(writer: WorkspaceWriter, path: string): boolean {
  const after = writeRecords(writer, { path }).findLast(({ result }) => result === "done")?.after;
  if (after === undefined || after === null) return false;
  const directory = writer.directory(directoryOf(path));
  try {
    const file = directory.open(nameOf(path));
    if (file === undefined) return false;
    try {
      if (file.size !== after.bytes) return false;
      const hash = createHash("sha256");
      for (const block of file.blocks(0, after.bytes)) hash.update(block);
      return hash.digest("hex") === after.sha256;
    } finally {
      file.close();
    }
  } finally {
    directory.close();
  }
}
