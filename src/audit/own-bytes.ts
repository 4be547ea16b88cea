/** Tells a file that still holds the bytes we last wrote to it from one that somebody else has written since. */
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import { fileDigest } from "./file-digest.ts";
import { JOURNAL_NAME, lastDone } from "./journal.ts";
import type { Digest } from "./journal-lines.ts";
import { directoryOf, nameOf } from "./paths.ts";
import { openStored } from "./stored-journal.ts";

/**
 * True if the file at the canonical path `path` has the digest that the journal's last write to it recorded. Throws
 * FileError.
 */
export function holdsOurBytes(writer: WorkspaceWriter, path: string): boolean {
  const after = lastWritten(writer, path);
  if (after === undefined || after === null) return false;
  const directory = writer.directory(directoryOf(path));
  try {
    const file = directory.open(nameOf(path));
    if (file === undefined) return false;
    try {
      return file.size === after.bytes && fileDigest(file, after.bytes).sha256 === after.sha256;
    } finally {
      file.close();
    }
  } finally {
    directory.close();
  }
}

function lastWritten(writer: WorkspaceWriter, path: string): Digest | null | undefined {
  const journal = openStored(writer, JOURNAL_NAME);
  if (journal === undefined) return undefined;
  try {
    return lastDone(journal, path)?.after;
  } finally {
    journal.close();
  }
}
