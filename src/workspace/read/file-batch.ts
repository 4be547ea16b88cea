/** Small files of one directory that are read together (small-files.ts), with their contents. */
import type { MayHold } from "../contract.ts";
import { NOT_READ, sizesBytes } from "./small-files.ts";

export interface FileBatch {
  /** Handle of the directory that its files are in. */
  readonly handle: number;
  /** Undefined where the thread was not asked: the walk reads it when it comes to it. */
  readonly task: number | undefined;
  readonly names: readonly string[];
  /** The memory that holds its contents from `at` on, or "none" if it was not read; undefined before anybody asked. */
  results: Buffer | "none" | undefined;
  at: number;
  /** True if its files were checked to be regular before they were read. A file that was not is passed or read once more. */
  readonly isChecked: boolean;
  /** Files that nobody has asked for or that are in use. */
  left: number;
  /** True if one of its files may hold the sought text; undefined before anybody asked. */
  mayHold: boolean | undefined;
}

/** Place of a file's content in the results of its batch; its size is NOT_READ if it could not be read. */
export function placeOf({ at: start, names }: FileBatch, results: Buffer, name: string): { readonly at: number; readonly size: number } {
  let at = start + sizesBytes(names.length);
  for (let file = 0; file < names.length; file++) {
    const size = results.readInt32LE(start + file * 4);
    if (names[file] === name) return { at, size };
    at += Math.max(0, size);
  }
  return { at, size: NOT_READ };
}

/** Tells whether one of its files may hold the sought text. All are searched at once: each by itself takes longer. */
export function anyMayHold({ at: start, names }: FileBatch, results: Buffer, mayHold: MayHold): boolean {
  const first = start + sizesBytes(names.length);
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
