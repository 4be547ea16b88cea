/** The entry that a client's file has before `init` changes it, as far as it can be read. */
import { FileError } from "../../workspace/file-error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { filesOf, isBelow, type Client } from "./clients.ts";
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

/**
 * The image of the container that the client's entry runs; undefined where it runs none, or where its file is the project's and the image
 * could be had from somebody: whoever brought the file may have named it.
 */
export function heldImage(client: Client, place: Place, project: Workspace): string | undefined {
  const image = containerRunOf(heldWords(client, place, project))?.image;
  if (image === undefined || !isImageReference(image)) return undefined;
  return isBelow(place.root, client.registration(place).path) && !isOfThisHost(image) ? undefined : image;
}

/** True for a name that was given on this host: it has no registry and no owner. */
const isOfThisHost = (image: string): boolean => /^(?:localhost\/)?[^/@]+$/.test(image);
