/**
 * Reads and looks up host paths outside any workspace: the server's own configuration, and the user's files that
 * `shelpa-mcp init` edits. Never used by a builtin, and never for a file of a project.
 */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { toText } from "../io/text.ts";
import { FileError } from "../workspace/file-error.ts";
import { fileErrorFrom } from "../workspace/system-error.ts";
import { fromHostPath, toHostPath } from "../workspace/walk/host-path.ts";

/** Largest file that is read whole: settings and tokens are far smaller. */
const MOST_TEXT_BYTES = 4 << 20;

/** The text of a host file, or undefined where there is none. Throws FileError: also NOT_REGULAR_FILE, without waiting, and EFBIG. */
export const hostFileText = (path: string): string | undefined => openedText(path, () => undefined);

/**
 * As `hostFileText`, of a file whose text no workspace may show: it is kept from them by its path, so that one with a second name (a hard
 * link) is refused with EPERM, whatever workspace that name is in.
 */
export const hostSecretText = (path: string): string | undefined =>
  openedText(path, ({ nlink: names }) => {
    if (names <= 1) return;
    const words = `it has ${names} names (hard links), and a workspace that holds another of them could show it; make it a file of its own`;
    throw new FileError("EPERM", path, words);
  });

/** `check` throws for a status that may not be. */
function openedText(path: string, check: (status: Stats) => void): string | undefined {
  try {
    const { O_NOCTTY, O_NONBLOCK, O_RDONLY } = constants;
    // Of the latter two Windows has neither, and no file to wait for.
    const descriptor = openSync(path, O_RDONLY | (O_NOCTTY || 0) | (O_NONBLOCK || 0));
    try {
      return textIn(descriptor, path, check);
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    const error = fileErrorFrom(thrown, path);
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** A file of the kernel's tells no size: it is read to its end, or to one byte more than may be read. */
function textIn(descriptor: number, path: string, check: (status: Stats) => void): string {
  const status = fstatSync(descriptor);
  if (status.isDirectory()) throw new FileError("EISDIR", path);
  if (!status.isFile()) throw new FileError("NOT_REGULAR_FILE", path);
  check(status);
  const blocks: Buffer[] = [];
  for (let bytes = 0; bytes <= MOST_TEXT_BYTES; ) {
    const block = Buffer.allocUnsafe(64 << 10);
    const count = readSync(descriptor, block);
    if (count === 0) return Buffer.concat(blocks).toString("utf8");
    blocks.push(block.subarray(0, count));
    bytes += count;
  }
  throw new FileError("EFBIG", path);
}

/** True if the host path `path` exists, be it a dangling symbolic link. */
export function hostEntryExists(path: string | Buffer): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Not searchable, so possibly there: opening it reports why.
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

/** As `realHostPath`, of a path in either form of host-path.ts, in the form with slashes. Throws FileError. */
export function realPlace(path: string): string | undefined {
  const place = fromHostPath(path);
  try {
    return fromHostPath(toText(realpathSync.native(toHostPath(place), { encoding: "buffer" })));
  } catch (thrown) {
    const error = fileErrorFrom(thrown, path);
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Tells whether the host path `path`, free of symbolic links, is a directory. */
export const isHostDirectory = (path: string | Buffer): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Names in the host directory `path`. Throws FileError. */
export function hostDirectoryNames(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (thrown) {
    throw fileErrorFrom(thrown, path);
  }
}

/** Tells whether `name` is a directory in the host directory `directory`: no link, and by no other spelling of its name. */
export function isPlainDirectory(directory: string, name: string): boolean {
  const path = join(directory, name);
  return isHostDirectory(path) && basename(realpathSync.native(path)) === name;
}

/**
 * Paths of `path` relative to the host directory `root`: as it is written, and with symbolic links followed. Neither need
 * exist. Empty where `path` lies outside `root`.
 */
export function placesInRoot(root: string, path: string): readonly string[] {
  const places = wayOf(resolve(path)).flatMap((place) => [
    relative(resolve(root), place),
    relative(realAsFarAsThere(resolve(root)), place),
  ]);
  const inside = places.filter((place) => place !== "" && place !== ".." && !place.startsWith(`..${sep}`) && !isAbsolute(place));
  return [...new Set(inside.map((place) => place.replaceAll(sep, "/")))];
}

/**
 * Tells whether the host path `path` leads into the host directory `directory`, by whatever names and links: directories are known by
 * device and inode. It need not exist.
 */
export function isInHostDirectory(directory: string, path: string): boolean {
  if (placesInRoot(directory, path).length > 0) return true;
  const wanted = identityOf(directory);
  for (let place = realAsFarAsThere(resolve(path)); ; place = dirname(place)) {
    const found = identityOf(place);
    if (found !== undefined && found === wanted) return true;
    if (dirname(place) === place) return false;
  }
}

/** Device and inode of what `path` leads to; undefined where that is nothing, or cannot be found out. */
function identityOf(path: string): string | undefined {
  try {
    const status = statSync(path, { bigint: true, throwIfNoEntry: false });
    return status && `${status.dev}:${status.ino}`;
  } catch {
    return undefined;
  }
}

/** Most symbolic links followed, as in the kernel. */
const MOST_LINKS = 40;

/** Every absolute path met while `path` is resolved: itself, and the path after each link is followed, existing or not. */
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

/** `path` with its first symbolic link replaced by the link's target; undefined where it has no link. */
function withFirstLinkFollowed(path: string): string | undefined {
  const names = path.split(sep);
  for (let count = 2; count <= names.length; count++) {
    const here = names.slice(0, count).join(sep);
    let target: string;
    try {
      target = readlinkSync(here);
    } catch {
      // Not a link, or not there: the loop goes on with the next component.
      continue;
    }
    return resolve(dirname(here), target, ...names.slice(count));
  }
  return undefined;
}

/** `path` with symbolic links followed in its longest prefix that exists. */
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

/**
 * Makes the host directory `path`, with its parents, where it is missing; returns its path free of symbolic links. Throws
 * FileError.
 */
export function madeHostDirectory(path: string): string {
  try {
    mkdirSync(path, { recursive: true });
    return realpathSync(path);
  } catch (thrown) {
    throw fileErrorFrom(thrown, path);
  }
}

/**
 * Appends `text` to the host file `path`, whole beside what other processes append: made for this user alone where it is missing, with
 * its directories. False where it is no regular file, or cannot be written.
 */
export function appendToPrivateFile(path: string, text: string): boolean {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Of these Windows has no links to refuse and no pipes to wait for.
    const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT | (O_NOFOLLOW || 0) | (O_NONBLOCK || 0), 0o600);
    try {
      const bytes = Buffer.from(text);
      return fstatSync(descriptor).isFile() && writeSync(descriptor, bytes) === bytes.length;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
}

/** Renames the host file `from` to `to`, over what is there; false where that cannot be done. */
export function moveHostFile(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/** Path of the executable host file `name` in the first of `directories` that has one. */
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
