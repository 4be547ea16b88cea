/** The content of one side of a pair: an object, or a file of the working tree. */
import { createHash } from "node:crypto";
import { bytesOf } from "./byte-text.ts";
import type { Side } from "./file-pairs.ts";
import { GitError } from "./git-error.ts";
import { isLink, isSubmodule } from "./objects.ts";
import type { Repository } from "./repository.ts";

/** The id that git gives `data` as an object of type `type`. SHA-1 is what the object format prescribes. */
export function objectId(type: string, data: Uint8Array): string {
  return createHash("sha1").update(`${type} ${data.length}\0`).update(data).digest("hex");
}

/** Throws GitError where the object is missing. */
export function contentOf(repository: Repository, side: Side): Buffer {
  if (side.mode === 0) return Buffer.alloc(0);
  if (isSubmodule(side.mode)) return bytesOf(`Subproject commit ${side.id}\n`);
  if (side.isWorking === true) return workingContent(repository, side.path, side.mode) ?? Buffer.alloc(0);
  return repository.blob(side.id);
}

/** A file of the working tree, or the text of a link; undefined where it is gone. */
export function workingContent(repository: Repository, path: string, mode: number): Buffer | undefined {
  const place = repository.inWorktree(path);
  if (isLink(mode)) return bytesOf(repository.disk.link(place));
  const bytes = repository.disk.read(place);
  if (bytes === undefined) return undefined;
  const converts = repository.config.get("core.autocrlf")?.toLowerCase();
  // As git stores it: with core.autocrlf set, CR LF of a text file is LF.
  if ((converts === "true" || converts === "input") && bytes.indexOf(0) < 0 && bytes.indexOf("\r\n") >= 0)
    return bytesOf(bytes.toString("latin1").replace(/\r\n/g, "\n"));
  if (bytes.length > 1 << 30) throw new GitError(`${path}: too large`);
  return bytes;
}
