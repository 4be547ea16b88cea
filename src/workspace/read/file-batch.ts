/** Small files of one directory that are read together (small-files.ts), and what is in them. */
import type { MayHold } from "../contract.ts";
import { NOT_READ, sizesBytes } from "./small-files.ts";

export interface FileBatch {
  /** Of the directory that its files are in. */
  readonly handle: number;
  /** Undefined where the thread was not asked: the walk reads it when it comes to it. */
  readonly task: number | undefined;
  readonly names: readonly string[];
  /** What its result lies in, and where, or that it has none; undefined before somebody asked. */
  results: Buffer | "none" | undefined;
  at: number;
  /** What is not is passed or read once more. */
  readonly isChecked: boolean;
  /** Files that nobody has asked for or that are in use. */
  left: number;
  /** Whether one of its files may hold what is sought, once somebody asked. */
  mayHold: boolean | undefined;
}

/** Where a file of a batch lies in its results; its size is NOT_READ where it could not be read. */
export function placeOf({ at: start, names }: FileBatch, results: Buffer, name: string): { readonly at: number; readonly size: number } {
  let at = start + sizesBytes(names.length);
  for (let file = 0; file < names.length; file++) {
    const size = results.readInt32LE(start + file * 4);
    if (names[file] === name) return { at, size };
    at += Math.max(0, size);
  }
  return { at, size: NOT_READ };
}

/** Whether one of its files may hold something. All of them are looked through at once: each by itself takes longer. */
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

/** Whether a file may begin with the mark of UTF-16, which nobody looks through as it stands. */
export const isUtf16 = (results: Buffer, at: number, size: number): boolean => size > 0 && (results[at] as number) >= 0xfe;
