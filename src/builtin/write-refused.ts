/**
 * A write that is not allowed, found out when the stage already runs: thrown through the pipeline, so that the whole
 * line ends as a violation. Not a FileError: the stages on its way take those for errors of their own input.
 */
import type { FileError } from "../workspace/file-error.ts";

export class WriteRefused extends Error {
  override readonly name = "WriteRefused";
  /** The reason, with the file as it was typed. */
  readonly error: FileError;

  constructor(error: FileError) {
    super(`${error.path}: ${error.message}`);
    this.error = error;
  }
}
