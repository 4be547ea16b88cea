/**
 * Host paths that belong to no workspace: the files that the server itself is configured with, which it reads, and where
 * the user's own files lie (`shelpa-mcp init`). Never for a builtin, and never for what lies in a project.
 */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { accessSync, constants, lstatSync, mkdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { fileErrorFrom } from "../workspace/file-error.ts";

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

/**
 * Where `path` lies in the host directory `root`, relative to it: as it is written, and as it is with symbolic links followed.
 * Neither need exist. Empty where it lies elsewhere.
 */
export function placesInRoot(root: string, path: string): readonly string[] {
  const places = wayOf(resolve(path)).flatMap((place) => [
    relative(resolve(root), place),
    relative(realAsFarAsThere(resolve(root)), place),
  ]);
  return [...new Set(places)].filter((place) => place !== "" && place !== ".." && !place.startsWith(`..${sep}`) && !isAbsolute(place));
}

/** As many links as the kernel follows. */
const MOST_LINKS = 40;

/** Every absolute path on the way that `path` leads: itself, and what each link on it leads to, there or not. */
function wayOf(path: string): readonly string[] {
  const way = [path];
  for (let at = path, links = 0; links < MOST_LINKS; links++) {
    const next = withFirstLinkFollowed(at);
    if (next === undefined) break;
    way.push(next);
    at = next;
  }
  return [...new Set([...way, realAsFarAsThere(path)])];
}

/** `path` with the first symbolic link in it replaced by what it leads to; undefined where there is none. */
function withFirstLinkFollowed(path: string): string | undefined {
  const names = path.split(sep);
  for (let count = 2; count <= names.length; count++) {
    const here = names.slice(0, count).join(sep);
    let target: string;
    try {
      target = readlinkSync(here);
    } catch {
      // No link, or nothing there: the next component, if any, says.
      continue;
    }
    return resolve(dirname(here), target, ...names.slice(count));
  }
  return undefined;
}

/** `path` with the links followed of as many of its leading directories as are there. */
function realAsFarAsThere(path: string): string {
  for (let there = path, rest = ""; ; ) {
    try {
      return join(realpathSync(there), rest);
    } catch {
      const above = dirname(there);
      if (above === there) return path;
      rest = join(basename(there), rest);
      there = above;
    }
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
