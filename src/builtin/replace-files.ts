/** Replacement of whole files through the recorder, for the commands that edit (sed -i, sort -o, patch). */
import type { Invocation } from "./definition.ts";
import type { Files } from "../workspace/contract.ts";
import type { EditTransaction, Recorder } from "./recorder.ts";
import { WriteRefused } from "./write-refused.ts";
import { FileError } from "../workspace/file-error.ts";
import { NULL_DEVICE } from "../workspace/read/null-device.ts";

/** A file as it is to be. */
export interface FileContent {
  /** As typed, from the stage's current directory. */
  readonly path: string;
  /** undefined: it is removed, and so are the directories that are empty then. */
  readonly content: Iterable<Uint8Array> | undefined;
}

/**
 * Replaces each file, or makes it and the directories on the way, or removes it: all together, or none. Throws FileError. `directory` is
 * relative to the root.
 */
export function replaceFiles(recorder: Recorder, directory: string, files: readonly FileContent[]): void {
  const edits = recorder.edit(directory);
  try {
    for (const { path, content } of files) {
      if (path === NULL_DEVICE) continue;
      if (content !== undefined) edits.replace(path, content, { makesDirectories: true });
      else removeFile(edits, path);
    }
    edits.commit();
  } finally {
    edits.abort();
  }
}

function removeFile(edits: EditTransaction, path: string): void {
  edits.remove(path);
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    try {
      edits.removeDirectory(path.slice(0, at));
    } catch (thrown) {
      // It holds something else, or is none of its own.
      if (thrown instanceof FileError) return;
      throw thrown;
    }
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
