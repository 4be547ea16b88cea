/** Lists of paths as OpenDirectory.stampsBelow takes them. */
import type { PathList } from "../../src/workspace/contract.ts";

/** Paths below the root with a byte between two, as in the index of a repository. */
export function pathList(paths: readonly string[]): PathList {
  const bytes = Buffer.from(paths.join("\0"), "utf8");
  const bounds = new Uint32Array(paths.length * 2);
  let at = 0;
  paths.forEach((path, number) => {
    bounds[number * 2] = at;
    bounds[number * 2 + 1] = at += Buffer.byteLength(path);
    at++;
  });
  return { bytes, bounds };
}
