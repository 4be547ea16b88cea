/**
 * Absolute paths as they are typed: from `/`, and on Windows also from a drive (`C:\p`, `C:/p`) or a server (`\\server\share`). All code
 * but this and host-path.ts has the form with slashes: `/c/p`, as the bash that Windows's users have prints it.
 */
import { isWindows } from "../io/platform.ts";

const DRIVE = /^([A-Za-z]):(?=[\\/])/;
/** The same in a path that Windows takes as it is, whose names it does not touch: `\\?\C:\p`, `\\?\UNC\server\share`. */
const AS_IT_IS = /^\\\\\?\\(?:UNC\\(?=[^\\])|(?=[A-Za-z]:(?:\\|$)))/i;
const SERVER = /^\\\\(?=[^\\/?.])/;

/** Tells whether `typed` does not depend on the current directory. */
export const isAbsolutePath = (typed: string): boolean =>
  typed.startsWith("/") || (isWindows && (DRIVE.test(typed) || SERVER.test(typed) || AS_IT_IS.test(typed)));

/** The absolute path `typed` with slashes, from `/`; itself where it is not one of Windows's. */
export const withSlashes = isWindows ? windowsPathWithSlashes : (typed: string): string => typed;

/** As `withSlashes` is on Windows. */
export function windowsPathWithSlashes(typed: string): string {
  const bare = typed.replace(AS_IT_IS, (prefix) => (prefix.length > "\\\\?\\".length ? "\\\\" : ""));
  const drive = DRIVE.exec(bare)?.[1];
  if (drive !== undefined) return `/${drive.toLowerCase()}${bare.slice(2).replaceAll("\\", "/")}`;
  return SERVER.test(bare) ? bare.slice(1).replaceAll("\\", "/") : typed;
}
