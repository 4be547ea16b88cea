/**
 * Host paths that belong to no workspace: the files that the server itself is configured with, which it reads, and where
 * the user's own files lie (`shelpa-mcp init`). Never for a builtin, and never for what lies in a project.
 */
import { accessSync, constants, lstatSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
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

/** The host path `path` free of symbolic links; undefined where it leads to nothing. Throws FileError. */
export function realHostPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (thrown) {
    const error = fileErrorFrom(thrown, path);
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** The host directory `path`, made with those above it where it was not there, free of symbolic links. Throws FileError. */
export function madeHostDirectory(path: string): string {
  try {
    mkdirSync(path, { recursive: true });
    return realpathSync(path);
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
