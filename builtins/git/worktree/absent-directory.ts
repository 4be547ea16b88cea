/** git's warning where a search for untracked files begins in a directory that is not there. */
import type { Repository } from "../repository.ts";
import type { Pathspec } from "./pathspec.ts";

/**
 * git opens the directory that all `paths` are below, as soon as the first directory on the way to it is there and is not passed over
 * as an ignored one or as a repository.
 */
export function warnOfAbsentDirectory(
  repository: Repository,
  paths: Pathspec | undefined,
  isIgnored: (directory: string) => boolean,
): void {
  const directory = paths?.commonDirectory(repository.prefix) ?? "";
  const parts = directory.split("/").slice(0, -1);
  for (let depth = 1; depth <= parts.length; depth++) {
    const path = parts.slice(0, depth).join("/");
    const kindOf = (name: string) => repository.disk.status(repository.inWorktree(name), false)?.kind;
    const kind = kindOf(path);
    if (kind === "symlink") return;
    if (kind !== "directory") {
      const why = kind === undefined ? "No such file or directory" : "Not a directory";
      if (depth > 1) repository.warn(`warning: could not open directory '${directory}': ${why}\n`);
      return;
    }
    if (kindOf(`${path}/.git`) !== undefined || isIgnored(path)) return;
  }
}
