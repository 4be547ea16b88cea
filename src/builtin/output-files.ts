/** Files that the program of a stage writes as it runs (awk's `print > F`, sed's `w F`), under the policy for redirections. Types only. */
import type { ContentSink, WriteMode } from "./recorder.ts";

/** The policy for such files; `isPrefix`: the rest of the name is known when the file is opened. */
export interface OutputPolicy {
  accepts(path: string, isPrefix: boolean): boolean;
}

export interface OutputFiles extends OutputPolicy {
  /** The policy for a program that does not stand in the line, and was not checked with it: it writes to the session's scratch. */
  untyped(): OutputPolicy;
  /**
   * Opens it. A file of the workspace changes when the stage has ended, in one transaction with all others of the stage. Throws
   * FileError where it cannot be opened, WriteRefused where it must not be written.
   */
  open(path: string, mode: WriteMode): ContentSink;
  /** Throws WriteRefused for a file that is written and has not changed yet: its old bytes would be read. */
  checkRead(path: string): void;
}
