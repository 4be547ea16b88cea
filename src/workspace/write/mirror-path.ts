/** Paths below the record directory: from a file to its mirror, and back. */

/** The directory at the root that holds our mirrors and journal. */
export const RECORD_DIRECTORY = ".shelpa";

/** The mirror of the file `canonical`. One more `@` for a first component of `@`s keeps files out of our own place. */
export function mirrorPath(canonical: string): string {
  const first = canonical.split("/", 1)[0] as string;
  return `${RECORD_DIRECTORY}/${/^@+$/.test(first) ? "@" : ""}${canonical}`;
}

/**
 * The files whose bytes the file `path` may hold by being their mirror: of each record directory in the path, for a
 * directory of the tree may have been a root before. "unknown" for a mirror that lies aside: its name does not say whose it is.
 */
export function mirroredPaths(path: string): readonly string[] | "unknown" {
  const names = path.split("/");
  const found: string[] = [];
  for (const [index, name] of names.entries()) {
    const first = names[index + 1];
    if (name !== RECORD_DIRECTORY || first === undefined) continue;
    if (first === "@" && names[index + 2] === "aside") return "unknown";
    if (first === "@") continue;
    found.push([...names.slice(0, index), /^@@+$/.test(first) ? first.slice(1) : first, ...names.slice(index + 2)].join("/"));
  }
  return found;
}
