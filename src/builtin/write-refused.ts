/**
 * Error for a forbidden write that is found while the stage already runs: thrown through the pipeline, it ends the whole
 * line as a violation. Not a FileError, because stages on its way would take one for an error of their own input.
 */
import { FileError, type FileErrorCode } from "../workspace/file-error.ts";

export class WriteRefused extends Error {
  override readonly name = "WriteRefused";
  /** The reason, with the file as it was typed. */
  readonly error: FileError;

  constructor(error: FileError) {
    super(`${error.path}: ${error.message}`);
    this.error = error;
  }
}

/** Not errors of a file: the line asked for what is not allowed here, and nothing of it is done. */
const REFUSALS: ReadonlySet<FileErrorCode> = new Set([
  "PATH_ESCAPE",
  "SYMLINK_ESCAPE",
  "PROTECTED_PATH",
  "NEEDS_APPROVAL",
  "READ_ONLY",
  "AUDIT_UNAVAILABLE",
  "OVERSIZE_WRITE",
  "CONFLICT",
]);

export const isWriteRefusal = ({ code }: FileError): boolean => REFUSALS.has(code);

/** The error of a file that a tool reports itself. Throws WriteRefused for a refusal, and what is no FileError as it is. */
export function writeError(thrown: unknown): FileError {
  if (!(thrown instanceof FileError)) throw thrown;
  if (isWriteRefusal(thrown)) throw new WriteRefused(thrown);
  return thrown;
}
