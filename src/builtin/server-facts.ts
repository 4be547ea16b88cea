/** What a stage may say of the server it runs in (`policy`, `history`, `explain`). The implementation is src/exec/local-runner.ts. */

export interface ServerFacts {
  /** The policy in force, one fact per line. */
  readonly policy: () => string;
  /** What may be called as `@name key=value`. */
  readonly pipelines: readonly NamedPipelineFacts[];
  /** What call `number` of the session printed, at most its first 8 MiB; undefined where it is not kept (any more). */
  readonly output?: (number: number) => Uint8Array | undefined;
  /** Every recorded write, oldest first; with `path` (relative to the root, canonical) those to that file. Throws FileError. */
  readonly writes: (path: string | undefined) => readonly AuditedWrite[];
  /** The risk assessment of a line that would start in `directory` (relative to the root). Nothing of it runs. */
  readonly assess: (line: string, directory: string) => Promise<AssessedLine>;
}

export interface AssessedLine {
  readonly allowed: boolean;
  /** The assessment in words, one fact per line. */
  readonly text: string;
  /** The assessment as one line of JSON: src/guard/assessment.ts. */
  readonly json: string;
}

/** A pipeline of the configuration. */
export interface NamedPipelineFacts {
  /** Without the at-sign. */
  readonly name: string;
  readonly command: string;
  /** "" where there is none. */
  readonly description: string;
  /** Key → what it means, "" where that is not said. */
  readonly arguments: Readonly<Record<string, string>>;
}

/** One file's change. */
export interface AuditedWrite {
  readonly id: string;
  /** "2026-02-25T13:17:30Z". */
  readonly ts: string;
  readonly path: string;
  /** "created", "overwritten", "appended", "removed", "abandoned (REASON)" or "unfinished". */
  readonly change: string;
  /** Of the file afterwards. */
  readonly bytes: number;
  readonly command: string;
}
