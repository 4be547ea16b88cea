/** Files of the server's own state directory, which lies outside every root. */
import { closeSync, fsync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { fileErrorFrom } from "../workspace/system-error.ts";

/**
 * Replaces the host file `path`, of this user alone, by one that holds `text`: after a loss of power there is the old one or the new. The
 * disk is waited for beside other work. Throws FileError. Two replacements of one file at a time are not for this function.
 */
export async function replaceStateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(temporary, { force: true });
    const descriptor = openSync(temporary, "wx", 0o600);
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      await synced(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (thrown) {
    throw fileErrorFrom(thrown, path);
  }
}

const synced = (descriptor: number): Promise<void> =>
  new Promise((resolve, reject) => fsync(descriptor, (error) => (error ? reject(error) : resolve())));

/** Names of the files in the host directory `directory`; none where it is not there. Throws FileError. */
export function stateFileNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (thrown) {
    const error = fileErrorFrom(thrown, directory);
    if (error.code === "ENOENT") return [];
    throw error;
  }
}
