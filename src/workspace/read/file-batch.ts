/** Small files of one directory that are read together (small-files.ts), with their contents. */
import type { MayHold } from "../contract.ts";
import { headBytes, NOT_READ, stampsIn, type Look } from "./small-files.ts";

export interface FileBatch {
  /** Handle of the directory that its files are in. */
  readonly handle: number;
  /** Undefined where the thread was not asked: the walk reads it when it comes to it. */
  readonly task: number | undefined;
  readonly names: readonly string[];
  /** The memory that holds its contents from `at` on, or "none" if it was not read; undefined before anybody asked. */
  results: Buffer | "none" | undefined;
  at: number;
  /** Look at its files before they were read. Without one a file is passed or read once more. */
  readonly look: Look;
  /** True once its stamps were noted. */
  isNoted: boolean;
  /** Files that nobody has asked for or that are in use. */
  left: number;
  /** True if one of its files may hold the sought text; undefined before anybody asked. */
  mayHold: boolean | undefined;
}

/** Place of a file's content in the results of its batch; its size is NOT_READ if it could not be read. */
export function placeOf(
  { at: start, names, look }: FileBatch,
  results: Buffer,
  name: string,
): { readonly at: number; readonly size: number } {
  let at = start + headBytes(names.length, look);
  for (let file = 0; file < names.length; file++) {
    const size = results.readInt32LE(start + file * 4);
    if (names[file] === name) return { at, size };
    at += Math.max(0, size);
  }
  return { at, size: NOT_READ };
}

/** Written stamps of its files, in memory of their own; undefined where none were taken. */
export function stampsOf({ at, names, look }: FileBatch, results: Buffer): Buffer | undefined {
  return look === "stamp" ? Buffer.from(stampsIn(results, at, names.length)) : undefined;
}

/** Tells whether one of its files may hold the sought text. All are searched at once: each by itself takes longer. */
export function anyMayHold({ at: start, names, look }: FileBatch, results: Buffer, mayHold: MayHold): boolean {
  const first = start + headBytes(names.length, look);
  let at = first;
  for (let file = 0; file < names.length; file++) {
    const size = results.readInt32LE(start + file * 4);
    if (isUtf16(results, at, size)) return true;
    at += Math.max(0, size);
  }
  return mayHold(results, first, at);
}

/** Tells whether a file may begin with the byte order mark of UTF-16, whose text is not searched as it stands. */
export const isUtf16 = (results: Buffer, at: number, size: number): boolean => size > 0 && (results[at] as number) >= 0xfe;
