/** State that an edit wants a name to have, and the change that leads there. */
import { FileError } from "../workspace/file-error.ts";
import type { FileStatus } from "../workspace/file-status.ts";
import type { CommitTarget } from "./change.ts";
import type { FoundEntry } from "./entry-state.ts";
import type { ChangeMode, Digest, EntryState } from "./journal-lines.ts";

/** Attributes to be set; what is left out stays. */
export interface SetAttributes {
  readonly mode?: number;
  /** True if a new directory keeps the set-group-ID bit that it was made with. */
  readonly inheritsGroup?: boolean;
  /** Permission bits of what is new, less the umask. */
  readonly creation?: number;
  readonly modifiedNs?: bigint;
  readonly accessedNs?: bigint;
}

/** Bytes that can be read again and again. */
export interface GivenContent {
  readonly digest: Digest;
  blocks(): Iterable<Uint8Array>;
}

/** State that a name is to have. "same": what is there keeps its content. */
export type DesiredEntry =
  | { readonly kind: "nothing"; readonly isMoved?: boolean }
  /** `isFresh`: the permission bits of a file in its place are not kept. `appends`: the content follows what is there. */
  | {
      readonly kind: "file";
      readonly content: GivenContent;
      readonly attributes: SetAttributes;
      readonly isFresh?: true;
      readonly appends?: boolean;
    }
  /** `like`: canonical path of a symbolic link with the same text, which is linked to where none may be made. */
  | { readonly kind: "symlink"; readonly content: GivenContent; readonly like: string | undefined }
  | { readonly kind: "directory"; readonly attributes: SetAttributes }
  | { readonly kind: "same"; readonly attributes: SetAttributes };

/** The change that an undo takes back: its first record, and its call where that is taken back as a whole (see IntentLine). */
export interface Undone {
  readonly record: string;
  readonly call: string | undefined;
}

/** A name and the state that it is to have. */
export interface EditTarget extends CommitTarget {
  readonly desired: DesiredEntry;
  /**
   * True if `canonical` was not found by `typed`, which is only named in messages then. A directory so named is on the way to
   * another change, and may be there.
   */
  readonly isResolved?: true;
  /** SHA-256 of the file or the link's text that was looked at, null for neither: another is CONFLICT. */
  readonly expected?: string | null;
  readonly undoes?: Undone;
  /** True of a file that is another than the one that was read: it is CONFLICT to remove that. */
  readonly hasChanged?: (now: FileStatus) => boolean;
}

/** Mode of the change from one kind to another. Throws FileError where an edit does not make it. */
export function modeOf(from: EntryState["kind"] | undefined, to: DesiredEntry["kind"], typed: string): ChangeMode {
  switch (to) {
    case "nothing":
      if (from === undefined) throw new FileError("ENOENT", typed);
      return from === "directory" ? "remove-directory" : "remove";
    case "directory":
      if (from !== undefined) throw new FileError("EEXIST", typed);
      return "make-directory";
    case "same":
      if (from === undefined) throw new FileError("ENOENT", typed);
      return "attributes";
    case "file":
    case "symlink":
      if (from === "directory") throw new FileError("EISDIR", typed);
      return to === "file" ? "overwrite" : "link";
  }
}

/** SHA-256 of the file or the link's text after the change; null where there is none, or a directory. */
export function digestAfter(desired: DesiredEntry, old: FoundEntry | undefined): string | null {
  if (desired.kind === "file" || desired.kind === "symlink") return desired.content.digest.sha256;
  return desired.kind === "same" ? (old?.digest?.sha256 ?? null) : null;
}
