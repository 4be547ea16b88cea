/** The journal of a workspace as it is on disk, opened for reading alone: no lock, nothing created, nothing repaired. */
import { FileError } from "../workspace/file-error.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableFile } from "../workspace/write/write-file.ts";
import { JOURNAL_NAME, readJournal, type CheckedLine } from "./journal.ts";
import type { JournalLine } from "./journal-lines.ts";
import { STORE_PATH } from "./record-paths.ts";

/** Every line from the first, checked against the chain; no line where nothing was ever recorded. Throws FileError. */
export function* checkedLines(writer: WorkspaceWriter): Generator<CheckedLine, void> {
  const journal = openStored(writer, JOURNAL_NAME);
  if (journal === undefined) return;
  try {
    yield* readJournal(journal);
  } finally {
    journal.close();
  }
}

/** As `checkedLines`, without the damaged lines. */
export function* storedLines(writer: WorkspaceWriter): Generator<JournalLine, void> {
  for (const { line } of checkedLines(writer)) if (line !== undefined) yield line;
}

/** The file `name` among the records, opened for reading; undefined if it does not exist. */
export function openStored(writer: WorkspaceWriter, name: string): WritableFile | undefined {
  try {
    const directory = writer.directory(STORE_PATH);
    try {
      return directory.open(name);
    } finally {
      directory.close();
    }
  } catch (thrown) {
    if (thrown instanceof FileError && thrown.code === "ENOENT") return undefined;
    throw thrown;
  }
}
