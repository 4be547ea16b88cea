/** Comparisons of the entry that an edit is about to change with the one that was looked at before: CONFLICT for another. */
import { FileError } from "../workspace/file-error.ts";
import { NOT_APPROVED } from "./change.ts";
import { digestAfter, type EditTarget } from "./desired-entry.ts";
import type { FoundEntry } from "./entry-state.ts";

/** Throws CONFLICT where a file is removed that has changed since the call read it: the decision was made on other bytes. */
export function checkRead({ typed, desired, hasChanged }: EditTarget, old: FoundEntry | undefined): void {
  if (desired.kind !== "nothing" || old?.kind !== "file" || hasChanged?.(old.status) !== true) return;
  const done = desired.isMoved === true ? "moved" : "removed";
  throw new FileError("CONFLICT", typed, `It has changed since this line read it; nothing was ${done}`);
}

/** Throws CONFLICT unless the old bytes and the new ones are those that were shown to the human who agreed. */
export function checkAgreed({ agreed, typed, desired }: EditTarget, old: FoundEntry | undefined): void {
  if (agreed === undefined) return;
  if (agreed.before !== (old?.digest?.sha256 ?? null)) {
    throw new FileError("CONFLICT", typed, "It was changed after the change to it was approved; nothing was written");
  }
  if (agreed.after !== digestAfter(desired, old)) throw new FileError("CONFLICT", typed, NOT_APPROVED);
}
