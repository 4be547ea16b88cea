/** The project that a client's entry serves, where the client has one entry for all projects. */
import type { Workspace } from "../../workspace/workspace.ts";
import { isBelow, type Client } from "./clients.ts";
import { namesOfRoot, hostOptions } from "./container-entry.ts";
import { containerRunOf } from "./container-run.ts";
import { rootIn } from "./entry.ts";
import { heldWords } from "./held-entry.ts";
import { isAnotherRoot, type Place } from "./place.ts";

/** True where the client's file is the user's, with one entry for all projects. */
export const isForAllProjects = (client: Client, place: Place): boolean => !isBelow(place.root, client.registration(place).path);

/**
 * The root of another project that the client's one entry serves; undefined where it serves this one, or a directory that is gone, or
 * there is no such entry. `project` is the root, open. A file that cannot be read is told of when it is to be changed.
 */
export function servedElsewhere(client: Client, place: Place, project: Workspace): string | undefined {
  if (!isForAllProjects(client, place)) return undefined;
  const words = heldWords(client, place, project);
  const run = containerRunOf(words);
  const root = rootIn(run === undefined ? words : hostOptions(run, namesOfRoot(place)));
  return root !== undefined && isAnotherRoot(root, place) ? root : undefined;
}
