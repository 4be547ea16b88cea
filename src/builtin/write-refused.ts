/**
 * Error for a forbidden write that is found while the stage already runs: thrown through the pipeline, it ends the whole
 * line as a violation. Not a FileError, because stages on its way would take one for an error of their own input.
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
