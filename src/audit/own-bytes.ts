/** Tells a file that still holds the bytes we last wrote to it from one that somebody else has written since. */
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableFile } from "../workspace/write/write-file.ts";
import { inHeldDirectoryOf } from "./entry-state.ts";
import { fileDigest } from "./file-digest.ts";
import { JOURNAL_NAME, lastWritten } from "./journal.ts";
import { mirrorHolds } from "./record-layout.ts";
import { findMirror } from "./record-paths.ts";
import { openStored } from "./stored-journal.ts";

/**
 * True if the file at the canonical path `path` holds the bytes of the last write to it, and the mirror has them: a journal
 * alone may be somebody else's. Throws FileError.
 */
export function holdsOurBytes(writer: WorkspaceWriter, path: string): boolean {
  const last = read(openStored(writer, JOURNAL_NAME), (journal) => lastWritten(journal, new Set([path])).get(path));
  const after = last?.outcome.after;
  if (last === undefined || after === undefined || after === null) return false;
  const digest = read(opened(writer, path), (file) => (file.size === after.bytes ? fileDigest(file, after.bytes) : undefined));
  if (digest?.sha256 !== after.sha256) return false;
  return read(opened(writer, findMirror(writer, path).path), (mirror) => mirrorHolds(mirror, last, after)) === true;
}

const opened = (writer: WorkspaceWriter, path: string): WritableFile | undefined =>
  inHeldDirectoryOf(writer, path, (directory, name) => directory.open(name));

/** The answer of `reader` of an open file, which is then closed; undefined where there is no file. */
function read<T>(file: WritableFile | undefined, reader: (file: WritableFile) => T): T | undefined {
  try {
    return file && reader(file);
  } finally {
    file?.close();
  }
}
