/** The project that a client's entry serves, where the client has one entry for all projects. */
import { FileError } from "../../workspace/file-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { filesOf, isBelow, type Client } from "./clients.ts";
import { valueOf } from "./configuration-file.ts";
import { editedFile } from "./edited-file.ts";
import { namesOfRoot, hostOptions } from "./container-entry.ts";
import { containerRunOf } from "./container-run.ts";
import { entryAt, rootIn, startedEntry } from "./entry.ts";
import { UneditableFile } from "./json-edit.ts";
import { isAnotherRoot, type Place } from "./place.ts";
import { NO_WISH } from "./wish.ts";

/** True where the client's file is the user's, with one entry for all projects. */
export const isForAllProjects = (client: Client, place: Place): boolean => !isBelow(place.root, client.registration(place).path);

/**
 * The root of another project that the client's one entry serves; undefined where it serves this one, or a directory that is gone, or
 * there is no such entry. `project` is the root, open. A file that cannot be read is told of when it is to be changed.
 */
export function servedElsewhere(client: Client, place: Place, project: Workspace): string | undefined {
  if (!isForAllProjects(client, place)) return undefined;
  const { path, keys, shape } = client.registration(place);
  const [file] = filesOf(client, place, NO_WISH);
  try {
    const text = editedFile(project, path).text();
    if (text === undefined || file === undefined) return undefined;
    const words = startedEntry(entryAt(valueOf(file, text), keys), shape)?.words ?? [];
    const run = containerRunOf(words);
    const root = rootIn(run === undefined ? words : hostOptions(run, namesOfRoot(place)));
    return root !== undefined && isAnotherRoot(root, place) ? root : undefined;
  } catch (thrown) {
    if (thrown instanceof UneditableFile || thrown instanceof FileError) return undefined;
    throw thrown;
  }
}
