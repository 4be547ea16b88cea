/**
 * Recorder of writes, as a builtin sees it (the implementation is src/audit/). Types only.
 *
 * A transaction takes every target of one `tee` at once: nothing changes before `commit`, and then each file is
 * replaced as a whole, with its record durable first. `abort` leaves no trace.
 */
export interface Recorder {
  /**
   * Checks every target (exists as a directory, protected, outside, not a regular file) and throws FileError.
   * Targets are taken from `currentDirectory` (relative to the root, as navigated). `/dev/null` is a target that
   * records nothing; a file named twice is one target.
   */
  begin(targets: readonly string[], mode: WriteMode, currentDirectory: string): WriteTransaction;
}

export type WriteMode = "overwrite" | "append";

export interface WriteTransaction {
  /** Adds bytes to the content. Throws FileError OVERSIZE_WRITE or NEEDS_APPROVAL, after which the transaction is aborted. */
  write(bytes: Uint8Array): void;
  /** Makes the change durable: record first, then file. One receipt per file, in order. If it throws, no file changed. */
  commit(): readonly WriteReceipt[];
  /** Drops everything. Harmless after `commit`. */
  abort(): void;
}

/** A write that a human has agreed to: given bytes in the place of given others. */
export interface AgreedWrite {
  /** SHA-256 of the bytes given to be written. */
  readonly content: string;
  /** SHA-256 of the file that the human was shown; null: there was none. */
  readonly before: string | null;
  /** SHA-256 of the intended file after the write: an append that was agreed to must not replace anything. null: no file. */
  readonly after: string | null;
}

/** Canonical path → the write that is allowed there. */
export type AgreedWrites = ReadonlyMap<string, AgreedWrite>;

/** `meta.tee` on the wire, by other names (DESIGN §6). Paths are relative to the root. */
export interface WriteReceipt {
  readonly path: string;
  readonly mirror: string;
  readonly mode: WriteMode;
  readonly bytes: number;
  readonly recordId: string;
  readonly created: boolean;
  /** Set where the file was removed: the state before it was created is no file. */
  readonly removed?: true;
  /**
   * The record that holds the file's bytes as they were before this one; null for a new file, and for the first
   * append to a file that somebody else wrote (its bytes are still there, in front of the new ones).
   */
  readonly previous: string | null;
  /** The giver of the permission, where one was needed: a human who was asked, or the configuration. */
  readonly permittedBy: "human" | "configuration" | null;
  /** Undefined where the bytes were not compared. */
  readonly change?: ChangeSummary | undefined;
}

/** Bounded account of a file's change, in lines. */
export interface ChangeSummary {
  readonly added: number;
  readonly removed: number;
  /** The first lines of a unified diff without its header; none for a file that was created or removed. */
  readonly diff: readonly string[];
  /** Number of lines of the diff that were left out. */
  readonly more: number;
}
