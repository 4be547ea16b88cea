/**
 * Recorded writing, as a builtin sees it (the implementation is src/audit/). No code here.
 *
 * A transaction takes every target of one `tee` at once: nothing changes before `commit`, and then each file is
 * replaced as a whole, with its record durable first. `abort` leaves no trace.
 */
export interface Recorder {
  /** Checks every target (exists as a directory, protected, outside, not a regular file) and throws FileError. */
  begin(targets: readonly string[], mode: WriteMode): WriteTransaction;
}

export type WriteMode = "overwrite" | "append";

export interface WriteTransaction {
  write(bytes: Uint8Array): void;
  /** Makes the change durable: record first, then file. One receipt per target, in order. */
  commit(): readonly WriteReceipt[];
  /** Drops everything. Harmless after `commit`. */
  abort(): void;
}

/** `meta.tee` on the wire, by other names (DESIGN §6). Paths are relative to the root. */
export interface WriteReceipt {
  readonly path: string;
  readonly mirror: string;
  readonly mode: WriteMode;
  readonly bytes: number;
  readonly recordId: string;
  readonly created: boolean;
  /** The record that held the file's bytes before this one; null for a new file. */
  readonly previous: string | null;
}
