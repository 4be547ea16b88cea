/** Paths of the audit records: the mirror of each file, and our own files beside the mirrors. */
import { createHash } from "node:crypto";
import { toBytes } from "../io/text.ts";
import { FileError } from "../workspace/file-error.ts";
import type { WorkspaceWriter } from "../workspace/write/write-access.ts";
import type { WritableDirectory } from "../workspace/write/write-directory.ts";
import { gitDirectoryOf } from "./git-directory.ts";
import { IGNORE_PATH, isIgnoreFile } from "./ignore-file.ts";
import { mirrorPath, RECORD_DIRECTORY } from "../workspace/write/mirror-path.ts";

/** Directory of the records that are not mirrors: the journal, the lock, the log of calls, mirrors set aside. */
export const STORE_PATH = `${RECORD_DIRECTORY}/@`;
/** In that directory. */
export const LOCK_NAME = "lock";
export const RECORD_DIRECTORY_PERMISSIONS = 0o700;
export const MIRROR_PERMISSIONS = 0o600;

/**
 * The mirror of a file whose ordinary place is taken (where a file was, there is a directory now, or the reverse; our own
 * ignore file; on a volume that folds names, a file whose name had another case), or would be in a directory that git takes for a repository.
 */
export const asidePath = (canonical: string): string =>
  `${STORE_PATH}/aside/${createHash("sha256").update(toBytes(canonical)).digest("hex")}`;

/** True if `mirror` is one of the two paths at which the file `canonical` is mirrored. */
export const isMirrorOf = (mirror: string, canonical: string): boolean =>
  mirror === mirrorPath(canonical) || mirror === asidePath(canonical);

/**
 * Path of the mirror of the file `canonical`; `exists` if the mirror is there already. Changes nothing. Throws
 * AUDIT_UNAVAILABLE where a record could not be written or would not stay where it is put.
 */
export function findMirror(writer: WorkspaceWriter, canonical: string): { readonly path: string; readonly exists: boolean } {
  const path = mirrorPath(canonical);
  try {
    checkFile(writer, `${STORE_PATH}/journal.jsonl`);
    const found = checkFile(writer, path);
    const isIgnore = path === IGNORE_PATH && found === "exists" && isIgnoreFile(writer);
    // A mirror that is found by another spelling is of a file that was there before, and was removed.
    const isFree = found === "missing" || (found === "exists" && writer.isSpelled(path));
    if (isFree && !isIgnore && gitDirectoryOf(writer, path) === undefined) return { path, exists: found === "exists" };
    const aside = asidePath(canonical);
    return { path: aside, exists: checkFile(writer, aside) === "exists" };
  } catch (thrown) {
    throw unavailable(thrown);
  }
}

/** A failure to record, in the words of a refusal. Anything but a FileError is a fault of ours and stays one. */
export function unavailable(thrown: unknown): unknown {
  if (!(thrown instanceof FileError) || thrown.code === "AUDIT_UNAVAILABLE" || thrown.code === "CONFLICT") return thrown;
  return new FileError(
    "AUDIT_UNAVAILABLE",
    thrown.path,
    `The write cannot be recorded, so nothing was written (${thrown.path || "."}: ${thrown.message})`,
  );
}

/**
 * Looks for the log at `path`: "taken" where a directory stands in a file's place or the reverse. Throws FileError where it
 * could not be appended to.
 */
function checkFile(writer: WorkspaceWriter, path: string): "exists" | "missing" | "taken" {
  const components = path.split("/");
  const name = components.pop() as string;
  let here: WritableDirectory = writer.root();
  try {
    for (const component of components) {
      const kind = here.status(component)?.kind;
      if (kind === undefined) return checkWritable(here);
      if (kind === "file" && here.path !== "") return "taken";
      if (kind !== "directory") throw new FileError("ENOTDIR", `${here.path}/${component}`.replace(/^\//, ""));
      const next = here.directory(component);
      if (next === undefined) throw new FileError("ESTALE", path);
      here.close();
      here = next;
    }
    const status = here.status(name);
    if (status === undefined) return checkWritable(here);
    if (status.kind === "directory") return "taken";
    if (status.kind !== "file") throw new FileError("NOT_REGULAR_FILE", path);
    if (status.links !== 1) throw new FileError("NOT_REGULAR_FILE", path, "Has more than one name");
    return "exists";
  } finally {
    here.close();
  }
}

function checkWritable(directory: WritableDirectory): "missing" {
  directory.checkWritable(directory.path);
  return "missing";
}
