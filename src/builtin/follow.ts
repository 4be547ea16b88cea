/** Follow cursors, as a builtin sees them: saved read positions in files, for the next call (tail --since). Types only. */

/** How far one file had been read. Plain data: it crosses a process boundary. */
export interface FollowedFile {
  /** As it is found again: relative to the root, by the text of the operand. */
  readonly path: string;
  /** Of the file that was read; 0 where there was none. */
  readonly device: bigint;
  readonly inode: bigint;
  /** Offset of the first unread byte. */
  readonly position: number;
  /** The first bytes of the file, and the last before `position`: that it is still the same. Never past `position`. */
  readonly first: Uint8Array;
  readonly last: Uint8Array;
}

export interface FollowCursors {
  /** The files of a cursor; undefined where it is not known (any more). */
  files(cursor: string): readonly FollowedFile[] | undefined;
  /**
   * Puts down where the next look goes on, and gives its cursor. `from` is the cursor this look began at, which stays
   * good until that next look. Undefined where the call has put down as many as it may.
   */
  put(files: readonly FollowedFile[], from: string | undefined): string | undefined;
  /** Adds a sentence to the answer's notes. */
  note(sentence: string): void;
}
