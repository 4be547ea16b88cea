/** A new symbolic link, made by its text or as a second name of one with the same text. */
import { toText } from "../io/text.ts";
import { FileError } from "../workspace/file-error.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableDirectory } from "../workspace/write/write-directory.ts";
import type { DesiredEntry } from "./desired-entry.ts";
import { inDirectoryOf } from "./entry-state.ts";

/** Makes the link `name`. Throws FileError, which names `typed` where Node's permission model allows none. */
export function makeLink(
  writer: WorkspaceWriter,
  directory: WritableDirectory,
  name: string,
  typed: string,
  { content, like }: DesiredEntry & { readonly kind: "symlink" },
): void {
  try {
    directory.makeLink(name, toText(Buffer.concat([...content.blocks()])));
  } catch (thrown) {
    if (!(thrown instanceof FileError) || thrown.code !== "EPERM") throw thrown;
    // Node's permission model makes no relative link, and lets one have a second name.
    const isLinked = like !== undefined && inDirectoryOf(writer, like, (source, from) => source.link(from, name, directory)) === true;
    if (!isLinked) throw new FileError("EPERM", typed, "A symbolic link can be made here only like one that is there");
  }
}
