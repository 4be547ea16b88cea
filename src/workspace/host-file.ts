/**
 * Files of the host that the server itself reads and writes, outside any workspace: its configuration, and the
 * configuration files of MCP clients (`shelpa-mcp init`). Never for a builtin.
 */
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { fileErrorFrom } from "./file-error.ts";

/** The text of a host file, or undefined where there is none. Throws FileError. */
export function hostFileText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    const error = fileErrorFrom(thrown, path);
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Whether anything stands at the host path `path`, a link to nothing included. */
export function hostEntryExists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Not to be seen: whoever opens it says why.
    return true;
  }
}

/**
 * Gives the host file at `path` the content `text`, at once or not at all. A file that a symbolic link stands for is
 * replaced where it lies; its mode stays; missing directories are made. What was there is first copied to `backup`.
 * Throws FileError.
 */
export function replaceHostFile(path: string, text: string, backup: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const old = statSync(path, { throwIfNoEntry: false });
    const target = old === undefined ? path : realpathSync(path);
    if (old !== undefined) writeFileSync(backup, readFileSync(target), { mode: old.mode & 0o777 });
    const fresh = `${target}.shelpa-${process.pid}`;
    writeFileSync(fresh, text, { flag: "wx" });
    if (old !== undefined) chmodSync(fresh, old.mode & 0o7777);
    renameSync(fresh, target);
  } catch (thrown) {
    throw fileErrorFrom(thrown, path);
  }
}

/** The host file that the first of `directories` has under `name` and that may be executed. */
export function executableIn(directories: readonly string[], name: string): string | undefined {
  for (const directory of directories) {
    const path = `${directory}/${name}`;
    try {
      accessSync(path, constants.X_OK);
      return realpathSync(path);
    } catch {
      // Not here: the next one.
    }
  }
  return undefined;
}
