/** The directory that the process was started in, as a place in a root. */
import { relative, sep } from "node:path";
import { realHostPath } from "./host-file.ts";

/**
 * The current directory of the process relative to the host directory `root`, free of symbolic links; "" (the root) where it lies
 * outside, or the root is not there. Throws FileError for a root that cannot be looked at.
 */
export function callerDirectory(root: string): string {
  const real = realHostPath(root);
  const here = realHostPath(".");
  if (real === undefined || here === undefined) return "";
  const way = relative(real, here).split(sep);
  return way[0] === ".." || way.join(sep) === here ? "" : way.join("/");
}
