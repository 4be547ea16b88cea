/** The journal of a workspace as it is on disk, opened for reading alone: no lock, nothing created, nothing repaired. */
import { FileError } from "../workspace/file-error.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableFile } from "../workspace/write/write-file.ts";
import { JOURNAL_NAME, linesFrom, readJournal, type CheckedLine } from "./journal.ts";
import type { JournalLine, PrunedLine } from "./journal-lines.ts";
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

/** Every line that is not damaged, or of these all that hold the bytes `having`; not checked against the chain. Throws FileError. */
export function* storedLines(writer: WorkspaceWriter, having?: Buffer): Generator<JournalLine, void> {
  const journal = openStored(writer, JOURNAL_NAME);
  if (journal === undefined) return;
  try {
    for (const { line } of linesFrom(journal, 0, having)) yield line;
  } finally {
    journal.close();
  }
}

/**
 * Bytes of the member `name` with this value in a line of ours: inside a JSON string every quotation mark is escaped, so they occur
 * nowhere but as that member.
 */
export const memberBytes = (name: "id" | "path", value: string): Buffer => Buffer.from(`"${name}":${JSON.stringify(value)}`);

/** The prune with which the record `id` went; undefined where it did not. */
export function prunedWith(writer: WorkspaceWriter, id: string | undefined): PrunedLine | undefined {
  if (id === undefined || !/^\d{1,22}$/.test(id)) return undefined;
  for (const line of storedLines(writer)) if (line.kind === "pruned" && BigInt(id) <= BigInt(line.until)) return line;
  return undefined;
}

/** A sentence without its full stop: no such record, or where it went. */
export function missingRecord(writer: WorkspaceWriter, id: string): string {
  const pruned = prunedWith(writer, id);
  return pruned === undefined ? `there is no record ${id}` : `record ${id} ${prunedTo(pruned)}`;
}

export const prunedTo = ({ ts, archive }: PrunedLine): string => `was pruned at ${ts}: it is in the archive ${archive.name}`;

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
