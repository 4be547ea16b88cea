/** The repository around a project: whoever brought the project brought all of it. */
import { dirname, join } from "node:path";
import { hostEntryExists, realHostPath } from "../../host/host-file.ts";

/** The top of the repository that the root is in, which came with it, without links; the root where it is in none. */
export function repositoryOf(root: string): string {
  const real = realHostPath(root) ?? root;
  for (let place = real; ; place = dirname(place)) {
    if (hostEntryExists(join(place, ".git"))) return place;
    if (dirname(place) === place) return real;
  }
}
