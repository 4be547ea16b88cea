/** The entry that a client's file has before `init` changes it, as far as it can be read. */
import { FileError } from "../../workspace/file-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { filesOf, type Client } from "./clients.ts";
import { valueOf } from "./configuration-file.ts";
import { isImageReference } from "./container-choice.ts";
import { containerRunOf } from "./container-run.ts";
import { editedFile } from "./edited-file.ts";
import { entryAt, startedEntry } from "./entry.ts";
import { UneditableFile } from "./json-edit.ts";
import type { Place } from "./place.ts";
import { NO_WISH } from "./wish.ts";

/**
 * The command line of the client's entry; empty where there is none. `project` is the root, open. A file that cannot be read is told of
 * when it is to be changed.
 */
export function heldWords(client: Client, place: Place, project: Workspace): readonly string[] {
  const { path, keys, shape } = client.registration(place);
  const [file] = filesOf(client, place, NO_WISH);
  try {
    const text = editedFile(project, path).text();
    if (text === undefined || file === undefined) return [];
    return startedEntry(entryAt(valueOf(file, text), keys), shape)?.words ?? [];
  } catch (thrown) {
    if (thrown instanceof UneditableFile || thrown instanceof FileError) return [];
    throw thrown;
  }
}

/** The image of the container that the client's entry runs; undefined where it runs none. */
export function heldImage(client: Client, place: Place, project: Workspace): string | undefined {
  const image = containerRunOf(heldWords(client, place, project))?.image;
  return image !== undefined && isImageReference(image) ? image : undefined;
}
