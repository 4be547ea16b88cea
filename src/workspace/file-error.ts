/**
 * An error of the workspace: a code to match on, and the message that the GNU tools print for it. No message holds a host
 * path or anything under /proc, and each is on one line whatever names it holds: they are spelled out as `showName` does.
 */
import { showName } from "../display/visible.ts";

export class FileError extends Error {
  override readonly name = "FileError";
  /** Errno name, or one of ours. Match on this. */
  readonly code: FileErrorCode;
  /** The operand as it was typed. */
  readonly path: string;

  /** `words` replaces the code's own words where there is more to say. */
  constructor(code: FileErrorCode, path: string, words?: string) {
    super(words === undefined ? FILE_ERROR_WORDS[code] : showName(words));
    this.code = code;
    this.path = path;
  }
}

/**
 * Messages of glibc's strerror(3) in C.UTF-8, and our own where no errno fits. `error.message` is one of these, or a longer
 * one.
 */
export const FILE_ERROR_WORDS = {
  ENOENT: "No such file or directory",
  EACCES: "Permission denied",
  EPERM: "Operation not permitted",
  EISDIR: "Is a directory",
  ENOTDIR: "Not a directory",
  ELOOP: "Too many levels of symbolic links",
  ENAMETOOLONG: "File name too long",
  EEXIST: "File exists",
  ENOTEMPTY: "Directory not empty",
  EINVAL: "Invalid argument",
  ENXIO: "No such device or address",
  EIO: "Input/output error",
  ENOSPC: "No space left on device",
  EDQUOT: "Disk quota exceeded",
  EFBIG: "File too large",
  EROFS: "Read-only file system",
  EMFILE: "Too many open files",
  ENFILE: "Too many open files in system",
  ENOMEM: "Cannot allocate memory",
  ETXTBSY: "Text file busy",
  EBUSY: "Device or resource busy",
  EXDEV: "Invalid cross-device link",
  ESTALE: "Stale file handle",
  ROOT_GONE: "The workspace's own directory no longer exists",
  MOUNT_GONE: "The mounted directory is no longer there",
  PATH_ESCAPE: "Path is outside the workspace",
  SYMLINK_ESCAPE: "Symbolic link leaves the workspace",
  NOT_REGULAR_FILE: "Not a regular file",
  PROTECTED_PATH: "Protected path",
  NEEDS_APPROVAL: "A human must approve the change",
  READ_ONLY: "The workspace is read-only",
  CONFLICT: "Changed by somebody else meanwhile",
  OVERSIZE_WRITE: "Too much to write without confirmation",
  AUDIT_UNAVAILABLE: "The write cannot be recorded",
} as const;

export type FileErrorCode = keyof typeof FILE_ERROR_WORDS;

/**
 * A FileError for what node:fs threw; a FileError stays itself. Anything that is not a system error is rethrown: it
 * is a fault of ours.
 */
export function fileErrorFrom(thrown: unknown, path: string): FileError {
  if (thrown instanceof FileError) return thrown;
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  if (Object.hasOwn(FILE_ERROR_WORDS, code)) return new FileError(code as FileErrorCode, path);
  throw thrown;
}

export function isSystemError(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === code;
}
