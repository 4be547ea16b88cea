/** The words of each error of the workspace. */

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
  EILSEQ: "Invalid or incomplete multibyte or wide character",
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
