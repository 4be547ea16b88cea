/**
 * Host paths as the system takes them, and the form that all other code has: absolute, from `/`. They differ on Windows alone, where
 * `C:\p` is `/c/p` and `\\server\share\p` is `/server/share/p`: a first name of one letter is a drive.
 */
import { posix } from "node:path";
import { isWindows } from "../../io/platform.ts";
import { toBytes } from "../../io/text.ts";
import { windowsPathWithSlashes } from "../../glob/absolute-path.ts";

/** The host path `path`, absolute as the system writes it, in the form with slashes. Throws Error where it is not absolute, or a device. */
export const fromHostPath = isWindows ? fromWindowsPath : fromPosixPath;

/** The host path of `path`, which is in the form with slashes. Bytes where it is not valid UTF-8. */
export const toHostPath: (path: string) => string | Buffer = isWindows
  ? toWindowsPath
  : (path) => (path.isWellFormed() ? path : toBytes(path));

/** The host path of `path` as people write it: for other programs, and for Node's permission model. */
export const plainHostPath: (path: string) => string = isWindows ? plainWindowsPath : (path) => path;

/** As `plainHostPath` is on Windows. */
export function plainWindowsPath(path: string): string {
  return toWindowsPath(path).replace(/^\\\\\?\\(UNC\\)?/, (_, unc?: string) => (unc === undefined ? "" : "\\\\"));
}

/** The directory above the directory `canonical`; itself for the top of the tree, of a drive or of a share. */
export const aboveOf = (canonical: string): string =>
  isWindows && windowsTop(canonical) === canonical ? canonical : posix.dirname(canonical);

/** Absolute names, with slashes, that people and tools have for `path`: of a drive those of MSYS, WSL and Cygwin. */
export function namesOf(path: string): readonly string[] {
  if (!isWindows) return [path];
  return windowsNames(path);
}

/** As `namesOf` is on Windows. */
export const windowsNames = (path: string): readonly string[] =>
  /^\/[a-z](?:\/|$)/.test(path) ? [path, `/mnt${path}`, `/cygdrive${path}`] : [path];

function fromPosixPath(path: string): string {
  if (!path.startsWith("/")) throw new Error("the root must be an absolute path");
  return path;
}

/** As `fromHostPath` is on Windows. */
export function fromWindowsPath(path: string): string {
  const slashed = windowsPathWithSlashes(path);
  if (!slashed.startsWith("/")) throw new Error("the root must be an absolute path");
  const plain = slashed.length > 1 ? slashed.replace(/\/+$/, "") : slashed;
  if (windowsTop(plain) === undefined)
    throw Object.assign(new Error("the root must be an absolute path, on a drive or a share"), { code: "ENOENT" });
  return plain;
}

/** As `toHostPath` is on Windows: in the form whose names it does not touch, so that none is a device and none loses its end. */
export function toWindowsPath(path: string): string {
  const top = windowsTop(path);
  if (top === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
  const below = path.slice(top.length).replaceAll("/", "\\");
  const drive = top.length === 2 ? `${top.slice(1).toUpperCase()}:` : undefined;
  const share = top.replaceAll("/", "\\");
  // A top itself has no name that could be taken for another, and is not found by the long form everywhere.
  if (below === "") return drive === undefined ? `\\${share}\\` : `${drive}\\`;
  return drive === undefined ? `\\\\?\\UNC${share}${below}` : `\\\\?\\${drive}${below}`;
}

/** The text of a link or a junction of Windows with slashes: a path that is relative, or absolute from `/`. */
export function windowsLinkText(target: string): string {
  const slashed = windowsPathWithSlashes(target);
  // One from the top of the drive that it is on leads out of every root but that: it stays absolute, and nowhere's.
  return slashed.replaceAll("\\", "/").replace(/(?<=[^/])\/+$/, "");
}

/** The part of `path` that names a drive (`/c`) or a share (`/server/share`). */
const windowsTop = (path: string): string | undefined => /^\/[a-z](?=\/|$)|^\/[^/:]{2,}\/[^/:]+(?=\/|$)/.exec(path)?.[0];
