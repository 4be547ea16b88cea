/** Errors that node:fs throws, told apart by their code, and as the workspace gives them on. */
import { FileError, type FileErrorCode } from "./file-error.ts";
import { FILE_ERROR_WORDS } from "./file-error-words.ts";

/**
 * A FileError for what node:fs threw; a FileError stays itself. A system's error that Node has no name for is EIO. Anything that is not a
 * system error is rethrown: it is a fault of ours.
 */
export function fileErrorFrom(thrown: unknown, path: string): FileError {
  if (thrown instanceof FileError) return thrown;
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  if (Object.hasOwn(FILE_ERROR_WORDS, code)) return new FileError(code as FileErrorCode, path);
  if (code === "UNKNOWN") return new FileError("EIO", path);
  throw thrown;
}

/** The result of `action`. Throws what `fileErrorFrom` makes of what it throws. */
export function asFileError<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (thrown) {
    throw fileErrorFrom(thrown, path);
  }
}

export function isSystemError(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === code;
}
