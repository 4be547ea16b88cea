/** All that is known of one entry of the viewer's list, and its neighbours. */
import { memberBytes, missingRecord, storedLines } from "../../audit/stored-journal.ts";
import { RecordReader, type WriteRecord } from "../../audit/write-records.ts";
import type { WorkspaceWriter } from "../../workspace/write/write-access.ts";
import type { Entry } from "./entries.ts";
import { Rejected } from "./rejected.ts";

export interface EntryDetail extends Entry {
  /** What the journal says of a write besides. */
  readonly record?: Pick<WriteRecord, "mode" | "old" | "new" | "before" | "after" | "ran" | "undoes">;
  /** Number of writes of the same command line. */
  readonly callWrites: number;
  /** Records before and after this one of the same file; null where there is none. */
  readonly earlier: string | null;
  readonly later: string | null;
}

/** Throws Rejected where `entries` (oldest first) have none by this name; FileError. */
export function entryDetail(writer: WorkspaceWriter, entries: readonly Entry[], key: string): EntryDetail {
  const at = entries.findLastIndex((entry) => entry.key === key);
  const entry = entries[at];
  if (entry === undefined) throw new Rejected(404, missingRecord(writer, key));
  if (entry.kind === "call") return { ...entry, callWrites: 0, earlier: null, later: null };
  const isOfFile = (other: Entry): boolean => other.kind === "write" && other.path === entry.path;
  return {
    ...entry,
    ...recordOf(writer, key),
    callWrites: entries.reduce((sum, { call }) => sum + (call === entry.call ? 1 : 0), 0),
    earlier: entries.slice(0, at).findLast(isOfFile)?.key ?? null,
    later: entries.slice(at + 1).find(isOfFile)?.key ?? null,
  };
}

function recordOf(writer: WorkspaceWriter, id: string): Pick<EntryDetail, "record"> {
  for (const line of storedLines(writer, memberBytes("id", id))) {
    if (line.kind !== "intent" || line.id !== id) continue;
    const reader = new RecordReader();
    reader.add(line);
    const [record] = reader.held();
    if (record === undefined) break;
    const { mode, old, new: left, before, after, ran, undoes } = record;
    return { record: { mode, before, after, ran, undoes, ...(old === undefined || left === undefined ? {} : { old, new: left }) } };
  }
  return {};
}
