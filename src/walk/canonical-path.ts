/** Canonical absolute paths as gnulib's canonicalize_filename_mode() makes them: for realpath and readlink. */
import { isAbsolutePath } from "../glob/absolute-path.ts";
import type { Files } from "../workspace/contract.ts";
import { FileError } from "../workspace/file-error.ts";
import { componentsBelow } from "../workspace/mount/prefix.ts";

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
  const here = isAbsolutePath(path) ? undefined : files.realPath(".");
  const mount = files.mountOf(here ?? path);
  const inside = (absolute: string): string | undefined => {
    if (mount === undefined) return files.fromRoot(absolute);
    return files.mountOf(absolute) === mount ? belowMount(mount, absolute) : undefined;
  };
  const fromTop = isAbsolutePath(path) ? inside(path) : undefined;
  if (fromTop === undefined && isAbsolutePath(path)) throw new FileError("PATH_ESCAPE", path);
  let names =
    here === undefined
      ? []
      : here
          .slice(mount?.length ?? 0)
          .split("/")
          .filter((name) => name !== "");
  const absolute = (): string => (mount === undefined ? absolutePath(files, names.join("/")) : [mount, ...names].join("/"));
  // fromRoot drops a trailing slash, which requires a directory.
  let rest = fromTop === undefined ? path : `${fromTop}${path.endsWith("/") ? "/" : ""}`;
  const seen = new Set<string>();
  let links = 0;
  for (;;) {
    const [whole, name] = /^\/*([^/]*)/.exec(rest) as unknown as [string, string];
    if (name === "") return absolute();
    rest = rest.slice(whole.length);
    if (name === ".") continue;
    if (name === "..") {
      if (names.pop() === undefined) throw new FileError(links > 0 ? "SYMLINK_ESCAPE" : "PATH_ESCAPE", path);
      continue;
    }
    names.push(name);
    const found = look(files, absolute(), rest, options);
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
      const below = inside(found);
      if (below === undefined) throw new FileError("SYMLINK_ESCAPE", path);
      names = [];
      rest = `${below}${rest.slice(found.length) || (found.endsWith("/") ? "/" : "")}`;
    }
  }
}

/** A path that is relative to the root, or absolute in a mount, as an absolute one. */
export function absolutePath({ rootPath }: Pick<Files, "rootPath">, path: string): string {
  if (path === "") return rootPath;
  return isAbsolutePath(path) ? path : `${rootPath === "/" ? "" : rootPath}/${path}`;
}

/** The part of an absolute path behind the mount that it is in; "" for the mount itself. */
export const belowMount = (mount: string, absolute: string): string => componentsBelow(mount, absolute)?.join("/") ?? "";

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
