/** Follow cursors, as a builtin sees them: saved read positions in files, for the next call (tail --since). Types only. */

/** Position up to which one file was read. Plain data: it crosses a process boundary. */
export interface FollowedFile {
  /** The path by which it is found again: relative to the root, by the text of the operand. */
  readonly path: string;
  /** Device and inode of the file that was read; 0 where there was none. */
  readonly device: bigint;
  readonly inode: bigint;
  /** Offset of the first unread byte. */
  readonly position: number;
  /** The first bytes of the file and the last before `position`: they show that it is still the same. Never past `position`. */
  readonly first: Uint8Array;
  readonly last: Uint8Array;
}

export interface FollowCursors {
  /** The files of a cursor; undefined where it is not known (any more). */
  files(cursor: string): readonly FollowedFile[] | undefined;
  /**
   * Stores the positions at which the next look goes on, and gives their cursor. `from` is the cursor this look began at,
   * which stays valid until that next look. Undefined where the call has stored as many cursors as it may.
   */
  put(files: readonly FollowedFile[], from: string | undefined): string | undefined;
  /** Adds a sentence to the answer's notes. */
  note(sentence: string): void;
}
