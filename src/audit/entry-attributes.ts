/** Permission bits and times of an entry, as edits set them. */
import { FileError } from "../workspace/file-error.ts";
import type { WritableDirectory } from "../workspace/write/write-directory.ts";
import type { DesiredEntry, SetAttributes } from "./desired-entry.ts";
import type { FoundEntry } from "./entry-state.ts";

/** Permission bits that a file may be given: no set-user-ID and no set-group-ID. */
export const FILE_BITS = 0o1777;
/** A directory's set-group-ID hands its group down. */
export const DIRECTORY_BITS = 0o3777;

export const attributesOf = ({ status: { permissions: mode, modifiedNs, accessedNs } }: FoundEntry): SetAttributes => ({
  mode,
  modifiedNs,
  accessedNs,
});

export function setAttributes(directory: WritableDirectory, name: string, attributes: SetAttributes, { kind }: FoundEntry): void {
  const { mode } = attributes;
  if (mode !== undefined) directory.changePermissions(name, mode & (kind === "directory" ? DIRECTORY_BITS : FILE_BITS));
  setTimes(directory, name, attributes);
}

/** Sets the times that are given; the others stay. */
export function setTimes(directory: WritableDirectory, name: string, { modifiedNs, accessedNs }: SetAttributes): void {
  if (modifiedNs === undefined && accessedNs === undefined) return;
  const now = directory.status(name);
  if (now === undefined) throw new FileError("ENOENT", name);
  directory.changeTimes(name, accessedNs ?? now.accessedNs, modifiedNs ?? now.modifiedNs);
}

/** Permission bits to be set once a change is made; undefined where they are so already. `made`: those it was made with. */
export function modeAfter(
  kind: DesiredEntry["kind"],
  { mode, creation, inheritsGroup = false }: SetAttributes,
  made: number,
): number | undefined {
  if (kind === "directory" && mode !== undefined && inheritsGroup) return mode | (made & 0o2000);
  if (mode !== undefined || kind !== "directory" || creation === undefined) return mode;
  return made & (creation | ~0o700);
}
