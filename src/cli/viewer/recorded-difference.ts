/** Difference that a record made to its file, and whether the file is still so. */
import { currentContent, recordedState } from "../../audit/restore.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { sideBySide, type DiffRow } from "./side-by-side.ts";

export interface RecordedDifference {
  readonly rows: readonly DiffRow[];
  readonly isCut: boolean;
  readonly isBinary: boolean;
  /** True if the file is as the record left it. */
  readonly isCurrent: boolean;
}

/** Throws NotRestorable, DamagedMirror or FileError. */
export function recordedDifference(workspace: Workspace, record: string): RecordedDifference {
  const before = recordedState(workspace, record, "before").content;
  const after = recordedState(workspace, record, "after");
  const now = currentContent(workspace, after.path);
  const isBinary = (before?.includes(0) ?? false) || (after.content?.includes(0) ?? false);
  return {
    ...(isBinary ? { rows: [], isCut: false } : sideBySide(before ?? Buffer.alloc(0), after.content ?? Buffer.alloc(0))),
    isBinary,
    isCurrent: now === undefined ? after.content === undefined : after.content !== undefined && now.equals(after.content),
  };
}
