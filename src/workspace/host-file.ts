/** Files of the host that the server itself reads, before there is a workspace: its configuration. Never for a builtin. */
import { readFileSync } from "node:fs";
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
