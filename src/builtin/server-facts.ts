/** Facts about the server that a stage may show (`policy`, `history`, `explain`). Implemented by src/exec/local-runner.ts. */

export interface ServerFacts {
  /** The policy in force, one fact per line. */
  readonly policy: () => string;
  /** The pipelines that may be called as `@name key=value`. */
  readonly pipelines: readonly NamedPipelineFacts[];
  /** What changes files of the workspace: no line, commands alone, redirections too. */
  readonly writing: "nothing" | "commands" | "redirections";
  /** The output of call `number` of the session, at most its first 8 MiB; undefined where it is not kept (any more). */
  readonly output?: (number: number) => Uint8Array | undefined;
  /** Every recorded write, oldest first; with `path` (relative to the root, canonical) those to that file. Throws FileError. */
  readonly writes: (path: string | undefined) => Iterable<AuditedWrite>;
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
  /** The name without the at-sign. */
  readonly name: string;
  readonly command: string;
  /** "" for a pipeline without a description. */
  readonly description: string;
  /** Key → its meaning, "" where that is not given. */
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
  /** Length of the file after the write. */
  readonly bytes: number;
  readonly command: string;
}
