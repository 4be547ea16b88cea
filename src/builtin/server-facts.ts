/** What a stage may say of the server it runs in (`policy`, `history`). The implementation is src/exec/local-runner.ts. */

export interface ServerFacts {
  /** The policy in force, a line a fact. */
  readonly policy: () => string;
  /** Every recorded write, oldest first; with `path` (relative to the root, canonical) those to that file. Throws FileError. */
  readonly writes: (path: string | undefined) => readonly AuditedWrite[];
}

/** One file's change. */
export interface AuditedWrite {
  readonly id: string;
  /** "2026-02-25T13:17:30Z". */
  readonly ts: string;
  readonly path: string;
  /** "created", "overwritten", "appended", "removed", or that it was never done. */
  readonly change: string;
  /** Of the file afterwards. */
  readonly bytes: number;
  readonly command: string;
}
