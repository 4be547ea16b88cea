/** Replacement of whole files through the recorder, for the commands that edit (sed -i, sort -o, patch). */
import type { Invocation } from "./definition.ts";
import type { Files } from "../workspace/contract.ts";
import type { Recorder, WriteTransaction } from "./recorder.ts";
import { WriteRefused } from "./write-refused.ts";
import { FileError } from "../workspace/file-error.ts";

/** A file as it is to be. */
export interface FileContent {
  /** As typed, from the stage's current directory. */
  readonly path: string;
  readonly content: Iterable<Uint8Array>;
}

/**
 * Replaces each file, or makes it. Every target is checked, and every content taken, before the first file changes; the files then
 * change one after the other. Throws FileError. `directory` is relative to the root.
 */
export function replaceFiles(recorder: Recorder, directory: string, files: readonly FileContent[]): void {
  const transactions: WriteTransaction[] = [];
  try {
    for (const { path, content } of files) {
      const transaction = recorder.begin([path], "overwrite", directory);
      transactions.push(transaction);
      for (const block of content) transaction.write(block);
    }
    for (const transaction of transactions) transaction.commit();
  } finally {
    for (const transaction of transactions) transaction.abort();
  }
}

/** Throws the FileError with which a write to `path` would fail. Changes nothing. */
export function checkWritable(recorder: Recorder, directory: string, path: string): void {
  recorder.begin([path], "overwrite", directory).abort();
}

/** Throws FileError unless the directory of `path` is there, which a write here would make. */
export function checkDirectoryOf(files: Pick<Files, "openDirectory">, path: string): void {
  if (path.startsWith("/dev/")) return;
  const at = path.lastIndexOf("/");
  if (path !== "") files.openDirectory(at < 0 ? "." : path.slice(0, at + 1)).close();
}

/** The stage's recorder. Throws WriteRefused where the workspace is read-only, with `path` as the file. */
export function recorderFor({ recorder }: Pick<Invocation, "recorder">, path: string): Recorder {
  if (recorder === undefined) throw new WriteRefused(new FileError("READ_ONLY", path));
  return recorder;
}

/** True if `path` is a file that holds exactly the bytes of `blocks`. Throws FileError. */
export function isContentOf(files: Pick<Files, "open">, path: string, blocks: readonly Uint8Array[]): boolean {
  const file = files.open(path);
  const content = Buffer.concat(blocks);
  let at = 0;
  for (const block of file.blocks()) {
    if (!content.subarray(at, at + block.length).equals(block)) return false;
    at += block.length;
  }
  return at === content.length;
}
