/** Error numbers of WASI preview 1, and the messages of Linux with glibc in place of those of a guest's C library. */
import { asBuffer } from "../io/lines.ts";
import type { FileError, FileErrorCode } from "../workspace/file-error.ts";
import { FILE_ERROR_WORDS } from "../workspace/file-error-words.ts";

/** https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md#errno */
export const SUCCESS = 0;
export const ERRNO = {
  E2BIG: 1,
  EACCES: 2,
  EBADF: 8,
  EBUSY: 10,
  EINVAL: 28,
  EIO: 29,
  EISDIR: 31,
  ELOOP: 32,
  EMFILE: 33,
  ENAMETOOLONG: 37,
  ENFILE: 41,
  ENOENT: 44,
  ENOMEM: 48,
  ENOSYS: 52,
  ENOTDIR: 54,
  ENOTTY: 59,
  ENXIO: 60,
  EPERM: 63,
  ERANGE: 68,
  EROFS: 69,
  ESPIPE: 70,
} as const;

export type Errno = (typeof ERRNO)[keyof typeof ERRNO];

/** The error number that a guest gets for a FileError. A path outside the root is EACCES, not a missing file. */
export function errnoOf(error: FileError): Errno {
  const own = OWN_CODES[error.code];
  if (own !== undefined) return own;
  return Object.hasOwn(ERRNO, error.code) ? ERRNO[error.code as keyof typeof ERRNO] : ERRNO.EIO;
}

const OWN_CODES: Partial<Record<FileErrorCode, Errno>> = {
  ROOT_GONE: ERRNO.ENOENT,
  PATH_ESCAPE: ERRNO.EACCES,
  SYMLINK_ESCAPE: ERRNO.EACCES,
  PROTECTED_PATH: ERRNO.EACCES,
  NEEDS_APPROVAL: ERRNO.EACCES,
  NOT_REGULAR_FILE: ERRNO.ENXIO,
};

/**
 * Endings of messages with a system error in Rust's standard library: the guest's C library has its own texts and WASI's
 * numbers. Left: the guest's number; right: the ending that the same program prints on Linux with glibc.
 */
const LINUX_WORDS: ReadonlyMap<number, string> = new Map([
  [ERRNO.EACCES, "Permission denied (os error 13)"],
  [ERRNO.EINVAL, "Invalid argument (os error 22)"],
  [ERRNO.EIO, "Input/output error (os error 5)"],
  [ERRNO.EISDIR, "Is a directory (os error 21)"],
  [ERRNO.ELOOP, "Too many levels of symbolic links (os error 40)"],
  [ERRNO.EMFILE, "Too many open files (os error 24)"],
  [ERRNO.ENAMETOOLONG, "File name too long (os error 36)"],
  [ERRNO.ENFILE, "Too many open files in system (os error 23)"],
  [ERRNO.ENOENT, "No such file or directory (os error 2)"],
  [ERRNO.ENOMEM, "Cannot allocate memory (os error 12)"],
  [ERRNO.ENOTDIR, "Not a directory (os error 20)"],
  [ERRNO.ENXIO, "No such device or address (os error 6)"],
  [ERRNO.EPERM, "Operation not permitted (os error 1)"],
]);

/** The message of such a program for a file that could not be opened or read. */
export const linuxWords = (error: FileError): string => LINUX_WORDS.get(errnoOf(error)) ?? error.message;

/** A line of the guest's standard error in Linux's words. `line` is text in the encoding of src/io/text.ts. */
export function inLinuxWords(line: string): string {
  return line.replace(
    /(?<=^|: )([A-Z][A-Za-z/ ]*) \(os error (\d+)\)/gm,
    (whole, _words, number) => LINUX_WORDS.get(Number(number)) ?? whole,
  );
}

/** musl's strerror(3) in a guest of Emscripten, where glibc's says something else: of what a file call can fail with. */
const MUSL_WORDS: ReadonlyMap<number, readonly [musl: string, glibc: string]> = new Map([
  [ERRNO.EIO, ["I/O error", FILE_ERROR_WORDS.EIO]],
  [ERRNO.ELOOP, ["Symbolic link loop", FILE_ERROR_WORDS.ELOOP]],
  [ERRNO.EMFILE, ["No file descriptors available", FILE_ERROR_WORDS.EMFILE]],
  [ERRNO.ENAMETOOLONG, ["Filename too long", FILE_ERROR_WORDS.ENAMETOOLONG]],
  [ERRNO.ENOMEM, ["Out of memory", FILE_ERROR_WORDS.ENOMEM]],
]);

/**
 * A guest's write to standard error, with glibc's message where it ends in musl's for one of `failures`. musl hands a string
 * over in one piece.
 */
export function inGlibcWords(bytes: Uint8Array, failures: ReadonlySet<number>): Uint8Array {
  for (const failure of failures) {
    const pair = MUSL_WORDS.get(failure);
    if (pair === undefined) continue;
    const [musl, glibc] = pair;
    const text = asBuffer(bytes).toString("latin1");
    const words = text.trimEnd();
    if (words !== musl && !words.endsWith(`: ${musl}`)) continue;
    return Buffer.from(words.slice(0, -musl.length) + glibc + text.slice(words.length), "latin1");
  }
  return bytes;
}
