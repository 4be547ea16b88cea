/** Way to a name of a private tree, by descriptor. */
import type { WritableDirectory } from "../write/write-directory.ts";

/** The result of `use` on the name that `path` ends in, in its directory; undefined where that is missing. Closes `top`. */
export function atPath<T>(top: WritableDirectory, path: string, use: (directory: WritableDirectory, name: string) => T): T | undefined {
  let here: WritableDirectory | undefined = top;
  try {
    const names = path.split("/");
    for (const name of names.slice(0, -1)) {
      const next: WritableDirectory | undefined = here?.directory(name);
      here?.close();
      here = next;
    }
    return here && use(here, names.at(-1) as string);
  } finally {
    here?.close();
  }
}
