/** Canonical absolute paths as gnulib's canonicalize_filename_mode() makes them: for realpath and readlink. */
import type { Files } from "../workspace/contract.ts";
import { FileError } from "../workspace/file-error.ts";

export interface CanonicalOptions {
  /** Components that need not exist. */
  readonly mayBeMissing: "none" | "last" | "all";
  /** Symbolic links stay as they are. */
  readonly keepsLinks: boolean;
}

/** Links followed without a check; after these each must be a link and a rest of the path that were not met before. */
const UNCHECKED_LINKS = 20;
/** No path needs more. The kernel itself gives up after 40. */
const MOST_LINKS = 1000;

/**
 * `path` from the root of the host on, without `.`, `..`, repeated slashes and (unless they are kept) symbolic links.
 * Throws FileError: also PATH_ESCAPE and SYMLINK_ESCAPE where the way leads out of the workspace.
 */
export function canonicalPath(files: Files, path: string, options: CanonicalOptions): string {
  if (path === "") throw new FileError("ENOENT", path);
  const fromRoot = files.fromRoot(path);
  if (fromRoot === undefined && path.startsWith("/")) throw new FileError("PATH_ESCAPE", path);
  let names =
    fromRoot === undefined
      ? files
          .realPath(".")
          .split("/")
          .filter((name) => name !== "")
      : [];
  // fromRoot drops a trailing slash, which requires a directory.
  let rest = fromRoot === undefined ? path : `${fromRoot}${path.endsWith("/") ? "/" : ""}`;
  const seen = new Set<string>();
  let links = 0;
  for (;;) {
    const [whole, name] = /^\/*([^/]*)/.exec(rest) as unknown as [string, string];
    if (name === "") return absolutePath(files, names.join("/"));
    rest = rest.slice(whole.length);
    if (name === ".") continue;
    if (name === "..") {
      if (names.pop() === undefined) throw new FileError(links > 0 ? "SYMLINK_ESCAPE" : "PATH_ESCAPE", path);
      continue;
    }
    names.push(name);
    const found = look(files, absolutePath(files, names.join("/")), rest, options);
    if (found instanceof FileError) {
      const isAllowed =
        options.mayBeMissing === "all" || (options.mayBeMissing === "last" && found.code === "ENOENT" && /^\/*$/.test(rest));
      if (!isAllowed) throw new FileError(found.code, path);
    } else if (found !== undefined) {
      const place = `${names.join("/")}\0${rest}`;
      if (++links > UNCHECKED_LINKS && (seen.has(place) || links > MOST_LINKS)) {
        if (options.mayBeMissing === "all") continue;
        throw new FileError("ELOOP", path);
      }
      seen.add(place);
      names.pop();
      rest = found + rest;
      if (!found.startsWith("/")) continue;
      const inside = files.fromRoot(found);
      if (inside === undefined) throw new FileError("SYMLINK_ESCAPE", path);
      names = [];
      rest = `${inside}${rest.slice(found.length) || (found.endsWith("/") ? "/" : "")}`;
    }
  }
}

/** A path relative to the root as an absolute one. */
export function absolutePath(files: Files, fromRoot: string): string {
  if (fromRoot === "") return files.rootPath;
  return `${files.rootPath === "/" ? "" : files.rootPath}/${fromRoot}`;
}

/** The text of the symbolic link `path`; undefined if it is not a link or links stay; a FileError if it cannot be reached. */
function look(files: Files, path: string, rest: string, options: CanonicalOptions): string | FileError | undefined {
  try {
    if (!options.keepsLinks) return files.readLink(path);
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    if (thrown.code !== "EINVAL") return asksForDirectory(rest) ? (complaint(files, `${path}/`) ?? thrown) : thrown;
    return asksForDirectory(rest) ? complaint(files, `${path}/`) : undefined;
  }
  if (asksForDirectory(rest)) return complaint(files, `${path}/`);
  // With `keepsLinks`, components before the last are not checked.
  return rest === "" ? complaint(files, path) : undefined;
}

/** The error of reaching `path`; undefined if it exists. A link out of the workspace exists, whatever its target. */
function complaint(files: Files, path: string): FileError | undefined {
  try {
    files.status(path);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof FileError)) throw thrown;
    return thrown.code === "SYMLINK_ESCAPE" ? undefined : thrown;
  }
}

/**
 * Tells whether the rest of a path requires a directory: slashes and dots up to its end, or to `..`. A name in it is checked
 * later.
 */
function asksForDirectory(rest: string): boolean {
  return /^\/+(\.\/+)*(\.{0,2}$|\.\.\/)/.test(rest);
}
