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
  /** Begins a transaction of any changes, of which nothing is done before its `commit`. */
  edit(currentDirectory: string): EditTransaction;
}

/**
 * Changes of many names, made together or not at all. Each is checked when it is asked for, against the tree as the changes
 * before it will leave it, and throws FileError, after which the transaction goes on without it; OVERSIZE_WRITE and NEEDS_APPROVAL
 * for its size end it. No last component is followed if it is a symbolic link.
 */
export interface EditTransaction {
  /** State of `path` as this transaction will leave it, "nothing" if removed; undefined if it has no change of it yet. */
  pending(path: string): "file" | "directory" | "symlink" | "nothing" | undefined;
  /**
   * Gives the file new bytes. A new file gets 0666 less the umask, one that is replaced keeps its permission bits, unless `mode`
   * says others. EISDIR for a directory, NOT_REGULAR_FILE for a symbolic link or a device, ENOENT where a directory is missing,
   * unless `makesDirectories`.
   */
  replace(path: string, content: Iterable<Uint8Array>, options?: EntryAttributes & { readonly makesDirectories?: boolean }): void;
  /**
   * Begins new bytes of the file, in the place of the old ones or behind them, which `commit` makes of what was written by then.
   * A file that was closed may be written again. CONFLICT where another output writes it, unless both append.
   */
  write(path: string, mode: WriteMode): ContentSink;
  /**
   * Makes a symbolic link with this text where nothing, a file or a symbolic link is. `like` is one with the same text: in the
   * executor Node makes no relative links, and gives one that is there a second name.
   */
  link(path: string, text: string, like?: string): void;
  /**
   * Removes a file or a symbolic link, whose bytes are kept in the record. EISDIR for a directory, NOT_REGULAR_FILE for a device.
   * `isMoved`: the same bytes are written elsewhere by this transaction, and are counted there.
   */
  remove(path: string, options?: { readonly isMoved?: boolean }): void;
  /** Makes a directory: `mode` exactly, or 0777 less the umask. EEXIST where something is there. */
  makeDirectory(path: string, attributes?: EntryAttributes): void;
  /** Removes a directory that is empty once the changes before are made. ENOTDIR, ENOTEMPTY. */
  removeDirectory(path: string): void;
  /**
   * Sets permission bits and times of what is there, or of what an earlier change makes. NOT_REGULAR_FILE for a symbolic link. A file
   * that has other names (hard links) is replaced by a copy, so that those keep theirs.
   */
  setAttributes(path: string, attributes: EntryAttributes): void;
  /**
   * Makes all changes durable: records first, then files. One receipt per change, in order. If it throws, nothing has changed.
   */
  commit(): readonly WriteReceipt[];
  /** Drops everything. Harmless after `commit`. */
  abort(): void;
}

/** New content of a file of a transaction. */
export interface ContentSink {
  /** Throws FileError OVERSIZE_WRITE or NEEDS_APPROVAL, which end the transaction; ENOSPC in the scratch. */
  write(bytes: Uint8Array): void;
  close(): void;
}

/** What is left out is not changed. Times are kept to the microsecond: Node sets no finer ones. */
export interface EntryAttributes {
  /** Permission bits. Set-user-ID and set-group-ID are refused for a file. */
  readonly mode?: number;
  /** True if a new directory has the set-group-ID bit of the one that it is made in, besides `mode`. */
  readonly inheritsGroup?: boolean;
  /** Permission bits of what is new, less the umask; for want of `mode`. */
  readonly creation?: number;
  readonly modifiedNs?: bigint | "now";
  readonly accessedNs?: bigint | "now";
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
  /**
   * SHA-256 of the intended file after the write: an append that was agreed to must not replace anything. Null: there will be
   * no file.
   */
  readonly after: string | null;
}

/** Canonical path → the write that is allowed there. */
export type AgreedWrites = ReadonlyMap<string, AgreedWrite>;

/** `meta.tee` on the wire, by other names (DESIGN §6). Paths are relative to the root. */
export interface WriteReceipt {
  readonly path: string;
  readonly mirror: string;
  readonly mode: WriteMode | "remove" | "link" | "make-directory" | "remove-directory" | "attributes";
  readonly bytes: number;
  readonly recordId: string;
  readonly created: boolean;
  /**
   * The record that holds the file's bytes as they were before this one; null for a new file, and for the first
   * append to a file that somebody else wrote (its bytes are still there, in front of the new ones).
   */
  readonly previous: string | null;
  /** The giver of the permission, where one was needed: a human who was asked, or the configuration. */
  readonly permittedBy: "human" | "configuration" | null;
  /** Number of directories that were made on the way to the file, and have no receipts of their own. Default: 0. */
  readonly directories?: number;
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
